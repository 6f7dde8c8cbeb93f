// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockhistory.h"
#include "core/verify/operations.h"

namespace lockscope {

/// The holds of a history as operations of their owners, in epoch ns. A hold began by the first reading that shows it, and
/// ended after the last one. What owners believed between readings is not in it.
OperationHistory operationsIn(const LockHistory &history);

} // namespace lockscope
