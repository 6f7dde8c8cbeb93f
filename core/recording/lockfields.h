// SPDX-License-Identifier: GPL-3.0-or-later
// The format of each value, for writer and reader: `io` is a FieldWriter with const values, or a FieldReader.
// Moments are in ms since the recording's begin, written as distances from a near one.
#pragma once

#include "core/family/registry.h"
#include "core/recording/codes.h"
#include "core/recording/fields.h"

namespace lockscope::lockfields {

constexpr qsizetype maxOwners = 1024;
constexpr qsizetype maxMembers = 64;
constexpr qsizetype maxNodes = 4096;
constexpr qsizetype maxRoutes = 1024;
constexpr qsizetype maxDeadlocks = 10'000;
constexpr qsizetype leastCycle = 2; // nobody waits for itself

/// Parts of a lock that change together; a change writes only those that differ.
enum Part : quint32 {
    ReadAt = 0x01,
    End = 0x02,
    Owners = 0x04,
    Ttl = 0x08,
    Since = 0x10,
    Renewal = 0x20,
    Longest = 0x40, // up to here: one byte
    Problem = 0x80,
    Kind = 0x100,
    Seen = 0x200,
    Companions = 0x400,
    Group = 0x800,
    AllParts = 0xfff,
};

/// Shares the bytes of small numbers, which are most.
QByteArray decimalText(qint64 number);

/// The parts that differ; both locks as from asRecorded().
quint32 differences(const WatchedLock &before, const WatchedLock &after);

template <typename Io, typename Value>
void familyField(Io &io, Value &family)
{
    if constexpr (Io::reads) {
        QByteArray name;
        io.name(name);
        family = familyFromName(name).value_or(Family()); // one of a later version is unknown to us
    } else {
        io.name(familyName(family));
    }
}

/// Converts bits of an enumeration from or to bits of the format.
template <typename Io, typename Enum, size_t size, typename Has, typename Set>
void bitsField(Io &io, const std::array<Enum, size> &table, const Has &has, const Set &set)
{
    quint32 bits = 0;
    if constexpr (!Io::reads) {
        for (size_t i = 0; i < size; ++i)
            bits |= has(table[i]) ? quint32(1) << i : 0;
    }
    io.number(bits);
    if constexpr (Io::reads) {
        for (size_t i = 0; i < size; ++i) {
            if (bits >> i & 1)
                set(table[i]);
        }
    }
}

template <typename Io, typename Value>
void endsField(Io &io, Value &ends)
{
    EndKinds read;
    bitsField(
        io, recordingcodes::ends, [&](EventKind end) { return ends.has(end); },
        [&](EventKind end) { read.set(end); });
    if constexpr (Io::reads)
        ends = read;
}

template <typename Io, typename Value>
void deadlineField(Io &io, Value &deadline, qint64 base)
{
    bool isThere = deadline.has_value();
    io.flag(isThere);
    if (!isThere) {
        if constexpr (Io::reads)
            deadline.reset();
        return;
    }
    Deadline end = deadline.value_or(Deadline());
    io.moment(end.earliest, base);
    io.moment(end.latest, msOf(end.earliest));
    if constexpr (Io::reads)
        deadline = end;
}

template <typename Io, typename Value>
void ownerField(Io &io, Value &owner)
{
    constexpr quint32 hasCount = 4;
    constexpr quint32 isStoredSo = 8;
    io.text(owner.owner.bytes);
    quint32 head = 0;
    if constexpr (!Io::reads) {
        while (recordingcodes::modes[head] != owner.mode)
            ++head;
        head |= owner.holdCount ? hasCount : 0;
        head |= owner.rawHoldCount.isEmpty() ? 0 : isStoredSo;
    }
    io.number(head);
    qint64 count = owner.holdCount.value_or(0);
    if (head & hasCount)
        io.offset(count);
    if constexpr (Io::reads) {
        owner.mode = recordingcodes::modes[std::min<size_t>(head & 3, 2)];
        owner.holdCount = head & hasCount ? CompactOptional<qint64>(count) : CompactOptional<qint64>();
        owner.rawHoldCount = head & isStoredSo ? decimalText(count) : QByteArray();
    }
}

template <typename Io, typename Value>
void ownersField(Io &io, Value &owners)
{
    io.list(owners, maxOwners, [&](auto &owner) { ownerField(io, owner); });
}

template <typename Io, typename Value>
void besideField(Io &io, Value &state)
{
    auto &waiters = state.waiters;
    io.code(waiters.certainty, recordingcodes::certainties);
    io.offset(waiters.count);
    io.list(waiters.queue, Waiters::most, [&](auto &waiter) {
        io.text(waiter.id.bytes);
        io.optional(waiter.timeoutAtMs);
        io.code(waiter.listening, recordingcodes::subscriptions);
        io.flag(waiter.isDead);
    });
    io.code(waiters.silence, recordingcodes::silences);
    QList<Family> implied;
    if constexpr (!Io::reads)
        implied = QList<Family>(state.implied.begin(), state.implied.end());
    if constexpr (Io::reads) {
        io.list(implied, Family::most, [&](Family &family) { familyField(io, family); });
        for (const Family family : std::as_const(implied))
            state.implied.insert(family);
    } else {
        io.list(std::as_const(implied), Family::most, [&](const Family &family) { familyField(io, family); });
    }
    io.flag(state.hasListeners);
    io.list(state.permits, CompanionState::maxPermits, [&](auto &permit) {
        io.text(permit.id.bytes);
        io.optional(permit.expiresAtMs);
    });
    io.flag(state.morePermits);
    CompactOptional<qint64> free;
    if (!Io::reads && !state.freePermits.isEmpty())
        free = state.freePermits.toLongLong();
    io.optional(free);
    if constexpr (Io::reads)
        state.freePermits = free ? decimalText(*free) : QByteArray();
    io.text(state.worker);
    io.optional(state.startedMs);
    io.code(state.unread, recordingcodes::unread);
}

template <typename Io, typename Value>
void quorumField(Io &io, Value &quorum, qint64 base)
{
    io.list(quorum.members, maxMembers, [&](auto &member) {
        io.code(member.state, recordingcodes::members);
        ownersField(io, member.owners);
        deadlineField(io, member.deadline, base);
    });
    io.number(quorum.agreeing);
    io.number(quorum.unknown);
    io.number(quorum.shownMember);
    io.flag(quorum.isHeld);
    io.flag(quorum.areOwnersDifferent);
    if constexpr (Io::reads) {
        // Whoever shows it reads the member, and adds the numbers.
        const qsizetype members = quorum.members.size();
        if (std::max(quorum.agreeing, quorum.unknown) > members || quorum.shownMember >= members)
            io.fail();
    }
}

/// A shared value that may be null.
template <typename Io, typename Pointer, typename Data, typename Each>
void sharedField(Io &io, Pointer &pointer, Data fresh, Each each)
{
    bool isThere = bool(pointer);
    io.flag(isThere);
    if constexpr (Io::reads) {
        if (isThere)
            each(fresh);
        if constexpr (std::is_same_v<Pointer, CompanionStatePtr>)
            pointer = isThere ? CompanionStatePtr(fresh) : CompanionStatePtr();
        else
            pointer = isThere ? Pointer(new Data(fresh)) : Pointer();
    } else if (isThere) {
        each(std::as_const(*pointer));
    }
}

template <typename Io, typename Value>
void problemsField(Io &io, Value &watched)
{
    Problems own = watched.lock.problems;
    Problems seen = Problems::fromInt(watched.watchedProblems);
    for (Problems *problems : {&own, &seen}) {
        Problems read;
        bitsField(
            io, recordingcodes::problems, [&](auto problem) { return problems->testFlag(problem); },
            [&](auto problem) { read |= problem; });
        if constexpr (Io::reads)
            *problems = read;
    }
    if constexpr (Io::reads) {
        watched.lock.problems = own;
        watched.watchedProblems = static_cast<quint16>(seen.toInt());
    }
}

template <typename Io, typename Value>
void kindField(Io &io, Value &lock)
{
    io.code(lock.type, recordingcodes::keyTypes);
    familyField(io, lock.family);
    EvidenceSet evidence = lock.evidence;
    EvidenceSet read;
    bitsField(
        io, recordingcodes::evidence, [&](Evidence one) { return evidence.has(one); },
        [&](Evidence one) { read.set(one); });
    if constexpr (Io::reads)
        lock.evidence = read;
    io.code(lock.leaseOf, recordingcodes::leases);
}

/// The parts of a lock in `parts`. `now`: time of the report.
template <typename Io, typename Value>
void lockParts(Io &io, Value &watched, quint32 parts, qint64 now)
{
    auto &lock = watched.lock;
    if (parts & ReadAt)
        io.moment(lock.readAt, now);
    const qint64 readAt = msOf(lock.readAt);
    if (parts & Ttl) {
        CompactOptional<qint64> ttl;
        if (lock.ttl)
            ttl = qint64(lock.ttl->count());
        io.optional(ttl);
        if constexpr (Io::reads)
            lock.ttl =
                ttl ? CompactOptional<milliseconds>(milliseconds(*ttl)) : CompactOptional<milliseconds>();
    }
    const qint64 ttl = std::clamp<qint64>(lock.ttl.value_or(milliseconds(0)).count(), 0, farthestMs);
    if (parts & End)
        deadlineField(io, lock.deadline, std::min(readAt + ttl, farthestMs));
    if (parts & Owners)
        ownersField(io, lock.owners);
    if (parts & Since)
        io.moment(watched.heldSince, readAt);
    if (parts & Renewal) {
        io.number(watched.renewals);
        io.number(watched.minRenewalShare);
        bool isThere = watched.lastRenewal.has_value();
        io.flag(isThere);
        TimePoint last = watched.lastRenewal.value_or(TimePoint());
        if (isThere)
            io.moment(last, readAt);
        if constexpr (Io::reads)
            watched.lastRenewal = isThere ? CompactOptional<TimePoint>(last) : CompactOptional<TimePoint>();
    }
    if (parts & Longest) {
        milliseconds beyond = watched.maxObservedTtl - milliseconds(ttl);
        io.duration(beyond);
        if constexpr (Io::reads)
            watched.maxObservedTtl = milliseconds(
                static_cast<qint64>(static_cast<quint64>(beyond.count()) + static_cast<quint64>(ttl)));
    }
    if (parts & Problem)
        problemsField(io, watched);
    if (parts & Kind)
        kindField(io, lock);
    if (parts & Seen) {
        bool hasSeen = watched.hasSeenAcquisition;
        io.flag(hasSeen);
        if constexpr (Io::reads)
            watched.hasSeenAcquisition = hasSeen;
    }
    if (parts & Companions)
        sharedField(io, lock.companions, CompanionState(), [&](auto &state) { besideField(io, state); });
    if (parts & Group)
        sharedField(io, lock.quorum, Quorum(), [&](auto &quorum) { quorumField(io, quorum, readAt); });
}

template <typename Io, typename Value>
void watchingFields(Io &io, Value &watching, qint64 now)
{
    io.code(watching.connection, recordingcodes::connections);
    io.flag(watching.isRead);
    io.list(watching.feed.routes, maxRoutes, [&](auto &route) {
        io.text(route.pattern);
        io.code(route.feed, recordingcodes::feeds);
    });
    bool hasIncident = watching.feed.incident.has_value();
    io.flag(hasIncident);
    if (hasIncident) {
        FeedStatus::Incident incident = watching.feed.incident.value_or(FeedStatus::Incident());
        io.code(incident.what, recordingcodes::feedGaps);
        io.moment(incident.at, now);
        if constexpr (Io::reads)
            watching.feed.incident = incident;
    }
    io.offset(watching.unreadable);
    io.name(watching.serverName);
    io.name(watching.serverVersion);
    io.name(watching.serverMode);
    io.list(watching.nodes, maxNodes, [&](auto &node) { io.text(node); });
    io.list(watching.missingNodes, maxNodes, [&](auto &node) { io.text(node); });
}

/// Slots, as sorted ranges.
template <typename Io, typename Value>
void slotsField(Io &io, Value &shared)
{
    constexpr qsizetype maxRuns = slotCount / 2;
    QList<std::pair<int, int>> runs; // first and last slot
    if constexpr (!Io::reads) {
        for (int slot = 0; slot < slotCount; ++slot) {
            if (!shared->test(size_t(slot)))
                continue;
            if (runs.isEmpty() || runs.last().second + 1 < slot)
                runs.append({slot, slot});
            else
                runs.last().second = slot;
        }
    }
    io.list(runs, maxRuns, [&](auto &run) {
        io.number(run.first);
        io.number(run.second);
    });
    if constexpr (Io::reads) {
        SlotSet slotSet;
        int next = 0;
        for (const auto &[first, last] : std::as_const(runs)) {
            if (first < next || last < first || last >= slotCount)
                return io.fail();
            for (next = first; next <= last; ++next)
                slotSet.set(size_t(next));
        }
        shared = std::make_shared<const SlotSet>(slotSet);
    }
}

template <typename Io, typename Value>
void deadlocksFields(Io &io, Value &deadlocks)
{
    io.list(deadlocks, maxDeadlocks, [&](auto &deadlock) {
        io.list(deadlock.cycle, maxDeadlocks, [&](auto &edge) {
            io.text(edge.lock.bytes);
            io.text(edge.waiter);
            io.text(edge.owner);
        });
        if constexpr (Io::reads) {
            if (deadlock.cycle.size() < leastCycle)
                io.fail();
        }
    });
}

template <typename Io, typename Value>
void resetFields(Io &io, Value &reset, qint64 now)
{
    io.code(reset.cause, recordingcodes::resets);
    quint32 hasData = reset.hasData ? (*reset.hasData ? 2 : 1) : 0;
    io.number(hasData);
    if constexpr (Io::reads)
        reset.hasData = hasData == 0 ? std::nullopt : std::optional(hasData == 2);
    io.offset(reset.locks);
    io.moment(reset.at, now);
    io.offset(reset.wallMs);
    QByteArray from = reset.from.toUtf8();
    QByteArray to = reset.to.toUtf8();
    io.text(from);
    io.text(to);
    if constexpr (Io::reads) {
        reset.from = QString::fromUtf8(from);
        reset.to = QString::fromUtf8(to);
    }
}

template <typename Io, typename Value>
void scanFields(Io &io, Value &stats)
{
    io.flag(stats.complete);
    for (auto *number : {&stats.keysScanned, &stats.keyspace, &stats.locks, &stats.hidden, &stats.unreadable})
        io.offset(*number);
    io.number(stats.nodesMissing);
    for (auto *time : {&stats.serverTime, &stats.wallTime}) {
        qint64 us = time->count();
        io.offset(us);
        if constexpr (Io::reads)
            *time = std::chrono::microseconds(us);
    }
}

} // namespace lockscope::lockfields
