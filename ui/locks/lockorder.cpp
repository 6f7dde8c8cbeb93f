// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockorder.h"

#include "core/state/damage.h"
#include "core/state/lockstate.h"
#include "ui/locks/waitindex.h"

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

/// Keeps the order of moments in an unsigned number.
quint64 ordered(TimePoint at)
{
    return static_cast<quint64>(at.time_since_epoch().count()) ^ (quint64(1) << 63);
}

QByteArrayView firstOwner(const WatchedLock &lock)
{
    return lock.lock.owners.isEmpty() ? QByteArrayView()
                                      : QByteArrayView(lock.lock.owners.first().owner.bytes);
}

/// "At least three" may be more than three.
quint64 rankOf(qint64 count, bool isExact)
{
    return 1 + 2 * static_cast<quint64>(std::max<qint64>(count, 0)) + (!isExact && count > 0 ? 1 : 0);
}

} // namespace

quint64 LockOrder::rank(const WatchedLock &lock) const
{
    switch (m_column) {
    case LockColumn::State:
        return damageRank(lock, m_moment);
    case LockColumn::Key:
    case LockColumn::Owner:
        return 0;
    case LockColumn::Family:
        return static_cast<quint64>(lock.lock.family.index());
    case LockColumn::Holds: {
        const QList<LockOwner> &owners = lock.lock.owners;
        return owners.isEmpty() ? 0 : static_cast<quint64>(owners.first().holdCount.value_or(0));
    }
    case LockColumn::Waiters: {
        const Waiters &waiters = lock.lock.beside->waiters;
        return waiters.certainty == WaiterCertainty::Unknown
                   ? 0
                   : rankOf(waiters.count, waiters.certainty == WaiterCertainty::Exact);
    }
    case LockColumn::Blocks: {
        const Waiters &waiters = lock.lock.beside->waiters;
        if (waiters.certainty == WaiterCertainty::Unknown || !m_waits)
            return 0;
        if (waiters.count <= 0)
            return 1;
        const BlockedWaiters blocked = m_waits->blockedBy(lock.lock);
        return rankOf(blocked.count, blocked.isExact);
    }
    case LockColumn::WaitsFor:
        return m_waits ? static_cast<quint64>(m_waits->waitsFor(lock.lock)) : 0;
    case LockColumn::Ttl:
        return lock.lock.deadline ? ordered(lock.lock.deadline->latest) : std::numeric_limits<quint64>::max();
    case LockColumn::Held:
        return ~ordered(lock.heldSince);
    case LockColumn::Node: // which stand in the order of their addresses
        if (lock.lock.quorum)
            return static_cast<quint64>(lock.lock.quorum->agreeing);
        return m_keepers
                   ? static_cast<quint64>((*m_keepers)[static_cast<size_t>(slotOf(lock.key().bytes))] + 1)
                   : 0;
    case LockColumn::Problem:
        return static_cast<quint64>(lock.problems().toInt()) * 4 + (m_moment > stalledAfter(lock) ? 2 : 0) +
               (isUnusuallyLong(lock, m_moment) ? 1 : 0);
    }
    return 0;
}

bool LockOrder::isBefore(const WatchedLock &a, const WatchedLock &b) const
{
    if (m_column == LockColumn::Owner) {
        if (const int owners = firstOwner(a).compare(firstOwner(b)); owners != 0)
            return (owners < 0) == isAscending();
    }
    const int keys = a.key().bytes.compare(b.key().bytes);
    return m_column == LockColumn::Key && !isAscending() ? keys > 0 : keys < 0;
}

bool LockOrder::isSame(const WatchedLock &before, const WatchedLock &after) const
{
    return rank(before) == rank(after) &&
           (m_column != LockColumn::Owner || firstOwner(before) == firstOwner(after));
}

} // namespace lockscope
