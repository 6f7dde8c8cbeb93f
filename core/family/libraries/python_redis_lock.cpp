// SPDX-License-Identifier: GPL-3.0-or-later
// python-redis-lock: a string, with a list that waiters block on.
#include "core/family/familytable.h"
#include "core/model/actionrequest.h"

namespace lockscope {

namespace {

constexpr QByteArrayView prefix = "lock:";
constexpr QByteArrayView signalPrefix = "lock-signal:";

std::optional<StringMatch> matchString(const StringValue &string)
{
    const bool isNamed = string.key.startsWith(prefix);
    if (string.format == TokenFormat::Base64Of18)
        return StringMatch{contentEvidence(isNamed, string.ttl.has_value())};
    // One token in a hundred and fifty is of letters alone.
    constexpr qsizetype length = 24;
    return matchIf(string.format == TokenFormat::Other && isNamed && string.value.size() == length &&
                   isBase64(string.value));
}

LockKey parentOfName(QByteArrayView key)
{
    if (!key.startsWith(signalPrefix) || key.size() == signalPrefix.size())
        return {};
    return LockKey(prefix.toByteArray() + key.sliced(signalPrefix.size()).toByteArray());
}

QByteArrayList keys(const ActionRequest &request, const QList<LockOwner> &, bool)
{
    if (request.action != Action::Release && request.action != Action::ForceExpire)
        return {};
    return {signalPrefix.toByteArray() + request.key.bytes.sliced(prefix.size())};
}

std::optional<Phrase> validationError(const ActionRequest &request)
{
    return request.key.bytes.startsWith(prefix) ? std::nullopt
                                                : std::optional(namedOtherwise(request.family));
}

constexpr Scripts scripts{.acquire = {"token/acquire", true},
                          .release = {"python-redis-lock/release"},
                          .extend = {"token/extend", true},
                          .forceExpire = {"python-redis-lock/force-expire"},
                          .keys = keys,
                          .validationError = validationError};

} // namespace

constinit const FamilySpec families::python_redis_lock{
    .name = "python-redis-lock",
    .noun = QT_TRANSLATE_NOOP("phrases", "python-redis-lock lock"),
    .stored = "string: base64 of 18 bytes, under `lock:…`",
    .proof = provenByHint,
    .prevalence = 55,
    .usualNames = {"lock:*"},
    .wake = WaitMechanism::ListPush,
    .canLackExpiry = true,
    .mayRenew = true,
    .strings = FormatSet<TokenFormat>::all(),
    .matchString = matchString,
    .parentOfName = parentOfName,
    .scripts = &scripts,
    .wakeEffect =
        QT_TRANSLATE_NOOP("phrases", "Its signal list wakes one waiter; with a grace period, none."),
    .companionNote = QT_TRANSLATE_NOOP("phrases", "The rest of its signal list is removed."),
    .needsExplicitWakeUp = true,
};

} // namespace lockscope
