// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replayreader.h"

#include <QString>

#include <optional>

namespace lockscope {

/// The moment that somebody types, in epoch ms: "3:12", "03:12:05.250", "2026-01-31 03:12", "2026-01-31T03:12:00Z". A time of day is
/// that of the day of `shownMs` where the recording has it, else of the last day that does. nullopt: no time.
std::optional<qint64> typedTime(const QString &text, const ReplayOutline &outline, qint64 shownMs);

/// The recording has it, or some of the minute that begins there.
bool hasTime(const ReplayOutline &outline, qint64 wallMs);

} // namespace lockscope
