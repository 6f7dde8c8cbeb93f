// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/table.h"
#include "core/model/lock.h"

#include <QList>

namespace lockscope {

/// A row a lock, as of `now`. `isGroup`: of a Redlock group, with a column for its servers.
Table lockTable(const QList<WatchedLock> &locks, TimePoint now, bool isGroup);

} // namespace lockscope
