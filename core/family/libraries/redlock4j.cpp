// SPDX-License-Identifier: GPL-3.0-or-later
// redlock4j: 40 hex digits, with a queue in which the holder of a fair lock stands first.
#include "core/family/familytable.h"
#include "core/model/actionrequest.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr QByteArrayView writeSuffix = ":write";
constexpr QByteArrayView queueSuffix = ":queue";
constexpr qsizetype tokenLength = 40;

/// A reader of its read-write lock: KEY:readers:TOKEN.
bool isReader(QByteArrayView key)
{
    constexpr QByteArrayView part = ":readers:";
    return key.size() > part.size() + tokenLength && isLowerHex(key.last(tokenLength)) &&
           key.chopped(tokenLength).endsWith(part);
}

std::optional<StringMatch> matchString(const StringValue &string)
{
    constexpr milliseconds lease = std::chrono::seconds(30);
    const bool isNamed = string.key.endsWith(writeSuffix) || isReader(string.key);
    return StringMatch{contentEvidence(isNamed, endsWithin(string.ttl, lease))};
}

HoldMode modeOf(QByteArrayView key)
{
    return key.endsWith(writeSuffix) ? HoldMode::Write : HoldMode::Read;
}

/// Its fair queue.
LockKey parentOfSortedSet(const SortedSetValue &set)
{
    const bool areWaiters = std::ranges::all_of(set.content.members, [](const auto &member) {
        return member.first.size() == tokenLength && isLowerHex(member.first) && member.second > year2001;
    });
    if (!areWaiters || set.key.size() <= queueSuffix.size() || !set.key.endsWith(queueSuffix))
        return {};
    return LockKey(set.key.chopped(queueSuffix.size()).toByteArray());
}

QByteArrayList keys(const ActionRequest &request, const QList<LockOwner> &, bool)
{
    if (request.action != Action::Release && request.action != Action::ForceExpire)
        return {};
    return {request.key.bytes + queueSuffix.toByteArray()};
}

constexpr Scripts scripts{.acquire = {"token/acquire", true},
                          .release = {"redlock4j/release"},
                          .extend = {"token/extend", true},
                          .forceExpire = {"redlock4j/force-expire"},
                          .keys = keys};

} // namespace

constinit const FamilySpec families::redlock4j{
    .name = "redlock4j",
    .noun = QT_TRANSLATE_NOOP("phrases", "redlock4j lock"),
    .stored = "string: hex of 20 bytes; fair locks with `KEY:queue`",
    .proof = provenByHintAndLease,
    .prevalence = 60,
    .ownerImpact = OwnerImpact::Unaware,
    .maySpanServers = true,
    .strings = {TokenFormat::Hex40},
    .matchString = matchString,
    .modeOf = modeOf,
    .parentOfSortedSet = parentOfSortedSet,
    .scripts = &scripts,
};

} // namespace lockscope
