// SPDX-License-Identifier: GPL-3.0-or-later
// node-redis-warlock: a string with a UUID of version 1 in base64, drawn when the lock is taken.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

namespace {

std::optional<StringMatch> matchString(const StringValue &string)
{
    const QByteArray hex = uuidInBase64(string.value);
    if (hex.isEmpty())
        return std::nullopt;
    // Random bytes, which others write so, hardly ever tell a time of these days.
    if (!isRedisPyToken(hex, string.nowMs))
        return StringMatch();
    return StringMatch{contentEvidence(string.key.endsWith(":lock"), string.ttl.has_value())};
}

OwnerFacts ownerFacts(const LockKey &key, const OwnerId &owner)
{
    OwnerFacts facts = uuid1Owner(key, OwnerId(uuidInBase64(owner.bytes)));
    facts.sinceIsTry = false; // a new one for each attempt
    return facts;
}

} // namespace

constinit const FamilySpec families::node_redis_warlock{
    .name = "node-redis-warlock",
    .noun = QT_TRANSLATE_NOOP("phrases", "node-redis-warlock lock"),
    .stored = "string: base64 of a UUID version 1, under `…:lock`",
    .proof = likelyByHintAndLease,
    .prevalence = 30,
    .strings = {TokenFormat::Base64Of16},
    .matchString = matchString,
    .ownerFacts = ownerFacts,
};

} // namespace lockscope
