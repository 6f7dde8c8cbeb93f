// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/read/companionaccess.h"
#include "core/redis/connection.h"

#include <QFuture>

#include <functional>

namespace lockscope {

namespace companions {

/// What was seen of them.
struct Seen
{
    QList<Lock> locks; ///< the same, with what stands beside them
    QList<CompanionAccess::Forbidden>
        forbidden{}; ///< why something of it was not read: see CompanionState::unread
};

/// One look at what stands beside all of these, in batches: the same locks with it, their families named by it; and what
/// this login may not ask. An Error where the server can't answer at the moment, or the connection failed.
QFuture<Result<Seen>> inspect(Link &connection, const QList<Lock> &locks);
/// The same of more than should be held at once: `next` gives some (none: that was all), and `take` gets them back.
QFuture<Result<QList<CompanionAccess::Forbidden>>>
inspectAll(Link &connection, const std::function<QList<Lock>(qsizetype most)> &next,
           const std::function<void(const QList<Lock> &locks)> &take);

/// What may not be read beside it decides how it would have to be ended: a hash may be a fair lock, a number a semaphore.
/// A token is one, whether a job holds it or not.
bool decidesHowToAct(const Lock &lock);

} // namespace companions

} // namespace lockscope
