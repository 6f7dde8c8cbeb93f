// SPDX-License-Identifier: GPL-3.0-or-later
// simple-redis-mutex: a string with a random fraction. Its waiters take messages for JSON, and end at anything else.
#include "core/family/familytable.h"

namespace lockscope {

namespace {

constexpr QByteArrayView prefix = "@simple-redis-mutex:lock-";

std::optional<StringMatch> matchString(const StringValue &string)
{
    constexpr QByteArrayView whole = "0.";
    if (!string.key.startsWith(prefix) || !string.value.startsWith(whole) ||
        !isDigits(string.value.sliced(whole.size())))
        return std::nullopt;
    return StringMatch{contentEvidence(true, string.ttl.has_value())};
}

bool isFence(QByteArrayView key)
{
    return key == "@simple-redis-mutex:fencing-tokens";
}

constexpr Scripts scripts{.acquire = {"token/acquire", true},
                          .release = {"simple-redis-mutex/release"},
                          .extend = {"token/extend", true},
                          .forceExpire = {"simple-redis-mutex/force-expire"},
                          .channels = "@simple-redis-mutex:locks-releases"};

} // namespace

constinit const FamilySpec families::simple_redis_mutex{
    .name = "simple-redis-mutex",
    .noun = QT_TRANSLATE_NOOP("phrases", "simple-redis-mutex lock"),
    .stored = "string: a random fraction, under `@simple-redis-mutex:lock-…`",
    .proof = provenByOwnName,
    .prevalence = 28,
    .wake = WaitMechanism::KeyMessage,
    .ownerImpact = OwnerImpact::Unaware,
    .strings = {TokenFormat::Other},
    .matchString = matchString,
    .isCommonKey = isFence,
    .scripts = &scripts,
    .wakeEffect = QT_TRANSLATE_NOOP("phrases", "A message that names the key wakes its waiters. If it cannot "
                                               "be sent, or after a grace period, they retry within 10 s."),
};

} // namespace lockscope
