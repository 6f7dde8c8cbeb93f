// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockmonitorloop.h"
#include "core/redis/whendone.h"
#include "core/text/words.h"

#include <QCoreApplication>

#include <limits>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::sweep)
};

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
    nextSweep = {};
    fullSpeed = fullSpeed || keys <= sweptAtOnce;
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

/// SCAN gives every key that is there from the beginning of a pass to its end.
void LockMonitor::Private::dropUnmet(TimePoint now)
{
    const auto all = std::numeric_limits<qsizetype>::max();
    for (const LockKey &key : locks.take(sweep->startedAt(), now, all)) {
        if (!permissions.isKnown(key)) // which are not read: the pass tells of them when it is through
            store({key, std::nullopt}, now, isTold({key}));
    }
}

/// What a sweep has found that can't be finished is kept; the rest is not known.
void LockMonitor::Private::failSweep(const Error &why, TimePoint now)
{
    dropSweep();
    fullSpeed = false;
    sweptOnce = sweptOnce || why.kind == ErrorKind::TooManyLocks; // what is held is kept up to date
    backoff.failed(now);
    flush();
    emit q->troubled(why);
}

/// A server without end must not fill our memory.
bool LockMonitor::Private::isFull() const
{
    return locks.size() >= options.mostLocks || locks.bytes() >= options.mostBytes;
}

Error LockMonitor::Private::tooMany() const
{
    return {ErrorKind::TooManyLocks,
            tr("%1 locks are held, and no more").arg(grouped(locks.size())).toUtf8()};
}

} // namespace lockscope
