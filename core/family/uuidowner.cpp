// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/uuidowner.h"

#include "core/family/shapes.h"

namespace lockscope {

namespace {

constexpr QByteArrayView redlockPrefix = "redlock:";

bool isUuid1(QByteArrayView dashed)
{
    return isUuid(dashed) && uuidVersion(dashed) == 1;
}

} // namespace

std::optional<StringMatch> matchUuid1(const StringValue &string)
{
    return matchIf(isUuid1(string.value));
}

std::optional<StringMatch> matchPlainUuid(const StringValue &string)
{
    return matchIf(!isUuid1(string.value) && !string.key.startsWith(redlockPrefix));
}

std::optional<StringMatch> matchRedlockUuid(const StringValue &string)
{
    const bool mayBe = string.key.startsWith(redlockPrefix);
    return mayBe ? std::optional(StringMatch{.excludesOthers = true}) : std::nullopt;
}

bool isRedisPyToken(QByteArrayView hex, qint64 nowMs)
{
    const CompactOptional<qint64> time = uuidTime(hex);
    return time && *time > nowMs - 30 * dayMs && *time < nowMs + dayMs;
}

OwnerFacts uuid1Owner(const LockKey &, const OwnerId &owner)
{
    constexpr qsizetype hexLength = 32;
    constexpr qsizetype nodeLength = 12;
    OwnerFacts facts;
    if (owner.bytes.size() != hexLength || !isLowerHex(owner.bytes))
        return facts;
    facts.sinceMs = uuidTime(owner.bytes);
    if (facts.sinceMs) {
        facts.sinceIsTry = true;
        facts.node = owner.bytes.last(nodeLength);
    }
    return facts;
}

OwnerFacts uuidClient(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    if (isUuid(owner.bytes))
        facts.client = owner.bytes;
    return facts;
}

} // namespace lockscope
