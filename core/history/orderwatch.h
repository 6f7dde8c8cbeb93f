// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockorder.h"
#include "core/model/lockevent.h"
#include "core/model/monitorevent.h"

#include <QHash>
#include <QList>
#include <QSet>

#include <utility>
#include <vector>

namespace lockscope {

/// Two threads that acquired two locks in opposite order. They deadlock when they meet.
struct Inversion
{
    LockKey first;
    LockKey second;
    QList<LockOwner> owners; ///< of `first` then `second`, and of the other way round
};

/// Finds inversions while locks change: each pair of locks is told once. As lockOrdersIn() finds them, but of two
/// locks, and sure ones alone: both locks were seen together for OrderCycle::sureMs, on both sides. Bounded: orders
/// beyond maxOrders are not seen.
class OrderWatch
{
public:
    static constexpr qsizetype maxOrders = 20'000;

    QList<Inversion> take(const LockDiff &diff, TimePoint now);
    /// When changes may have been missed, what is held is as if found. Orders stay.
    void take(MonitorEventKind moment);

private:
    /// A hold of a thread, or its wait and the hold that followed.
    struct Stay
    {
        LockKey lock;
        OwnerId owner;
        TimePoint since;
        bool isHold = false;
        bool isShared = false; ///< several may hold it: no gate
        QList<LockKey> around; ///< held when it began
        QList<LockKey> gates;  ///< those of them that one thread alone may hold
        QSet<LockKey> ordered; ///< outer locks whose order was noted
    };
    /// How an order was seen.
    struct Way
    {
        QList<LockKey> gates;
        QByteArray thread;
        OwnerId owner;
    };
    using Pair = std::pair<LockKey, LockKey>;

    void takeLock(const WatchedLock &lock, const LockEvent *begin, TimePoint now);
    void begin(const QByteArray &thread, Stay stay, TimePoint sureFrom, bool isSeen);
    void end(const QByteArray &thread, const LockKey &lock, TimePoint at);
    void note(const QByteArray &thread, const LockKey &outer, Stay &inner, TimePoint at);
    void compare(const Pair &order, const Way &way);

    QHash<QByteArray, std::vector<Stay>> m_stays;  ///< by thread
    QHash<LockKey, QList<QByteArray>> m_threadsOf; ///< that hold it or wait
    QHash<Pair, std::vector<Way>> m_orders;        ///< outer and inner lock
    QSet<Pair> m_told;
    QList<Inversion> m_found;
};

} // namespace lockscope
