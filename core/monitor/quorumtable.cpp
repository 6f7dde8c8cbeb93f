// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/quorumtable.h"

#include "core/family/certainty.h"
#include "core/model/quorummerge.h"
#include "core/monitor/diff.h"

#include <QDateTime>
#include <QHash>
#include <QVarLengthArray>

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// Servers are renewed one after another: the majority's expiry moves in small steps.
constexpr auto renewalStep = 50ms;

void addEvent(LockDiff &diff, EventKind kind, const Lock &lock, const QList<LockOwner> &owners, TimePoint now)
{
    diff.events.append({kind, lock.address, lock.family, owners,
                        isEnd(kind) ? CompactOptional<milliseconds>() : lock.ttl, now,
                        QDateTime::currentMSecsSinceEpoch()});
}

/// The kind of end, by the server that ended the majority.
EventKind endOf(const QList<EventKind> &told)
{
    const auto end = std::ranges::find_if(told, &isEnd);
    return told.contains(EventKind::Forced) ? EventKind::Forced
           : end == told.end()              ? EventKind::Vanished
                                            : *end;
}

bool isSmallStep(const Lock &before, const Lock &after)
{
    if (!before.deadline || !after.deadline)
        return false;
    const auto moved = after.deadline->earliest - before.deadline->earliest;
    return moved < renewalStep && moved > -renewalStep;
}

} // namespace

WatchedLock *QuorumTable::Entry::at(qsizetype server)
{
    const auto found = std::ranges::find(members, server, &std::pair<qsizetype, WatchedLock>::first);
    return found == members.end() ? nullptr : &found->second;
}

void QuorumTable::Entry::set(qsizetype server, const WatchedLock &lock)
{
    if (WatchedLock *known = at(server))
        *known = lock;
    else
        members.emplace_back(server, lock);
}

void QuorumTable::Entry::erase(qsizetype server)
{
    std::erase_if(members, [server](const auto &member) { return member.first == server; });
}

LockDiff QuorumTable::apply(qsizetype server, const LockDiff &diff, TimePoint now)
{
    LockDiff merged;
    m_teller = server;
    settle(server, diff.events, merged);
    QHash<LockKey, QList<EventKind>> told;
    for (const LockEvent &event : diff.events) {
        told[event.address.key].append(event.kind);
        // It comes before the reading that finds it gone.
        if (const auto known = m_locks.find(event.address.key);
            event.kind == EventKind::Forced && known != m_locks.end())
            known->second.isForced = true;
    }
    for (const WatchedLock &lock : diff.changed) {
        const bool isFull = static_cast<qint64>(m_locks.size()) >= m_most;
        if (isFull && !m_locks.contains(lock.key())) {
            m_hasOverflown = true;
            continue;
        }
        Entry &entry = m_locks[lock.key()];
        entry.set(server, lock);
        refresh(entry, told.value(lock.key()), now, merged);
    }
    for (const LockKey &key : diff.removed) {
        const auto found = m_locks.find(key);
        if (found == m_locks.end())
            continue;
        Entry &entry = found->second;
        entry.erase(server);
        refresh(entry, told.value(key), now, merged);
        if (!entry.shown) {
            merged.removed.append(key);
            m_locks.erase(found);
        }
    }
    return merged;
}

/// Causes of begins and ends may be reported later.
void QuorumTable::settle(qsizetype server, const QList<LockEvent> &told, LockDiff &diff)
{
    auto &late = m_late[static_cast<size_t>(server)];
    for (const LockEvent &event : told) {
        const auto found = late.isEmpty() ? late.end() : late.find(event.address.key);
        if (found == late.end() || isEnd(found->kind) != isEnd(event.kind))
            continue;
        if (isEnd(event.kind) || event.kind == EventKind::Found)
            found->kind = event.kind;
        else
            found->kind = EventKind::Acquired;
        found->possible = event.possible;
        diff.events.append(*found);
        late.erase(found);
    }
}

qint64 QuorumTable::heldWithout(qsizetype server) const
{
    return std::ranges::count_if(m_locks, [server](const auto &known) {
        const Entry &entry = known.second;
        const bool isThere = std::ranges::any_of(
            entry.members, [server](const auto &member) { return member.first == server; });
        if (!isThere || !entry.shown)
            return false;
        const Quorum &quorum = *entry.shown->lock.quorum;
        const MemberReading &own = quorum.members[server];
        const bool counts = own.state == MemberReading::State::Held &&
                            haveSameOwners(own.owners, quorum.members[quorum.shownMember].owners);
        return quorum.agreeing - (counts ? 1 : 0) >= quorum.needed();
    });
}

LockDiff QuorumTable::setKnown(qsizetype server, bool isKnown, TimePoint now)
{
    LockDiff merged;
    if (m_isKnown[static_cast<size_t>(server)] == isKnown)
        return merged;
    m_teller = -1;
    merged.events = std::exchange(m_late[static_cast<size_t>(server)], {}).values(); // nobody will tell
    m_isKnown[static_cast<size_t>(server)] = isKnown;
    for (auto &[key, entry] : m_locks)
        refresh(entry, {}, now, merged);
    return merged;
}

LockDiff QuorumTable::confirm(TimePoint at, TimePoint now)
{
    LockDiff merged;
    m_teller = -1;
    const QSet<LockKey> doubts = m_doubts;
    for (const LockKey &key : doubts) {
        Entry &entry = m_locks.find(key)->second;
        if (at < *entry.doubtedSince + doubtTime)
            continue;
        LockDiff unseen; // what was asked for since may not be read
        refresh(entry, {}, now, unseen);
        if (m_doubts.contains(key) && at >= *entry.doubtedSince + doubtTime) {
            m_doubts.remove(key);
            entry.isConfirmed = true;
            setProblems(entry);
        }
        merged.changed.append(*entry.shown);
        merged.events += unseen.events;
    }
    return merged;
}

void QuorumTable::refresh(Entry &entry, const QList<EventKind> &told, TimePoint now, LockDiff &diff)
{
    QVarLengthArray<MemberLock, 16> members;
    for (size_t i = 0; i < m_isKnown.size(); ++i) {
        const auto server = static_cast<qsizetype>(i);
        WatchedLock *lock = entry.at(server);
        const LockKey key = entry.members.empty() ? LockKey() : entry.members.front().second.key();
        const bool isUnread = !lock && m_isUnreadable && !key.isEmpty() && m_isUnreadable(server, key);
        members.append({m_isKnown[i] && !isUnread, lock});
    }
    const std::optional<WatchedLock> before = std::exchange(
        entry.shown, mergeMembers(members, entry.shown ? entry.shown->lock.owners : QList<LockOwner>()));
    m_hidden +=
        (entry.shown && isNoLock(entry.shown->lock) ? 1 : 0) - (before && isNoLock(before->lock) ? 1 : 0);
    if (!entry.shown) {
        setDoubt(entry, before->key(), false, false, now);
        entry.shown = before; // whose end is told
        addEvents(entry, *before, told, now, diff);
        entry.shown.reset();
        return;
    }
    const Quorum &quorum = *entry.shown->lock.quorum;
    const bool isLock = !isNoLock(entry.shown->lock) && !entry.shown->lock.owners.isEmpty();
    setDoubt(entry, entry.shown->key(), isLock && (quorum.isLost() || quorum.areOwnersDifferent),
             before && isSameExceptTimes(*before->lock.quorum, quorum), now);
    setProblems(entry);
    addEvents(entry, before ? *before : *entry.shown, told, now, diff);
    diff.changed.append(*entry.shown);
}

/// Without a server in entry.shown, the lock has gone everywhere.
void QuorumTable::addEvents(Entry &entry, const WatchedLock &before, const QList<EventKind> &told,
                            TimePoint now, LockDiff &diff)
{
    const Lock &lock = entry.shown->lock;
    const bool isGone = entry.members.empty();
    const bool isHeld = !isGone && lock.quorum->isHeld;
    if (!isHeld) {
        if (entry.heldBy.isEmpty() || !(isGone || lock.quorum->isLost()))
            return; // nobody had it, or somebody may have it still
        const EventKind end = entry.isForced ? EventKind::Forced : endOf(told);
        addEvent(diff, end, before.lock, std::exchange(entry.heldBy, {}), now);
        diff.events.last().wasRenewed = wasRenewed(before);
        if (m_teller >= 0 && !entry.isForced && std::ranges::none_of(told, &isEnd))
            m_late[static_cast<size_t>(m_teller)].insert(before.key(), diff.events.takeLast());
        return;
    }
    if (entry.heldBy.isEmpty()) {
        entry.heldBy = lock.owners;
        entry.isForced = false;
        const bool wasFound = told.isEmpty() || told.contains(EventKind::Found);
        addEvent(diff, wasFound ? EventKind::Found : EventKind::Acquired, lock, lock.owners, now);
        if (m_teller >= 0 && told.isEmpty())
            m_late[static_cast<size_t>(m_teller)].insert(lock.key(), diff.events.takeLast());
        return;
    }
    if (!haveSameOwners(entry.heldBy, lock.owners)) {
        entry.heldBy = lock.owners;
        entry.isForced = false;
        return addEvent(diff, EventKind::OwnerChanged, lock, lock.owners, now);
    }
    if (!before.lock.quorum || !before.lock.quorum->isHeld)
        return;
    for (const LockChange &change : diffEvents(before.lock, lock, true, now)) {
        // The end of the majority also moves where one more server has it, or one fewer.
        const bool isMove = change.kind == EventKind::Renewed || change.kind == EventKind::Shortened;
        if (!isMove || (told.contains(change.kind) && !isSmallStep(before.lock, lock)))
            addEvent(diff, change.kind, lock, change.holder ? QList{*change.holder} : lock.owners, now);
    }
}

void QuorumTable::setDoubt(Entry &entry, const LockKey &key, bool isDoubted, bool isSame, TimePoint now)
{
    if (!isDoubted) {
        entry.doubtedSince.reset();
        entry.isConfirmed = false;
        m_doubts.remove(key);
    } else if (!entry.doubtedSince || !isSame) {
        entry.doubtedSince = now;
        entry.isConfirmed = false;
        m_doubts.insert(key);
        m_newDoubts.append(key);
    }
}

void QuorumTable::setProblems(Entry &entry)
{
    const Quorum &quorum = *entry.shown->lock.quorum;
    entry.shown->lock.problems.setFlag(Problem::NoQuorum, entry.isConfirmed && quorum.isLost());
    entry.shown->lock.problems.setFlag(Problem::OwnersDiffer, entry.isConfirmed && quorum.areOwnersDifferent);
}

} // namespace lockscope
