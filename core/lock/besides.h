// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"
#include "core/redis/connection.h"

#include <QFuture>

namespace lockscope {

namespace besides {

/// One look at what stands beside all of these, in batches: the same locks with it, their families named by it. What
/// may not be read counts as not there. An Error where the server can't answer at the moment, or the connection failed.
QFuture<Result<QList<Lock>>> look(Connection &connection, const QList<Lock> &locks);

} // namespace besides

} // namespace lockscope
