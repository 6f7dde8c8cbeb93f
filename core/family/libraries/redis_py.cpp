// SPDX-License-Identifier: GPL-3.0-or-later
// redis-py's lock, a string with a UUID of version 1, and those of the libraries that are built upon it.
#include "core/family/familytable.h"
#include "core/family/uuidowner.h"

namespace lockscope {

namespace {

/// Those that build upon it tell themselves by their keys.
enum class RedisPyUser : quint8 { Plain, Redbeat, CeleryOnce, DjangoCache };

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

/// A string that this user of redis-py may have written.
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

} // namespace

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

// celery-once: a task that is to run once at a time.
constinit const FamilySpec families::celery_once{
    .name = "celery-once",
    .noun = QT_TRANSLATE_NOOP("phrases", "Celery Once task lock"),
    .stored = "as `redis-py`, under `qo_…`",
    .proof = provenByHint,
    .prevalence = 94,
    .ownerImpact = OwnerImpact::DeletesNextLock,
    .strings = {TokenFormat::Hex32},
    .matchString = [](const StringValue &string) { return matchRedisPy(string, RedisPyUser::CeleryOnce); },
    .ownerFacts = uuid1Owner,
    .wakeEffect =
        QT_TRANSLATE_NOOP("phrases", "Nobody waits for such a lock. The task can start when it is next due."),
};

// django-redis: the lock of Django's cache.
constinit const FamilySpec families::django_redis{
    .name = "django-redis",
    .noun = QT_TRANSLATE_NOOP("phrases", "django-redis cache lock"),
    .stored = "as `redis-py`, under `:1:…`",
    .proof = provenByHint,
    .prevalence = 93,
    .canLackExpiry = true,
    .strings = {TokenFormat::Hex32},
    .matchString = [](const StringValue &string) { return matchRedisPy(string, RedisPyUser::DjangoCache); },
    .ownerFacts = uuid1Owner,
};

// redbeat: the scheduler of Celery keeps the lock, and so the token that it began with, for as long as it runs.
constinit const FamilySpec families::redbeat{
    .name = "redbeat",
    .noun = QT_TRANSLATE_NOOP("phrases", "RedBeat scheduler lock"),
    .stored = "as `redis-py`, under `…redbeat::lock`",
    .proof = provenByOwnName,
    .prevalence = 70,
    .ownerImpact = OwnerImpact::FailsRenewal,
    .renews = true,
    .strings = {TokenFormat::Hex32},
    .matchString = [](const StringValue &string) { return matchRedisPy(string, RedisPyUser::Redbeat); },
    .ownerFacts = uuid1Owner,
    .wakeEffect = QT_TRANSLATE_NOOP("phrases", "No waiter is notified. A standby scheduler finds the lock "
                                               "free at its next check, which can be minutes away."),
};

} // namespace lockscope
