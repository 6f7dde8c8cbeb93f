// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/table.h"
#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// For rows of locks. `isGroup`: of a Redlock group, with a column for its servers. `haveWaiters`: with one for them.
Table emptyLockTable(bool isGroup, bool haveWaiters);
/// Cuts owners, families and keys so that lines fit, if a person reads here.
void fitToTerminal(Table &lockTable);
/// As of `now`, for the same columns.
QStringList lockRow(const WatchedLock &watched, TimePoint now, bool haveWaiters);

} // namespace lockscope
