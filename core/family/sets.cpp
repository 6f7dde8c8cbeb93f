// SPDX-License-Identifier: GPL-3.0-or-later
// Locks kept as sorted sets, of owners with moments, and as sets.
#include "core/family/certainty.h"
#include "core/family/recognizers.h"
#include "core/family/shapes.h"

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

constexpr QByteArrayView exclusiveMark = "__write__";
constexpr double day = 86'400'000;
constexpr double year2001 = 978'307'200'000;

bool isSymfonyToken(QByteArrayView member)
{
    constexpr qsizetype length = 44;
    return member.size() == length && member.back() == '=' && isBase64(member.chopped(1));
}

template <typename Test>
bool all(const SortedSetContent &set, Test test)
{
    return std::ranges::all_of(set.members,
                               [&test](const auto &member) { return test(member.first, member.second); });
}

/// The mark of a writer is the library's own; readers leave none, but the last of them ends when the key does. Other
/// people's sets of digests don't, or by chance: nothing here is exact to the millisecond.
EvidenceSet symfonyEvidence(const SortedSetContent &set, CompactOptional<milliseconds> ttl, qint64 nowMs)
{
    constexpr double clocksApart = 300'000;
    const auto isMark = [](const auto &member) { return member.first == exclusiveMark; };
    const auto marks = std::ranges::count_if(set.members, isMark);
    const bool areTokens = marks < set.members.size() && all(set, [](QByteArrayView member, double) {
                               return member == exclusiveMark || isSymfonyToken(member);
                           });
    if (!areTokens)
        return {};
    const double ends =
        static_cast<double>(nowMs) + static_cast<double>(ttl.value_or(milliseconds(0)).count());
    EvidenceSet evidence(Evidence::Content);
    evidence.set(Evidence::Name, marks > 0);
    evidence.set(Evidence::Lease, ttl && std::abs(set.members.last().second - ends) < clocksApart);
    return evidence;
}

Recognition holding(Claim claim, QList<QByteArray> members, HoldMode mode, bool complete)
{
    std::ranges::sort(members);
    Recognition result;
    result.family = claim.family;
    result.evidence = claim.evidence;
    result.problems.setFlag(Problem::TooBig, !complete);
    for (const QByteArray &member : members)
        result.owners.append({OwnerId(member), {}, 1, mode});
    return result;
}

QList<QByteArray> namesIn(const SortedSetContent &set)
{
    QList<QByteArray> names;
    for (const auto &member : set.members)
        names.append(member.first);
    return names;
}

/// UUID, or UUID_n, with the moment of its last sign of life.
EvidenceSet semaphoreEvidence(QByteArrayView key, const SortedSetContent &set,
                              CompactOptional<milliseconds> ttl, qint64 nowMs)
{
    constexpr qsizetype uuidLength = 36;
    constexpr milliseconds longest = std::chrono::minutes(5); // 10 s by default
    const bool areOwners =
        key.startsWith("semaphore:") && all(set, [nowMs](QByteArrayView member, double score) {
            if (member.size() < uuidLength || !isUuid(member.first(uuidLength)))
                return false;
            const QByteArrayView rest = member.sliced(uuidLength);
            const bool isNamed = rest.isEmpty() || (rest[0] == '_' && isDigits(rest.sliced(1)));
            return isNamed && score > year2001 && score < static_cast<double>(nowMs) + day;
        });
    if (!areOwners)
        return {};
    EvidenceSet evidence{Evidence::Content, Evidence::Name};
    evidence.set(Evidence::Lease, ttl && *ttl <= longest);
    return evidence;
}

bool isMadelsonOwner(QByteArrayView member)
{
    const std::optional<ProcessToken> token = processToken(member);
    return token && !token->waits;
}

/// The lock to which a sorted set belongs that holds nothing itself.
LockKey parentOf(const QByteArray &key, const SortedSetContent &set)
{
    constexpr QByteArrayView permits = ":timeout";
    constexpr QByteArrayView queue = ":queue";
    constexpr qsizetype tokenLength = 40;
    const auto isSince2001 = [](qsizetype size) {
        return
            [size](QByteArrayView member, double score) { return member.size() == size && score > year2001; };
    };
    // Redisson's permits, raw bytes, and when each ends; its name has a brace by rule.
    if (key.endsWith(permits) && key.contains('{') && all(set, isSince2001(permitIdLength))) {
        const QByteArray name = key.chopped(permits.size());
        const bool isWrapped = name.startsWith('{') && name.endsWith('}') && name.lastIndexOf('{') == 0;
        return LockKey(isWrapped ? name.sliced(1, name.size() - 2) : name);
    }
    // redlock4j's fair queue.
    if (key.size() > queue.size() && key.endsWith(queue) && all(set, isSince2001(tokenLength)) &&
        all(set, [](QByteArrayView member, double) { return isLowerHex(member); }))
        return LockKey(key.chopped(queue.size()));
    return {};
}

} // namespace

Recognition recognizeSortedSet(const LockKey &key, const SortedSetContent &set,
                               CompactOptional<milliseconds> ttl, qint64 nowMs)
{
    if (set.members.isEmpty())
        return {Family::Unknown, {}, Problem::WrongType};
    if (LockKey parent = parentOf(key.bytes, set); !parent.isEmpty())
        return {Family::Unknown, {}, {}, std::move(parent)};
    if (const Claim claim{Family::Symfony, symfonyEvidence(set, ttl, nowMs)};
        isProven(claim.family, claim.evidence)) {
        QList<QByteArray> names = namesIn(set);
        const bool isExclusive = names.removeAll(exclusiveMark.toByteArray()) > 0;
        Recognition result =
            holding(claim, std::move(names), isExclusive ? HoldMode::Write : HoldMode::Read, set.complete);
        result.problems.setFlag(Problem::SeveralOwners, isExclusive && result.owners.size() > 1);
        return result;
    }
    // Its owners end by the server's clock, and the key some time after the last of them.
    const bool areOwners =
        ttl && all(set, [nowMs](QByteArrayView member, double score) {
            return isMadelsonOwner(member) && std::abs(score - static_cast<double>(nowMs)) < day;
        });
    if (areOwners)
        return holding({Family::Madelson, {Evidence::Content, Evidence::Lease}}, namesIn(set),
                       HoldMode::Exclusive, set.complete);
    if (const Claim claim{Family::RedisSemaphore, semaphoreEvidence(key.bytes, set, ttl, nowMs)};
        isProven(claim.family, claim.evidence))
        return holding(claim, namesIn(set), HoldMode::Exclusive, set.complete);
    return {Family::Unknown, {}, Problem::WrongType};
}

Recognition recognizeSet(const LockKey &key, const SetContent &set)
{
    const bool isReaders = key.bytes.endsWith(".readers") && !set.members.isEmpty() &&
                           std::ranges::all_of(set.members, isMadelsonOwner);
    if (!isReaders)
        return {Family::Unknown, {}, Problem::WrongType};
    return holding({Family::Madelson, {Evidence::Content, Evidence::Name}}, set.members, HoldMode::Read,
                   set.complete);
}

} // namespace lockscope
