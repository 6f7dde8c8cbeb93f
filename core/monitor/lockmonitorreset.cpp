// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitorloop.h"
#include "core/redis/whendone.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr qint64 maxKeysAtFullSpeed = 1'000'000; // keys; more are swept within the budget after a flush too

} // namespace

/// Of what looks like no lock nothing is told.
ResetWatch::Locks LockMonitor::Private::knownLocks() const
{
    return {locks.size() - locks.hidden(), locks.vanished()};
}

/// Whether it was our database that was flushed.
void LockMonitor::Private::countKeys()
{
    if (keeps || locks.size() == 0 || !counting.admits(Clock::now()))
        return;
    whenDone(this, connection.send({"DBSIZE"}),
             [this, asking = inFlight.generation()](const Result<Reply> &size) {
                 if (asking != inFlight.generation() || !size || !size->isInteger())
                     return; // the scan finds it out
                 applyKeyCount(size->integer, Clock::now());
                 step();
             });
}

void LockMonitor::Private::tellReset(ServerReset reset)
{
    if (reset.cause == ServerReset::Cause::Failover) {
        reset.from = takenOverFrom;
        reset.to = connection.address().toDisplayString();
    }
    emit q->told(reset);
}

/// True where what was read before is not true any more.
bool LockMonitor::Private::applyKeyCount(qint64 keys, TimePoint now)
{
    if (keeps) // keys come and go with their slots, and those that move are elsewhere already
        return false;
    switch (resets.counted(keys, knownLocks(), now)) {
    case ResetWatch::Finding::Nothing:
        return false;
    case ResetWatch::Finding::Empty: {
        const ServerReset reset = resets.claim(knownLocks(), now);
        locks.vanishAll(now);
        tellReset(reset);
        flush();
        return true;
    }
    case ResetWatch::Finding::Shrunk:
        break;
    }
    locks.beginGap(); // what is not met has vanished, by whatever cause
    dropScan();
    schedule.requestScan();
    if (keys <= maxKeysAtFullSpeed)
        schedule.requestFullSpeed();
    return true;
}

/// True where databases were swapped: nobody has released what is not met any more, or acquired what is.
bool LockMonitor::Private::applySwaps(const Reply &stats)
{
    if (stats.isError() || !swaps.happened(stats.text))
        return false;
    methods.forgetAnnounced();
    resets.swapped(knownLocks());
    locks.beginGap();
    dropScan();
    scanAgain(true);
    countKeys();
    return true;
}

} // namespace lockscope
