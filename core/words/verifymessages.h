// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/historycheck.h"

#include <QString>

namespace lockscope {

/// "holds", "violated" or "undecided", translated.
QString describe(LockCheck::Verdict verdict);
/// Why a lock's history is violated or undecided: a sentence; empty if it holds.
QString describe(const LockCheck &check, const OperationHistory &history);

} // namespace lockscope
