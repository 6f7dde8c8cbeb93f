// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitorloop.h"
#include "core/redis/whendone.h"

namespace lockscope {

using namespace std::chrono_literals;

void LockMonitor::Private::askWaiters(TimePoint now)
{
    const CommandBatch commands = waiters.ask(now);
    tellWaiters();
    if (commands.isEmpty())
        return;
    overlaps = false;
    askedAsOf = asOf(now);
    ++inFlight;
    whenDone(this, connection.send(commands),
             [this, now, asking = generation](const Result<std::vector<Reply>> &replies) {
                 takeWaiters(replies, now, asking);
             });
}

void LockMonitor::Private::takeWaiters(const Result<std::vector<Reply>> &replies, TimePoint asked,
                                       int ofGeneration)
{
    if (ofGeneration != generation)
        return; // begin() has begun anew
    const TimePoint heard = Clock::now();
    --inFlight;
    if (!replies) // the connection's own signal follows
        return waiters.lost(connection.lastError().kind == ErrorKind::ProtocolError);
    budget.chargeSweep(budget.costLike(waiters.weight()), waiters.weight(), 0, share(), asked);
    lastHeard = heard;
    ownTimeThen = Budget::ownTime();
    if (const Result<void> taken = waiters.take(*replies, asked, heard); !taken)
        refuse(taken.error());
    takeWaiterPermissions(heard);
    for (const LockKey &key : locks.takeSuspectedOrphans())
        hints.add(key, heard);
    tellWaiters();
    tellConfirmed(heard);
    if (inFlight == 0 && isConnected())
        wake.start(0ms);
}

void LockMonitor::Private::tellWaiters()
{
    if (const auto deadlocks = waiters.takeDeadlocks()) {
        flush(); // the locks say so themselves: not after it
        emit q->deadlocksChanged(*deadlocks);
    }
    tellSoon();
}

} // namespace lockscope
