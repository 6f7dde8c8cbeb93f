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

/// Servers are renewed one after the other, so the end of the majority moves in small steps.
constexpr auto renewalStep = 50ms;

void addEvent(LockDiff &diff, EventKind kind, const Lock &lock, const QList<LockOwner> &owners, TimePoint now)
{
    const bool isGone =
        kind == EventKind::Released || kind == EventKind::Expired || kind == EventKind::Vanished;
    diff.events.append({kind, lock.address, lock.family, owners,
                        isGone ? CompactOptional<milliseconds>() : lock.ttl, now,
                        QDateTime::currentMSecsSinceEpoch()});
}

/// How the owner has lost it: as the server told whose word ended the majority.
EventKind endOf(const QList<EventKind> &told)
{
    for (const EventKind kind : {EventKind::Forced, EventKind::Released, EventKind::Expired}) {
        if (told.contains(kind))
            return kind;
    }
    return EventKind::Vanished;
}

bool isSmallStep(const Lock &before, const Lock &after)
{
    if (!before.deadline || !after.deadline)
        return false;
    const auto moved = after.deadline->earliest - before.deadline->earliest;
    return moved < renewalStep && moved > -renewalStep;
}

} // namespace

LockDiff QuorumTable::apply(qsizetype server, const LockDiff &diff, TimePoint now)
{
    LockDiff merged;
    QHash<LockKey, QList<EventKind>> told;
    for (const LockEvent &event : diff.events)
        told[event.address.key].append(event.kind);
    for (const WatchedLock &lock : diff.changed) {
        Entry &entry = m_locks[lock.key()];
        entry.members.resize(m_isKnown.size());
        entry.members[static_cast<size_t>(server)] = lock;
        refresh(entry, told.value(lock.key()), now, merged);
    }
    for (const LockKey &key : diff.removed) {
        const auto found = m_locks.find(key);
        if (found == m_locks.end())
            continue;
        Entry &entry = found->second;
        entry.members[static_cast<size_t>(server)].reset();
        refresh(entry, told.value(key), now, merged);
        if (!entry.shown) {
            merged.removed.append(key);
            m_locks.erase(found);
        }
    }
    return merged;
}

LockDiff QuorumTable::setKnown(qsizetype server, bool isKnown, TimePoint now)
{
    LockDiff merged;
    if (m_isKnown[static_cast<size_t>(server)] == isKnown)
        return merged;
    m_isKnown[static_cast<size_t>(server)] = isKnown;
    for (auto &[key, entry] : m_locks)
        refresh(entry, {}, now, merged);
    return merged;
}

LockDiff QuorumTable::confirm(TimePoint at)
{
    LockDiff merged;
    for (auto doubt = m_doubts.begin(); doubt != m_doubts.end();) {
        Entry &entry = m_locks.find(*doubt)->second;
        if (at < *entry.doubtedSince + doubtTime) {
            ++doubt;
            continue;
        }
        doubt = m_doubts.erase(doubt);
        entry.isConfirmed = true;
        setProblems(entry);
        merged.changed.append(*entry.shown);
    }
    return merged;
}

void QuorumTable::refresh(Entry &entry, const QList<EventKind> &told, TimePoint now, LockDiff &diff)
{
    QVarLengthArray<MemberLock, 16> members;
    for (size_t i = 0; i < entry.members.size(); ++i)
        members.push_back({m_isKnown[i], entry.members[i] ? &*entry.members[i] : nullptr});
    const std::optional<WatchedLock> before = std::exchange(
        entry.shown, mergeMembers(members, entry.shown ? entry.shown->lock.owners : QList<LockOwner>()));
    if (!entry.shown) {
        setDoubt(entry, before->key(), false, false, now);
        entry.shown = before; // whose end is told
        addEvents(entry, *before, told, now, diff);
        entry.shown.reset();
        return;
    }
    const Quorum &quorum = *entry.shown->lock.quorum;
    const bool isLock = !isHidden(entry.shown->lock) && !entry.shown->lock.owners.isEmpty();
    setDoubt(entry, entry.shown->key(), isLock && (quorum.isLost() || quorum.areOwnersDifferent),
             before && isSamePicture(*before->lock.quorum, quorum), now);
    setProblems(entry);
    addEvents(entry, before ? *before : *entry.shown, told, now, diff);
    diff.changed.append(*entry.shown);
}

/// entry.shown without a server that has it: the lock has gone everywhere.
void QuorumTable::addEvents(Entry &entry, const WatchedLock &before, const QList<EventKind> &told,
                            TimePoint now, LockDiff &diff)
{
    const Lock &lock = entry.shown->lock;
    const bool isGone =
        std::ranges::none_of(entry.members, [](const auto &member) { return member.has_value(); });
    const bool isHeld = !isGone && lock.quorum->isHeld;
    if (!isHeld) {
        if (entry.heldBy.isEmpty() || !(isGone || lock.quorum->isLost()))
            return; // nobody had it, or somebody may have it still
        addEvent(diff, endOf(told), before.lock, std::exchange(entry.heldBy, {}), now);
        return;
    }
    if (entry.heldBy.isEmpty()) {
        entry.heldBy = lock.owners;
        const bool wasFound = told.isEmpty() || told.contains(EventKind::Found);
        return addEvent(diff, wasFound ? EventKind::Found : EventKind::Acquired, lock, lock.owners, now);
    }
    if (!haveSameOwners(entry.heldBy, lock.owners)) {
        entry.heldBy = lock.owners;
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
