// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/crashaftermath.h"

#include "core/family/ownergroup.h"

#include <algorithm>

namespace lockscope {

namespace {

enum class HoldEnd : quint8 { Unknown, Expires, Never };

struct HoldFate
{
    HoldEnd end = HoldEnd::Unknown;
    TimePoint latest{};
};

HoldFate fateOfKey(const WatchedLock &watched)
{
    const Lock &lock = watched.lock;
    const bool isOpen = watched.problems().testFlag(Problem::Unreadable) ||
                        lock.leaseOf == LeaseOf::Unknown || (lock.quorum && !lock.quorum->isHeld);
    if (isOpen)
        return {};
    return lock.deadline ? HoldFate{HoldEnd::Expires, lock.deadline->latest} : HoldFate{HoldEnd::Never};
}

/// The fate of a permit, which expires independently of others.
HoldFate fateOfPermit(const Permit &permit, TimePoint now, qint64 wallMs)
{
    if (!permit.expiresAtMs)
        return {HoldEnd::Never};
    const milliseconds left(std::clamp<qint64>(*permit.expiresAtMs - wallMs, -Deadline::horizon.count(),
                                               Deadline::horizon.count()));
    return {HoldEnd::Expires, now + left};
}

HoldFate later(const HoldFate &a, const HoldFate &b)
{
    if (a.end == HoldEnd::Unknown || b.end == HoldEnd::Unknown)
        return {};
    if (a.end == HoldEnd::Never || b.end == HoldEnd::Never)
        return {HoldEnd::Never};
    return {HoldEnd::Expires, std::max(a.latest, b.latest)};
}

void addFate(CrashAftermath::Fates &fates, const HoldFate &fate)
{
    if (fate.end == HoldEnd::Expires)
        fates.expiring.add(fate.latest);
    else
        ++(fate.end == HoldEnd::Never ? fates.endless : fates.unknown);
}

} // namespace

void CrashAftermath::add(const WatchedLock &watched, const IsTheirs &isTheirs)
{
    const Lock &lock = watched.lock;
    qsizetype theirs = 0;
    std::optional<HoldFate> ofPermits;
    bool havePermits = true;
    for (const LockOwner &holder : lock.owners) {
        if (!isTheirs(lock, holder.owner))
            continue;
        ++theirs;
        const Permit *permit = lock.companions->permitOf(holder.owner);
        havePermits &= permit != nullptr;
        if (permit) {
            const HoldFate fate = fateOfPermit(*permit, m_now, m_wallMs);
            ofPermits = ofPermits ? later(*ofPermits, fate) : fate;
        }
    }
    if (theirs > 0 && mayHaveOtherHolders(lock, theirs)) {
        // What others renew stays, and their part of it, too: only a permit is known to end by itself.
        addFate(m_shared, havePermits && ofPermits ? *ofPermits : HoldFate());
    } else if (theirs > 0) {
        const HoldFate fate = fateOfKey(watched);
        addFate(m_own, fate);
        if (fate.end == HoldEnd::Never && m_endless.size() < maxNamed)
            m_endless.append(lock.key());
        if (addWaiting(lock, isTheirs))
            addFate(m_waitedFor, fate);
    }
    addPlaces(lock, isTheirs);
}

/// True: waiters other than the owners are known.
bool CrashAftermath::addWaiting(const Lock &lock, const IsTheirs &isTheirs)
{
    const Waiters &waiters = lock.companions->waiters;
    qint64 named = 0;
    for (const Waiter &waiter : waiters.queue) {
        if (!isTheirs(lock, waiter.id))
            ++(waiter.isDead ? m_waiting.dead : named);
    }
    m_waiting.named += named;
    const qint64 others = std::max<qint64>(waiters.count - waiters.queue.size(), 0);
    if (waiters.certainty == WaiterCertainty::AtLeast)
        m_waiting.subscribed += others;
    m_waiting.isUnknown |= waiters.certainty != WaiterCertainty::Exact || others > 0;
    return named + others > 0;
}

/// Adds the owners' places in the queue, whoever holds the lock.
void CrashAftermath::addPlaces(const Lock &lock, const IsTheirs &isTheirs)
{
    bool isBehind = false;
    for (const Waiter &waiter : lock.companions->waiters.queue) {
        if (!isTheirs(lock, waiter.id)) {
            m_heldUp += isBehind && !waiter.isDead;
            continue;
        }
        isBehind = true;
        ++m_deadPlaces;
        m_isSkipUnknown |= !waiter.timeoutAtMs;
        m_skippedFromMs = std::max(m_skippedFromMs, waiter.timeoutAtMs.value_or(0));
    }
}

CompactOptional<qint64> CrashAftermath::skippedFromMs() const
{
    return m_deadPlaces == 0 || m_isSkipUnknown ? CompactOptional<qint64>() : m_skippedFromMs;
}

} // namespace lockscope
