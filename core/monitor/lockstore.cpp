// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockstore.h"

#include "core/monitor/diff.h"

#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/read/companionquery.h"
#include "core/read/companionreader.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto afterEnd = 1ms;
constexpr size_t fewEnds = 1024;

/// An unchanged lease is known better with each reading: its end lies where all readings agree.
void narrow(Lock &lock, const Lock &before)
{
    if (!before.deadline || !lock.deadline)
        return;
    const Deadline both{std::max(before.deadline->earliest, lock.deadline->earliest),
                        std::min(before.deadline->latest, lock.deadline->latest)};
    if (both.earliest <= both.latest)
        lock.deadline = both;
}

/// A permit's own time may have been up before others gave theirs back.
QList<LockChange> withOwnEnds(QList<LockChange> changes, const Lock &before, qint64 wallMs)
{
    for (LockChange &change : changes) {
        const Permit *permit = change.holder && change.kind == EventKind::Released
                                   ? before.beside->permitOf(change.holder->owner)
                                   : nullptr;
        if (permit && permit->expiresAtMs && *permit->expiresAtMs <= wallMs)
            change.kind = EventKind::Expired;
    }
    return changes;
}

int othersThan(const LockOwner &holder, const Lock &lock)
{
    return static_cast<int>(std::ranges::count_if(
        lock.owners, [&](const LockOwner &other) { return other.owner != holder.owner; }));
}

} // namespace

void LockStore::ReadOrder::append(Known &known)
{
    known.older = newest;
    known.newer = nullptr;
    (newest ? newest->newer : oldest) = &known;
    newest = &known;
}

void LockStore::ReadOrder::remove(Known &known)
{
    (known.older ? known.older->newer : oldest) = known.newer;
    (known.newer ? known.newer->older : newest) = known.older;
}

void LockStore::beginGap()
{
    ++m_generation;
    m_complete = false;
}

void LockStore::endGap()
{
    m_complete = true;
    // It comes after each sweep, too: many locks with their owners may have gone since the one before.
    if (m_owners.size() > 2 * size())
        m_owners.dropUnused();
}

void LockStore::apply(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden)
{
    const How how{isPushed, wasHidden};
    if (wasHidden)
        setProblem(inspection.key, Problem::Unreadable, false);
    const auto found = m_locks.find(inspection.key);
    if (found == m_locks.end() && !inspection.lock)
        return confirmLeft(inspection.key, now);
    if (!inspection.lock)
        return take(found, inspection, now, how);
    const bool cameBack = !m_forced.isEmpty() && isReturn(*inspection.lock, now);
    const CompanionStatePtr beside = keptBeside(found, *inspection.lock);
    if (beside || isLearned(found, *inspection.lock)) {
        // It stands there still, as far as we know: else a lock would be of another kind after each reading.
        Lock lock = *inspection.lock;
        lock.beside = beside;
        keepEvidence(found, lock);
        refineFamily(lock);
        if (!CompanionReader::isWorthwhile(
                lock)) // written anew as something else: nobody would look at it again
            lock.beside = {};
        take(found, {inspection.key, std::move(lock)}, now, how);
    } else {
        take(found, inspection, now, how);
    }
    if (cameBack)
        setProblem(inspection.key, Problem::RewrittenByOwner, true);
}

void LockStore::take(Locks::iterator found, const Inspection &inspection, TimePoint now, How how)
{
    const bool isKnown = found != m_locks.end();
    const bool isOrphan = isKnown && found->second.isOrphan;
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
        change(found, inspection, now, how);
        if (!inspection.lock)
            return;
        if (!isKnown)
            found = m_locks.find(inspection.key);
    }
    Known &known = found->second;
    if (isKnown)
        readOrderOf(known).remove(known);
    known.generation = m_generation;
    known.turnAt = now;
    known.isPushed = how.isPushed;
    readOrderOf(known).append(known);
    expectEnd(known);
}

/// What happened since the reading before, with its events.
void LockStore::change(Locks::iterator known, const Inspection &inspection, TimePoint now, How how)
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
    // What was ended by force was told when it was.
    const bool wasTold = before && isForcedEnd(*before, after);
    if (!after) {
        if (!wasTold)
            tell(before, after, changes, watching, now);
        leaveBeside(*before, now);
        leaveHidden(*before);
        return remove(known);
    }

    WatchedLock watched = watch(isKnown ? &known->second.watched : nullptr, *after, changes);
    if (before && changes.isEmpty())
        narrow(watched.lock, *before);
    nameByEvidence(watched.lock, QDateTime::currentMSecsSinceEpoch());
    if (!wasTold)
        tell(before, watched.lock, changes, watching, now);
    const LockKey key = after->key();
    m_removed.remove(key);
    m_changed.insert(key);
    if (known != m_locks.end()) {
        countHidden(known->second.watched.lock, -1);
        countHidden(watched.lock, 1);
        known->second.watched = std::move(watched);
        known->second.isOrphan = false;
        weigh(known->second);
    } else {
        weigh(add(std::move(watched)));
    }
}

void LockStore::weigh(Known &known)
{
    qint64 bytes = known.watched.key().bytes.size();
    // As constant, or each lock would get a list of its own.
    for (const LockOwner &holder : std::as_const(known.watched.lock.owners))
        bytes += holder.owner.bytes.size() + holder.rawHoldCount.size();
    m_bytes += bytes - std::exchange(known.bytes, bytes);
}

void LockStore::vanishAll(TimePoint now)
{
    for (const auto &[key, known] : m_locks) {
        m_removed.insert(key);
        const Lock &lock = known.watched.lock;
        if (known.isOrphan || isHidden(lock)) // there was no lock
            continue;
        addEvents({EventKind::Vanished}, lock, now);
    }
    m_changed.clear();
    m_locks.clear();
    m_pushed = m_polled = {};
    m_ends = {};
    m_bytes = 0;
    m_hidden = 0;
    m_left.clear();
    m_doubted.clear();
    m_goneHidden.clear();
}

/// Of what looks like no lock nothing is told: where a lock becomes that, this is its end, and where it was that, its
/// beginning.
void LockStore::tell(const std::optional<Lock> &before, const std::optional<Lock> &after,
                     const QList<LockChange> &changes, bool watching, TimePoint now)
{
    const bool wasLock = before && !isHidden(*before);
    const bool isLock = after && !isHidden(*after);
    // The same value was there before, and only now it shows, or no longer, that somebody holds it.
    const bool isSame =
        before && after && before->type == after->type &&
        std::ranges::equal(before->owners, after->owners, {}, &LockOwner::owner, &LockOwner::owner);
    if (wasLock && isLock) {
        addEvents(withOwnEnds(changes, *before, QDateTime::currentMSecsSinceEpoch()), *after, now);
    } else if (wasLock) {
        addEvents(isSame ? QList<LockChange>{EventKind::Vanished}
                         : diffEvents(before, std::nullopt, watching, now),
                  *before, now);
    } else if (isLock) {
        addEvents(isSame ? QList<LockChange>{EventKind::Found}
                         : diffEvents(std::nullopt, after, watching, now),
                  *after, now);
        addEvents(isSame ? changes : QList<LockChange>(), *after, now);
    }
}

void LockStore::addEvents(const QList<LockChange> &changes, const Lock &lock, TimePoint now)
{
    const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
    for (const auto &[kind, holder] : changes) {
        const bool isGone =
            kind == EventKind::Released || kind == EventKind::Expired || kind == EventKind::Vanished;
        m_vanished += kind == EventKind::Vanished ? 1 : 0;
        m_events.append({kind, lock.address, lock.family, holder ? QList<LockOwner>{*holder} : lock.owners,
                         isGone ? CompactOptional<milliseconds>() : lock.ttl, now, wallMs,
                         holder ? othersThan(*holder, lock) : 0});
    }
}

LockStore::Known &LockStore::add(WatchedLock watched)
{
    const LockKey key = watched.key();
    countHidden(watched.lock, 1);
    return m_locks.emplace(key, Known{.watched = std::move(watched), .turnAt = {}}).first->second;
}

void LockStore::remove(Locks::iterator known)
{
    m_changed.remove(known->first);
    m_removed.insert(known->first);
    countHidden(known->second.watched.lock, -1);
    readOrderOf(known->second).remove(known->second);
    m_bytes -= known->second.bytes;
    m_locks.erase(known);
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

QList<LockKey> LockStore::keys() const
{
    QList<LockKey> keys;
    keys.reserve(size());
    for (const auto &[key, known] : m_locks)
        keys.append(key);
    return keys;
}

LockDiff LockStore::takeChanges()
{
    LockDiff diff;
    diff.changed.reserve(m_changed.size());
    for (const LockKey &key : std::as_const(m_changed)) {
        diff.changed.append(*find(key));
        if (Lock &lock = diff.changed.last().lock; isHidden(lock) && !besides::isCounter(lock))
            lock.owners.clear(); // kept in case it is a lock after all; a document holds nothing
    }
    diff.removed = m_removed.values();
    diff.events = std::exchange(m_events, {});
    m_changed.clear();
    m_removed.clear();
    return diff;
}

void LockStore::sortTurns()
{
    std::vector<Known *> all;
    all.reserve(m_locks.size());
    for (auto &[key, known] : m_locks)
        all.push_back(&known);
    std::ranges::sort(all, {}, &Known::turnAt);
    m_pushed = m_polled = {};
    for (Known *known : all)
        readOrderOf(*known).append(*known);
}

std::optional<TimePoint> LockStore::oldestAsked() const
{
    return m_polled.oldest ? std::optional(m_polled.oldest->turnAt) : std::nullopt;
}

std::optional<TimePoint> LockStore::oldest() const
{
    const auto asked = oldestAsked();
    if (!m_pushed.oldest)
        return asked;
    return std::min(m_pushed.oldest->turnAt, asked.value_or(TimePoint::max()));
}

void LockStore::take(ReadOrder &turns, TimePoint before, TimePoint now, qsizetype most, QList<LockKey> &into)
{
    while (turns.oldest && turns.oldest->turnAt <= before && into.size() < most) {
        Known &known = *turns.oldest;
        into.append(known.watched.key());
        turns.remove(known);
        known.turnAt = now;
        turns.append(known);
    }
}

QList<LockKey> LockStore::takeAsked(TimePoint before, TimePoint now, qsizetype most)
{
    QList<LockKey> keys;
    take(m_polled, before, now, most, keys);
    return keys;
}

QList<LockKey> LockStore::take(TimePoint before, TimePoint now, qsizetype most)
{
    QList<LockKey> keys;
    take(m_pushed, before, now, most, keys);
    take(m_polled, before, now, most, keys);
    return keys;
}

/// A later end needs nothing: when the earlier moment comes, it is found out.
void LockStore::expectEnd(Known &known)
{
    const CompactOptional<Deadline> &deadline = known.watched.lock.deadline;
    if (!deadline) {
        known.endAt = TimePoint::max();
        return;
    }
    const TimePoint end = deadline->latest + afterEnd;
    if (known.endAt <= end + 2 * afterEnd && known.endAt != TimePoint::max())
        return;
    known.endAt = end;
    m_ends.push({end, known.watched.key()});
    if (m_ends.size() < 2 * m_locks.size() + fewEnds)
        return;
    std::vector<End> current;
    current.reserve(m_locks.size());
    for (const auto &[key, lock] : m_locks) {
        if (lock.endAt != TimePoint::max())
            current.emplace_back(lock.endAt, key);
    }
    m_ends = decltype(m_ends)(std::greater<>(), std::move(current));
}

void LockStore::dropStaleEnds()
{
    while (!m_ends.empty()) {
        const auto &[at, key] = m_ends.top();
        const auto found = m_locks.find(key);
        if (found == m_locks.end() || found->second.endAt != at) {
            m_ends.pop();
            continue;
        }
        Known &known = found->second;
        const TimePoint end = known.watched.lock.deadline->latest + afterEnd;
        if (end <= at)
            return;
        m_ends.pop();
        known.endAt = end;
        m_ends.push({end, known.watched.key()});
    }
}

std::optional<TimePoint> LockStore::nextEnd()
{
    dropStaleEnds();
    return m_ends.empty() ? std::nullopt : std::optional(m_ends.top().first);
}

QList<LockKey> LockStore::takeEnded(TimePoint now, qsizetype most)
{
    QList<LockKey> keys;
    for (dropStaleEnds(); keys.size() < most && !m_ends.empty() && m_ends.top().first <= now;
         dropStaleEnds()) {
        keys.append(m_ends.top().second);
        m_locks.find(keys.last())->second.endAt = TimePoint::max();
        m_ends.pop();
    }
    return keys;
}

} // namespace lockscope
