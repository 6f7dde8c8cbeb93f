// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/history/lockhistory.h"

namespace lockscope {

class Recording;

/// The history of a period of a recording. What was held or awaited at its begin is found then. Of a period
/// with more than 30 million holds, waits and leases, or 1 GiB of names, the first part is left out: see
/// LockHistory::firstMs().
LockHistory historyOf(const Recording &recording, milliseconds from, milliseconds to);

} // namespace lockscope
