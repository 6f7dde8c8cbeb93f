// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/replayreader.h"

#include <QString>

#include <optional>

namespace lockscope {

/// Parses a typed time to epoch ms: "3:12", "03:12:05.250", "2026-01-31 03:12", "2026-01-31T03:12:00Z". A
/// time of day is on the day of `shownMs` if recorded, otherwise on the last recorded day. nullopt: invalid.
std::optional<qint64> typedTime(const QString &text, const ReplayOutline &outline, qint64 shownMs);

/// True if the recording includes the moment or part of the minute that starts there.
bool hasTime(const ReplayOutline &outline, qint64 wallMs);

} // namespace lockscope
