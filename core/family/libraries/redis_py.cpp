// SPDX-License-Identifier: GPL-3.0-or-later
// redis-py's lock: a string with a UUID of version 1.
#include "core/family/libraries/redis_py.h"

#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

bool isRedisPyToken(QByteArrayView hex, qint64 nowMs)
{
    constexpr qint64 day = 86'400'000;
    const CompactOptional<qint64> time = uuidTime(hex);
    return time && *time > nowMs - 30 * day && *time < nowMs + day;
}

RedisPyUser redisPyUserOf(QByteArrayView key)
{
    if (key.endsWith("redbeat::lock"))
        return RedisPyUser::Redbeat;
    if (key.startsWith("qo_"))
        return RedisPyUser::CeleryOnce;
    // ":1:name", as Django's cache builds it where no prefix is set. With one, nothing tells it from other names.
    const qsizetype second = key.startsWith(':') ? key.indexOf(':', 1) : -1;
    const bool isDjango = second > 0 && isDigits(key.sliced(1, second - 1));
    return isDjango ? RedisPyUser::DjangoCache : RedisPyUser::Plain;
}

std::optional<StringMatch> matchRedisPy(const StringValue &string, RedisPyUser user)
{
    if (uuidVersion(string.value) != 1 || redisPyUserOf(string.key) != user)
        return std::nullopt;
    if (user != RedisPyUser::Redbeat && !isRedisPyToken(string.value, string.nowMs))
        return StringMatch();
    // dogpile.cache puts its word right before the name.
    const bool isNamed =
        user != RedisPyUser::Plain || namesALock(string.key) || string.key.startsWith("_lock");
    return StringMatch{contentEvidence(isNamed, false)};
}

constinit const FamilySpec families::redis_py{
    .name = "redis-py",
    .noun = QT_TRANSLATE_NOOP("phrases", "redis-py lock"),
    .stored = "string: UUID version 1 in hex, at most 30 days old",
    .proof = provenByHint,
    .prevalence = 95,
    .canLackExpiry = true,
    .strings = {TokenFormat::Hex32},
    .matchString = [](const StringValue &string) { return matchRedisPy(string, RedisPyUser::Plain); },
    .ownerFacts = uuid1Owner,
};

} // namespace lockscope
