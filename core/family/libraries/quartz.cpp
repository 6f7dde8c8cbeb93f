// SPDX-License-Identifier: GPL-3.0-or-later
// quartz-redis-jobstore: a UUID under the name lock, or a trigger's with the name of a scheduler.
#include "core/family/familytable.h"

namespace lockscope {

namespace {

constexpr QByteArrayView triggerPrefix = "trigger_lock:";

/// The name of a scheduler, as a person gives it: no document.
bool isTrigger(QByteArrayView key, QByteArrayView value)
{
    return key.startsWith(triggerPrefix) && !value.contains(' ') && value[0] != '{' && value[0] != '[' &&
           value[0] != '"';
}

OwnerFacts ownerFacts(const LockKey &key, const OwnerId &owner)
{
    OwnerFacts facts;
    if (key.bytes.startsWith(triggerPrefix))
        facts.client = owner.bytes;
    return facts;
}

std::optional<StringMatch> matchString(const StringValue &string)
{
    constexpr milliseconds lease = std::chrono::minutes(10);
    constexpr milliseconds longest = std::chrono::minutes(1); // 10 s and 30 s by default
    if (isTrigger(string.key, string.value))
        return StringMatch{.evidence = contentEvidence(true, endsWithin(string.ttl, lease)),
                           .excludesOthers = true};
    if (string.format != TokenFormat::Uuid)
        return std::nullopt;
    if (string.key == "lock")
        return StringMatch{contentEvidence(true, endsWithin(string.ttl, longest))};
    return matchIf(string.key.endsWith("lock"));
}

} // namespace

constinit const FamilySpec families::quartz{
    .name = "quartz",
    .noun = QT_TRANSLATE_NOOP("phrases", "Quartz job store lock"),
    .stored = "string: UUID under `lock`, or a scheduler's name under `trigger_lock:…`",
    .proof = provenByHintAndLease,
    .prevalence = 82,
    .ownerImpact = OwnerImpact::DeletesNextLock,
    .strings = FormatSet<TokenFormat>::all(),
    .matchString = matchString,
    .ownerFacts = ownerFacts,
};

} // namespace lockscope
