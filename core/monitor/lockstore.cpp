// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockstore.h"

#include "core/monitor/diff.h"

#include "core/family/certainty.h"
#include "core/family/companionkeys.h"
#include "core/family/recognize.h"
#include "core/read/companionreader.h"
#include "core/state/lockstate.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// Narrows an unchanged deadline to the intersection of all readings.
void narrow(Lock &lock, const Lock &before)
{
    if (!before.deadline || !lock.deadline)
        return;
    const Deadline both{std::max(before.deadline->earliest, lock.deadline->earliest),
                        std::min(before.deadline->latest, lock.deadline->latest)};
    if (both.earliest <= both.latest)
        lock.deadline = both;
}

/// A permit may have expired before others were released.
QList<LockChange> withOwnEnds(QList<LockChange> changes, const Lock &before, qint64 wallMs)
{
    for (LockChange &change : changes) {
        const Permit *permit = change.holder && change.kind == EventKind::Released
                                   ? before.companions->permitOf(change.holder->owner)
                                   : nullptr;
        if (permit && permit->expiresAtMs && *permit->expiresAtMs <= wallMs)
            change.kind = EventKind::Expired;
    }
    return changes;
}

/// The companions without the previous queue head if it now holds the lock; new waiters are unknown until the
/// next companion read.
CompanionStatePtr withoutOwners(const CompanionStatePtr &companions, const Lock *before, const Lock &read)
{
    const Waiters &waiters = companions->waiters;
    const bool isSame = before && hasSameOwners(*before, read);
    const bool holdsNow =
        !waiters.queue.isEmpty() &&
        std::ranges::find(read.owners, waiters.queue.front().id, &LockOwner::owner) != read.owners.end();
    const bool isOld = waiters.certainty == WaiterCertainty::Exact && !isSame;
    const bool isOthersBeat = companions->heartbeat != Heartbeat() && !isSame;
    if (!holdsNow && !isOld && !isOthersBeat)
        return companions;
    CompanionState after = *companions;
    if (isOthersBeat)
        after.heartbeat = {};
    if (holdsNow) {
        after.waiters.queue.removeFirst();
        --after.waiters.count;
    }
    if (waiters.certainty == WaiterCertainty::Exact)
        after.waiters.certainty = WaiterCertainty::AtLeast;
    return CompanionStatePtr(after);
}

} // namespace

void LockStore::beginGap()
{
    ++m_generation;
    m_complete = false;
    m_beginsAnew = true;
    beginFeedGap(false);
}

void LockStore::beginFeedGap(bool isScanning)
{
    ++m_feedGaps;
    m_scansUnheard = isScanning ? 2 : 1;
}

void LockStore::endGap()
{
    m_complete = true;
    m_scansUnheard = std::max(m_scansUnheard - 1, 0);
    // Looking through all of them has to be worth it: a history may keep many whose locks went long ago.
    if (m_gone > m_owners.size() / 4) {
        m_owners.dropUnused();
        m_gone = 0;
    }
}

void LockStore::apply(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden)
{
    const How how{isPushed, wasHidden};
    if (wasHidden)
        setProblem(inspection.key, Problem::Unreadable, false);
    const auto found = m_locks.find(inspection.key);
    if (found == m_locks.end() && !inspection.lock)
        return addOrphan(inspection.key, now);
    if (!inspection.lock)
        return update(found, inspection, now, how);
    const bool isRewritten = !m_forced.isEmpty() && m_forced.takeReturn(*inspection.lock, now);
    const CompanionStatePtr companions = keptCompanions(found, *inspection.lock);
    if (companions || m_evidence.knowsMore(lockOf(found), *inspection.lock))
        keepFamily(found, *inspection.lock, companions, now, how);
    else
        update(found, inspection, now, how);
    if (isRewritten)
        setProblem(inspection.key, Problem::RewrittenByOwner, true);
}

/// Keeps the family that companions have shown: otherwise it would change with each reading.
void LockStore::keepFamily(Locks::iterator known, Lock lock, CompanionStatePtr companions, TimePoint now,
                           How how)
{
    lock.companions = std::move(companions);
    m_evidence.carryOver(lockOf(known), lock);
    refineFamily(lock);
    if (!CompanionReader::isWorthwhile(lock)) // written anew as something else: nobody would look at it again
        lock.companions = {};
    update(known, {lock.key(), std::move(lock)}, now, how);
}

const Lock *LockStore::lockOf(Locks::const_iterator known) const
{
    return known == m_locks.end() ? nullptr : &known->second.watched.lock;
}

void LockStore::update(Locks::iterator found, const Inspection &inspection, TimePoint now, How how)
{
    const bool isKnown = found != m_locks.end();
    const bool isOrphan = isKnown && found->second.isOrphan;
    KnownLock *kept = isKnown ? &found->second : nullptr;
    if (isOrphan && !inspection.lock) {
        // Its queue stands there still: what is to be seen of it does not come from its key.
    } else if (isKnown && inspection.lock && isUnchanged(found->second.watched.lock, *inspection.lock)) {
        WatchedLock &watched = found->second.watched;
        const Lock before = watched.lock;
        watched.lock.ttl = inspection.lock->ttl;
        watched.lock.deadline = inspection.lock->deadline;
        watched.lock.readAt = inspection.lock->readAt;
        narrow(watched.lock, before);
        watched.maxObservedTtl = std::max(watched.maxObservedTtl, watched.lock.ttl.value_or(0ms));
    } else {
        kept = change(found, inspection, now, how);
        if (!kept)
            return;
    }
    KnownLock &known = *kept;
    if (isKnown)
        m_order.remove(known);
    known.generation = m_generation;
    m_order.append(known, how.isPushed, now);
    m_expiries.expect(known);
}

/// Applies the changes since the last reading with their events. Null if the lock is gone.
KnownLock *LockStore::change(Locks::iterator known, const Inspection &inspection, TimePoint now, How how)
{
    const bool isKnown = known != m_locks.end() && !known->second.isOrphan;
    const std::optional<Lock> before = isKnown ? std::optional(known->second.watched.lock) : std::nullopt;
    std::optional<Lock> after = inspection.lock;
    if (after) {
        // Each reading comes with bytes of its own: those that are known already are kept instead.
        after->owners =
            before && before->owners == after->owners ? before->owners : m_owners.shared(after->owners);
        if (before)
            after->address.key = known->first;
    }
    const bool watching = !how.wasHidden && (isKnown ? known->second.generation == m_generation : m_complete);
    const QList<LockChange> changes = diffEvents(before, after, watching, now);
    // Else it happened earlier than it is seen.
    const bool isHeard = watching && (isKnown ? known->second.isPushed : how.isPushed);
    const bool isWhole = isKnown && isHeard && known->second.heardSince == m_feedGaps;
    const auto held = isWhole ? wholeHold(known->second.watched, now) : CompactOptional<milliseconds>();
    const milliseconds unseenFor = isHeard || !watching ? 0ms
                                   : !before            ? milliseconds::max()
                                             : std::chrono::duration_cast<milliseconds>(now - before->readAt);
    EventFacts facts{held, std::max(unseenFor, 0ms)};
    if (before) {
        facts.seenAt = isHeard ? std::max(before->readAt, m_heardUntil) : before->readAt;
        facts.hadLease = before->deadline.has_value();
        facts.wasRenewed = wasRenewed(known->second.watched);
        facts.possible.set(EventKind::Overwritten, inspection.isOtherType);
        facts.possible.set(EventKind::Expired, before->deadline && now >= before->deadline->earliest);
    }
    // What was ended by force was told when it was.
    const bool wasTold = before && m_forced.takeExplanation(*before, after);
    if (!after) {
        if (!wasTold)
            addEvents(before, after, changes, facts, watching, now);
        m_remnants.keep(*before, now);
        m_evidence.recordGone(*before);
        remove(known);
        return nullptr;
    }

    WatchedLock watched = watch(isKnown ? &known->second.watched : nullptr, *after, changes);
    if (before && changes.isEmpty())
        narrow(watched.lock, *before);
    const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
    nameByEvidence(watched.lock, wallMs);
    if (watched.heldSince == after->readAt)
        useStoredBegin(watched, wallMs);
    if (!wasTold)
        addEvents(before, watched.lock, changes, facts, watching, now);
    const bool isNew = known == m_locks.end();
    const bool isNewHold = !isKnown || watched.heldSince != known->second.watched.heldSince;
    const bool mayBeNext = !isNewHold && mayBeNextHold(known->second.watched, watched.lock, changes);
    KnownLock &kept = isNew ? add(std::move(watched)) : known->second;
    // A queue of which nobody was seen yet is read for the first time.
    const Waiters &waiters = after->companions->waiters;
    if (after->companions && !(before && hasSameOwners(*before, *after)))
        kept.isQueueOld = waiters.count == waiters.queue.size();
    if (isNewHold)
        kept.heardSince = isHeard && m_scansUnheard == 0 ? m_feedGaps : -1;
    else if (mayBeNext)
        kept.heardSince = -1;
    if (!isNew) {
        countHidden(kept.watched.lock, -1);
        countHidden(watched.lock, 1);
        kept.watched = std::move(watched);
        kept.isOrphan = false;
    }
    weigh(kept);
    noteCompanions(kept);
    m_diff.markChanged(kept.watched.key(), kept);
    return &kept;
}

void LockStore::weigh(KnownLock &known)
{
    qint64 bytes = known.watched.key().bytes.size();
    // As constant, or each lock would get a list of its own.
    for (const LockOwner &holder : std::as_const(known.watched.lock.owners))
        bytes += holder.owner.bytes.size() + holder.rawHoldCount.size();
    m_bytes += bytes - std::exchange(known.bytes, bytes);
}

void LockStore::endAll(EventKind how, TimePoint now)
{
    for (const auto &[key, known] : m_locks) {
        m_diff.markRemoved(key);
        const Lock &lock = known.watched.lock;
        if (known.isOrphan || isNoLock(lock)) // there was no lock
            continue;
        EventFacts facts;
        facts.wasRenewed = wasRenewed(known.watched);
        if (how == EventKind::Vanished) // and nothing but that all went at once says why
            facts.possible = {EventKind::Released, EventKind::Expired, EventKind::Evicted, EventKind::Flushed,
                              EventKind::Renamed};
        m_diff.addEvents({how}, lock, now, facts);
    }
    clear();
    m_beginsAnew = true;
    m_remnants.clear();
    m_evidence.clear();
}

/// Reports nothing about keys that look like no locks: a lock that becomes one ends, and the reverse begins.
void LockStore::addEvents(const std::optional<Lock> &before, const std::optional<Lock> &after,
                          const QList<LockChange> &changes, EventFacts facts, bool watching, TimePoint now)
{
    const bool wasLock = before && !isNoLock(*before);
    const bool isLock = after && !isNoLock(*after);
    // The same value was there before, and only now it shows, or no longer, that somebody holds it.
    const bool isSame = before && after && hasSameOwners(*before, *after);
    if (wasLock && isLock) {
        facts.possible.set(EventKind::Overwritten);
        m_diff.addEvents(withOwnEnds(changes, *before, QDateTime::currentMSecsSinceEpoch()), *after, now,
                         facts);
    } else if (isSame && wasLock) {
        m_diff.addEvents({EventKind::Vanished}, *before, now, {facts.held, facts.unseenFor});
    } else if (wasLock) {
        if (after)
            facts.possible.set(EventKind::Overwritten);
        m_diff.addEvents(diffEvents(before, std::nullopt, watching, now), *before, now, facts);
    } else if (isLock) {
        m_diff.addEvents(isSame ? QList<LockChange>{EventKind::Found}
                                : diffEvents(std::nullopt, after, watching, now),
                         *after, now, {{}, facts.unseenFor});
        m_diff.addEvents(isSame ? changes : QList<LockChange>(), *after, now);
    }
}

KnownLock &LockStore::add(WatchedLock watched)
{
    const LockKey key = watched.key();
    countHidden(watched.lock, 1);
    return m_locks.emplace(key, KnownLock{.watched = std::move(watched), .readAt = {}}).first->second;
}

void LockStore::remove(Locks::iterator known)
{
    m_diff.markRemoved(known->first);
    drop(known);
}

void LockStore::drop(Locks::iterator known)
{
    countHidden(known->second.watched.lock, -1);
    m_order.remove(known->second);
    m_bytes -= known->second.bytes;
    if (known->second.isWalked)
        m_walked.erase(known->first);
    ++m_gone;
    m_locks.erase(known);
}

bool LockStore::takeOver(const MigratedLock &handed)
{
    if (m_locks.contains(handed.watched.key()))
        return false;
    KnownLock &known = add(handed.watched);
    weigh(known);
    noteCompanions(known);
    known.isOrphan = handed.isOrphan;
    known.generation = m_generation;
    m_order.append(known, false, handed.watched.lock.readAt);
    m_expiries.expect(known);
    return true;
}

void LockStore::countHidden(const Lock &lock, int sign)
{
    if (isNoLock(lock))
        m_hidden += sign;
}

void LockStore::forget(const LockKey &key)
{
    if (const auto known = m_locks.find(key); known != m_locks.end())
        remove(known);
}

const WatchedLock *LockStore::find(const LockKey &key) const
{
    const auto found = m_locks.find(key);
    return found == m_locks.end() ? nullptr : &found->second.watched;
}

bool LockStore::isIdle(const LockKey &key) const
{
    const auto found = m_hidden > 0 ? m_locks.find(key) : m_locks.end();
    return found != m_locks.end() && found->second.isIdle;
}

QList<LockKey> LockStore::keys() const
{
    QList<LockKey> keys;
    keys.reserve(size());
    for (const auto &[key, known] : m_locks)
        keys.append(key);
    return keys;
}

/// The companions that a reading of the key does not change.
CompanionStatePtr LockStore::keptCompanions(Locks::const_iterator known, const Lock &read)
{
    const Lock *before = lockOf(known);
    return withoutOwners(before ? before->companions : m_remnants.takeState(read.key()), before, read);
}

void LockStore::setProblem(const LockKey &key, Problem problem, bool on)
{
    const auto found = m_locks.find(key);
    if (found == m_locks.end() || on == bool(found->second.watched.watchedProblems & quint16(problem)))
        return;
    found->second.watched.setProblem(problem, on);
    m_diff.markChanged(found->first, found->second);
}

void LockStore::recordForceExpire(const LockKey &key, const QList<LockOwner> &ended, TimePoint now)
{
    m_forced.record(key, ended, now);
    const auto known = m_locks.find(key);
    if (known == m_locks.end() || known->second.isOrphan)
        return;
    const Lock &lock = known->second.watched.lock;
    QList<LockOwner> owners = lock.owners; // as they were seen: whoever ends a lock may not say its holds
    owners.removeIf([&](const LockOwner &holder) { return !isAmong(ended, holder); });
    m_diff.addEvent({EventKind::Forced, lock.address, lock.family, owners.isEmpty() ? ended : owners,
                     CompactOptional<milliseconds>(), now, QDateTime::currentMSecsSinceEpoch()});
}

} // namespace lockscope
