// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/read/companionaccess.h"
#include "core/redis/connection.h"

#include <QFuture>

#include <functional>

namespace lockscope {

namespace companions {

struct Seen
{
    QList<Lock> locks;                             ///< the given locks with companions
    QList<CompanionAccess::Forbidden> forbidden{}; ///< why some were not read: see CompanionState::unread
};

/// Reads the companions of all these locks once, in batches, and sets the families by them; also returns what
/// is forbidden. An Error if the server cannot answer at the moment, or the connection failed.
QFuture<Result<Seen>> inspect(Link &connection, const QList<Lock> &locks);
/// Inspects locks in portions: `next` returns some (none: the end), `take` gets them back.
QFuture<Result<QList<CompanionAccess::Forbidden>>>
inspectAll(Link &connection, const std::function<QList<Lock>(qsizetype most)> &next,
           const std::function<void(const QList<Lock> &locks)> &take);

/// True if unreadable companions decide how to force-expire it: a hash may be a fair lock, a number a
/// semaphore. A token lock is the same with or without a job.
bool decidesHowToAct(const Lock &lock);

} // namespace companions

} // namespace lockscope
