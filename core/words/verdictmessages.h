// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/verdict.h"

#include <QString>

namespace lockscope {

/// Why a lock is held, with what was seen: one sentence.
QString describe(const HoldVerdict &verdict);
/// What to do about it: one sentence.
QString adviceOf(const HoldVerdict &verdict);

} // namespace lockscope
