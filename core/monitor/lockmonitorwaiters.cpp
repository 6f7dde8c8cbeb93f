// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitorloop.h"
#include "core/redis/whendone.h"

namespace lockscope {

using namespace std::chrono_literals;

void LockMonitor::Private::sendWaiters(TimePoint now)
{
    const CommandBatch commands = waiters.ask(now);
    reportDeadlocks();
    if (commands.isEmpty())
        return;
    inFlight.sent(dataAsOf(now));
    whenDone(this, connection.send(commands),
             [this, now, asking = inFlight.generation()](const Result<std::vector<Reply>> &replies) {
                 applyWaiters(replies, now, asking);
             });
}

void LockMonitor::Private::applyWaiters(const Result<std::vector<Reply>> &replies, TimePoint sentAt,
                                        int generation)
{
    if (generation != inFlight.generation())
        return; // begin() has begun anew
    const TimePoint receivedAt = Clock::now();
    inFlight.answered();
    if (!replies) // the connection's own signal follows
        return waiters.lost(connection.lastError().kind == ErrorKind::ProtocolError);
    load.chargeWaiters(waiters.weight(), share(), sentAt, receivedAt);
    if (const Result<void> taken = waiters.take(*replies, sentAt, receivedAt); !taken)
        refuse(taken.error());
    updateCompanionPermissions(receivedAt);
    for (const LockKey &key : locks.takeSuspectedOrphans())
        pending.add(key, receivedAt);
    reportDeadlocks();
    confirm(receivedAt);
    if (inFlight.isEmpty() && isConnected())
        wake.start(0ms);
}

void LockMonitor::Private::reportDeadlocks()
{
    if (const auto waits = waiters.takeWaits())
        emit q->waitsSeen(*waits);
    if (const auto deadlocks = waiters.takeDeadlocks()) {
        flush(); // the locks say so themselves: not after it
        emit q->told(*deadlocks);
    }
    flushSoon();
}

} // namespace lockscope
