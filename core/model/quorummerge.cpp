// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/quorummerge.h"

#include <QVarLengthArray>

#include <algorithm>
#include <tuple>

namespace lockscope {

namespace {

MemberReading readingOf(const MemberLock &member)
{
    using State = MemberReading::State;
    MemberReading reading;
    reading.state = State::Absent;
    if (member.lock) {
        reading.owners = member.lock->lock.owners;
        reading.deadline = member.lock->lock.deadline;
        reading.state = reading.owners.isEmpty() ? State::NoLock : State::Held;
    }
    if (!member.isCertain())
        reading.state = State::Unknown;
    return reading;
}

/// Sorts later expiries first; no expiry comes last.
bool endsLater(const MemberReading &a, const MemberReading &b)
{
    const auto end = [](const MemberReading &reading) {
        return reading.deadline ? reading.deadline->earliest : TimePoint::max();
    };
    return end(a) > end(b);
}

} // namespace

bool haveSameOwners(const QList<LockOwner> &a, const QList<LockOwner> &b)
{
    return std::ranges::equal(a, b, isSameHold);
}

bool isSameExceptTimes(const Quorum &a, const Quorum &b)
{
    return std::ranges::equal(a.members, b.members, [](const MemberReading &one, const MemberReading &other) {
        return one.state == other.state && haveSameOwners(one.owners, other.owners);
    });
}

std::optional<WatchedLock> mergeMembers(std::span<const MemberLock> members, const QList<LockOwner> &before)
{
    auto *quorum = new Quorum; // NOLINT(cppcoreguidelines-owning-memory): the pointer below
    const QuorumPtr shared(quorum);
    quorum->members.reserve(static_cast<qsizetype>(members.size()));
    for (const MemberLock &member : members)
        quorum->members.append(readingOf(member));
    const QList<MemberReading> &readings = quorum->members;
    quorum->unknown =
        static_cast<int>(std::ranges::count(readings, MemberReading::State::Unknown, &MemberReading::state));

    // Whose lock it is: what most servers say; where they are even, who had it before, then what is read at all.
    const auto supportOf = [&](qsizetype of) {
        int support = 0;
        for (const MemberReading &other : readings)
            support +=
                other.state == MemberReading::State::Held && haveSameOwners(other.owners, readings[of].owners)
                    ? 1
                    : 0;
        return support;
    };
    qsizetype leading = -1;
    std::tuple<int, bool, bool> best;
    for (qsizetype i = 0; i < readings.size(); ++i) {
        if (!members[size_t(i)].lock)
            continue;
        const std::tuple rank(supportOf(i), haveSameOwners(readings[i].owners, before),
                              !readings[i].owners.isEmpty());
        if (leading < 0 || rank > best) {
            leading = i;
            best = rank;
        }
    }
    if (leading < 0)
        return std::nullopt;

    quorum->agreeing = std::get<0>(best);
    quorum->isHeld = quorum->agreeing >= quorum->needed();
    QVarLengthArray<qsizetype, 16> agreeing;
    for (qsizetype i = 0; i < readings.size(); ++i) {
        const bool isHeld = readings[i].state == MemberReading::State::Held;
        const bool isSame =
            members[size_t(i)].lock && haveSameOwners(readings[i].owners, readings[leading].owners);
        if (isSame && (isHeld || quorum->agreeing == 0))
            agreeing.append(i);
        quorum->areOwnersDifferent = quorum->areOwnersDifferent || (isHeld && !isSame);
    }
    std::ranges::stable_sort(agreeing, endsLater,
                             [&](qsizetype i) -> const MemberReading & { return readings[i]; });
    quorum->shownMember =
        static_cast<int>(quorum->isHeld ? agreeing[quorum->needed() - 1] : agreeing.first());

    WatchedLock merged = *members[static_cast<size_t>(quorum->shownMember)].lock;
    merged.lock.quorum = shared;
    return merged;
}

std::optional<milliseconds> validityOf(const Quorum &quorum, milliseconds lease, TimePoint now)
{
    const MemberReading &last = quorum.members[quorum.shownMember];
    if (!quorum.isHeld || !last.deadline)
        return std::nullopt;
    const milliseconds left = last.deadline->remaining(now);
    return std::max(milliseconds::zero(), left - Quorum::drift(std::max(lease, left)));
}

} // namespace lockscope
