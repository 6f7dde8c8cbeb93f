// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitorloop.h"
#include "core/redis/whendone.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto countEvery = 100ms;        // the keys, whoever says how often that everything is gone
constexpr qint64 sweptAtOnce = 1'000'000; // keys; more are swept within the budget after a flush too

} // namespace

/// Of what looks like no lock nothing is told.
ResetWatch::Locks LockMonitor::Private::knownLocks() const
{
    return {locks.size() - locks.hidden(), locks.vanished()};
}

/// Whether it was our database that was flushed.
void LockMonitor::Private::countKeys()
{
    if (countTimer.isActive() || locks.size() == 0)
        return;
    const auto since = Clock::now() - countedAt;
    if (since < countEvery)
        return countTimer.start(std::chrono::ceil<milliseconds>(countEvery - since));
    countedAt = Clock::now();
    whenDone(this, connection.send({"DBSIZE"}), [this, asking = generation](const Result<Reply> &size) {
        if (asking != generation || !size || !size->isInteger())
            return; // the sweep finds it out
        takeKeyspace(size->integer, Clock::now());
        step();
    });
}

/// True where what was read before is not true any more.
bool LockMonitor::Private::takeKeyspace(qint64 keys, TimePoint now)
{
    switch (resets.counted(keys, knownLocks(), now)) {
    case ResetWatch::Finding::Nothing:
        return false;
    case ResetWatch::Finding::Empty: {
        const ServerReset reset = resets.claim(knownLocks(), now);
        locks.vanishAll(now);
        emit q->serverReset(reset);
        flush();
        return true;
    }
    case ResetWatch::Finding::Shrunk:
        break;
    }
    locks.beginGap(); // what is not met has vanished, by whatever cause
    dropSweep();
    schedule.requestScan();
    if (keys <= sweptAtOnce)
        schedule.requestFullSpeed();
    return true;
}

/// True where databases were swapped: nobody has released what is not met any more, or acquired what is.
bool LockMonitor::Private::takeSwaps(const Reply &stats)
{
    if (stats.isError() || !swaps.happened(stats.text))
        return false;
    absent.clear();
    resets.swapped(knownLocks());
    locks.beginGap();
    dropSweep();
    sweepAgain(true);
    countKeys();
    return true;
}

} // namespace lockscope
