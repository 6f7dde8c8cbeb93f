// SPDX-License-Identifier: GPL-3.0-or-later
// redis-semaphore: a mutex as a string, or a semaphore as a sorted set of owners with their last signs of life.
#include "core/family/familytable.h"
#include "core/model/actionrequest.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    constexpr milliseconds longest = std::chrono::minutes(1); // 10 s by default
    if (!string.key.startsWith("mutex:"))
        return std::nullopt;
    return StringMatch{contentEvidence(true, endsWithin(string.ttl, longest))};
}

/// UUID, or UUID_n, with the moment of its last sign of life.
std::optional<Holding> matchSortedSet(const SortedSetValue &set)
{
    constexpr milliseconds longest = std::chrono::minutes(5); // 10 s by default
    if (!set.key.startsWith("semaphore:"))
        return std::nullopt;
    QList<QByteArray> owners;
    for (const auto &[owner, score] : set.content.members) {
        if (owner.size() < uuidLength || !isUuid(QByteArrayView(owner).first(uuidLength)))
            return std::nullopt;
        const QByteArrayView rest = QByteArrayView(owner).sliced(uuidLength);
        const bool isNamed = rest.isEmpty() || (rest[0] == '_' && isDigits(rest.sliced(1)));
        if (!isNamed || score <= year2001 || score >= static_cast<double>(set.nowMs) + dayMs)
            return std::nullopt;
        owners.append(owner);
    }
    return holding(owners, contentEvidence(true, endsWithin(set.ttl, longest)), HoldMode::Exclusive,
                   set.content.complete);
}

OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    if (shapeOf(owner.bytes) == TokenFormat::SuffixedUuid)
        facts.metadata = owner.bytes.mid(uuidLength + 1);
    return facts;
}

std::optional<Phrase> validationError(const ActionRequest &request)
{
    const bool isSet = request.seen && request.seen->type != KeyType::String;
    if (!isSet || request.action == Action::ForceExpire)
        return std::nullopt;
    return ownerAlone(request.family);
}

constexpr Scripts scripts{.acquire = {"token/acquire", true},
                          .release = {"token/release", true},
                          .extend = {"token/extend", true},
                          .forceExpire = {"members/force-expire"},
                          .canEndSome = true,
                          .validationError = validationError};

} // namespace

constinit const FamilySpec families::redis_semaphore{
    .name = "redis-semaphore",
    .noun = QT_TRANSLATE_NOOP("phrases", "redis-semaphore lock"),
    .stored = "string: UUID, under `mutex:…`; sorted set of UUIDs",
    .proof = provenByHintAndLease,
    .prevalence = 90,
    .usualNames = {"mutex:*", "semaphore:*"},
    .ownerImpact = OwnerImpact::Exits,
    .severalOwners = true,
    .renews = true,
    .strings = {TokenFormat::Uuid, TokenFormat::SuffixedUuid},
    .matchString = matchString,
    .matchSortedSet = matchSortedSet,
    .ownerFacts = ownerFacts,
    .scripts = &scripts,
    .ownerEffect = QT_TRANSLATE_NOOP("phrases", "The holder's process exits at its next renewal, unless the "
                                                "application handles lost locks itself."),
};

} // namespace lockscope
