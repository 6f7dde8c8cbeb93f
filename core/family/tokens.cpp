// SPDX-License-Identifier: GPL-3.0-or-later
// Locks kept as strings. What a random token looks like narrows down who drew it; only a few prove it.
#include "core/family/certainty.h"
#include "core/family/recognizers.h"
#include "core/family/shapes.h"
#include "core/family/standing.h"
#include "core/family/unwrap.h"

#include <array>

namespace lockscope {

namespace {

constexpr qsizetype longestToken =
    512; // tokens are UUIDs and the like; a document under a lock's name is none

constexpr QByteArrayView writerSuffix = ".writer";
constexpr QByteArrayView readersSuffix = ".readers";
constexpr qsizetype jobIdLength = 24;

/// The owner is the time at which it began to try; who holds for a month has found another way to fail.
bool isOfLate(QByteArrayView hex, qint64 nowMs)
{
    constexpr qint64 day = 86'400'000;
    const CompactOptional<qint64> time = uuidTime(hex);
    return time && *time > nowMs - 30 * day && *time < nowMs + day;
}

/// ":1:name", as Django's cache builds it where no prefix is set. With one, nothing tells it from other names.
bool isDjangoKey(QByteArrayView key)
{
    const qsizetype second = key.startsWith(':') ? key.indexOf(':', 1) : -1;
    return second > 0 && isDigits(key.sliced(1, second - 1));
}

/// A lock that is to last no longer than this, or none that its library takes by default.
bool endsWithin(CompactOptional<milliseconds> ttl, milliseconds longest)
{
    return ttl && *ttl <= longest;
}

EvidenceSet content(bool isNamed, bool isLeased)
{
    EvidenceSet evidence(Evidence::Content);
    evidence.set(Evidence::Name, isNamed);
    evidence.set(Evidence::Lease, isLeased);
    return evidence;
}

/// redis-py's token, which other programs draw for requests and traces too.
Claim pythonClaim(QByteArrayView key, QByteArrayView hex, qint64 nowMs)
{
    // The scheduler keeps its lock, and so the token it began with, for as long as it runs.
    if (key.endsWith("redbeat::lock"))
        return {Family::Redbeat, content(true, false)};
    if (!isOfLate(hex, nowMs))
        return {};
    if (key.startsWith("qo_"))
        return {Family::CeleryOnce, content(true, false)};
    if (isDjangoKey(key))
        return {Family::DjangoRedis, content(true, false)};
    // dogpile.cache puts its word right before the name.
    return {Family::RedisPy, content(namesALock(key) || key.startsWith("_lock"), false)};
}

bool isBullPrefix(QByteArrayView key)
{
    return key.startsWith("bull:") || key.startsWith("{bull}:");
}

/// A reader of redlock4j's read-write lock: KEY:readers:TOKEN.
bool isRedlock4jReader(QByteArrayView key)
{
    constexpr QByteArrayView part = ":readers:";
    constexpr qsizetype tokenLength = 40;
    return key.size() > part.size() + tokenLength && isLowerHex(key.last(tokenLength)) &&
           key.chopped(tokenLength).endsWith(part);
}

bool isLaravelName(QByteArrayView key)
{
    return key.contains("laravel_unique_job:") || key.contains("framework/schedule-") ||
           key.contains("laravel-queue-overlap:");
}

bool hasLaravelPrefix(QByteArrayView key)
{
    // Before and after 9, and since 11, by the prefixes of the application's own configuration.
    const bool hasCache = key.contains("_cache:") || key.contains("_cache_");
    return key.contains("laravel_cache:") || (key.contains("_database_") && hasCache) ||
           (key.contains("-database-") && key.contains("-cache-"));
}

/// As phpredis writes what it was told to serialise.
bool isSerialised(QByteArrayView value)
{
    return value.startsWith("s:16:\"") || static_cast<uchar>(value[0]) < ' ' ||
           static_cast<uchar>(value[0]) > '~';
}

/// What was compressed can't be read: then a name must tell more than the cache's prefix does.
bool isLaravelSerialised(QByteArrayView key, QByteArrayView value)
{
    if (isLaravelName(key) && isSerialised(value))
        return true;
    const std::optional<QByteArrayView> text = unwrapped(value);
    return text && shapeOf(*text) == TokenFormat::Letters16 && (isLaravelName(key) || hasLaravelPrefix(key));
}

/// Sessions have a word, a number and a UUID as well. Locks have an end, which is near.
EvidenceSet processEvidence(QByteArrayView key, QByteArrayView value, CompactOptional<milliseconds> ttl)
{
    constexpr milliseconds near = std::chrono::minutes(5);
    const bool isNear = endsWithin(ttl, near);
    const bool isWriter = key.endsWith(writerSuffix);
    if (!processToken(value)->namesAMachine && !isWriter && !namesALock(key))
        return {};
    return content(isWriter && ttl, isNear);
}

Claim uuidClaim(QByteArrayView key, CompactOptional<milliseconds> ttl)
{
    constexpr milliseconds longest = std::chrono::minutes(1); // 10 s and 30 s by default
    if (key.startsWith("{hangfire}:"))
        return {Family::Hangfire, content(true, ttl.has_value())};
    if (key.startsWith("mutex:"))
        return {Family::RedisSemaphore, content(true, endsWithin(ttl, longest))};
    if (key == "lock")
        return {Family::Quartz, content(true, endsWithin(ttl, longest))};
    return {};
}

/// The name of a scheduler, as a person gives it: no document.
bool isQuartzTrigger(QByteArrayView key, QByteArrayView value)
{
    return key.startsWith("trigger_lock:") && !value.contains(' ') && value[0] != '{' && value[0] != '[' &&
           value[0] != '"';
}

HoldMode modeOf(Family family, QByteArrayView key)
{
    if (family == Family::Madelson && key.endsWith(writerSuffix))
        return HoldMode::Write;
    if (family == Family::Redlock4j)
        return key.endsWith(":write") ? HoldMode::Write : HoldMode::Read;
    return HoldMode::Exclusive;
}

/// The lock to which a string belongs that holds nothing itself.
LockKey parentOf(const LockKey &key, const QByteArray &value, TokenFormat shape)
{
    // A writer that waits for the readers to leave.
    if (shape == TokenFormat::Process && key.bytes.endsWith(writerSuffix) && processToken(value)->waits)
        return LockKey(key.bytes.chopped(writerSuffix.size()) + readersSuffix.toByteArray());
    // The job for which sidekiq-unique-jobs made this digest.
    if (value.size() == jobIdLength && isLowerHex(value) && key.bytes.contains("uniquejobs:") &&
        isDigest(key.bytes))
        return LockKey(key.bytes + ":LOCKED");
    return {};
}

} // namespace

Claim tokenClaim(QByteArrayView key, QByteArrayView value, TokenFormat shape,
                 CompactOptional<milliseconds> ttl, qint64 nowMs)
{
    constexpr milliseconds redlock4jLease = std::chrono::seconds(30);
    constexpr milliseconds quartzLease = std::chrono::minutes(10);
    const bool isLeased = ttl.has_value();
    if (isQuartzTrigger(key, value))
        return {Family::Quartz, content(true, endsWithin(ttl, quartzLease))};
    switch (shape) {
    case TokenFormat::Uuid:
        return uuidClaim(key, ttl);
    case TokenFormat::SuffixedUuid:
        return key.startsWith("mutex:") ? uuidClaim(key, ttl) : Claim();
    case TokenFormat::CountedUuid:
        return {Family::BullMq, content(isBullPrefix(key) && !jobKeyOf(key).isEmpty(), isLeased)};
    case TokenFormat::Hex32:
        if (uuidVersion(value) == 1)
            return pythonClaim(key, value, nowMs);
        if (uuidVersion(value) == 4 && key.startsWith("lock4j:"))
            return {Family::Lock4j, content(true, isLeased)};
        return {};
    case TokenFormat::Hex40:
        return {Family::Redlock4j,
                content(key.endsWith(":write") || isRedlock4jReader(key), endsWithin(ttl, redlock4jLease))};
    case TokenFormat::Letters16:
        return {Family::Laravel, content(isLaravelName(key) || hasLaravelPrefix(key), isLeased)};
    case TokenFormat::Base64Of16:
        // node-redis-warlock writes the same, of a UUID that tells when: then nobody knows.
        return {Family::Redsync, content(namesALock(key) && uuidInBase64(value).isEmpty(), isLeased)};
    case TokenFormat::Base64Of18:
        return {Family::PythonRedisLock, content(key.startsWith("lock:"), isLeased)};
    case TokenFormat::AddedAt:
        return {Family::ShedLock, content(key.startsWith("job-lock:"), isLeased)};
    case TokenFormat::Process:
        return {Family::Madelson, processEvidence(key, value, ttl)};
    case TokenFormat::TimeAndProcess:
        return {Family::RedlockUniversal, content(false, isLeased)};
    case TokenFormat::Other:
        return isLaravelSerialised(key, value) ? Claim{Family::Laravel, content(true, isLeased)} : Claim();
    default:
        return {};
    }
}

Recognition recognizeString(const LockKey &key, const StringContent &string,
                            CompactOptional<milliseconds> ttl, qint64 nowMs)
{
    Recognition result;
    const QByteArray &value = string.value;
    if (!string.complete || value.isEmpty() || value.size() > longestToken)
        return result;
    const TokenFormat shape = shapeOf(value);
    result.attachedTo = parentOf(key, value, shape);
    if (!result.attachedTo.isEmpty())
        return result;
    const Claim claim = namesALockFile(key.bytes) ? Claim() : tokenClaim(key.bytes, value, shape, ttl, nowMs);
    result.evidence = claim.evidence;
    if (isProven(claim.family, claim.evidence)) {
        result.family = claim.family;
    } else if (const Standing standing = standingOf(key.bytes, value, shape, ttl);
               standing != Standing::NoLock) {
        result.family = Family::Token;
        result.alarmsWithoutExpiry = standing == Standing::Token && namesALock(key.bytes);
    } else {
        result.evidence = {};
    }
    result.owners.append({OwnerId(value), {}, 1, modeOf(result.family, key.bytes)});
    return result;
}

QList<Family> tokenCandidates(QByteArrayView key, QByteArrayView value)
{
    switch (shapeOf(value)) {
    case TokenFormat::SuffixedUuid:
        return key.startsWith("mutex:") ? QList{Family::RedisSemaphore} : QList<Family>();
    case TokenFormat::Uuid: {
        if (key.startsWith("redlock:"))
            return {Family::RedLockNet, Family::Pottery};
        QList<Family> found;
        if (key.startsWith("mutex:"))
            found.append(Family::RedisSemaphore);
        if (!jobKeyOf(key).isEmpty())
            found.append(Family::Bull);
        if (key.contains(':'))
            found.append(Family::SpringIntegration);
        if (key.startsWith('{'))
            found.append(Family::Hangfire);
        if (key.endsWith("lock"))
            found.append(Family::Quartz);
        return found;
    }
    case TokenFormat::CountedUuid:
        return jobKeyOf(key).isEmpty() ? QList<Family>() : QList{Family::BullMq};
    case TokenFormat::Hex32: {
        QList<Family> found;
        if (uuidVersion(value) == 1)
            found.append(key.startsWith("qo_") ? Family::CeleryOnce
                         : isDjangoKey(key)    ? Family::DjangoRedis
                                               : Family::RedisPy);
        found += {Family::NodeRedlock, Family::RedlockUniversal};
        if (uuidVersion(value) == 4)
            found.append(Family::Lock4j);
        return found;
    }
    case TokenFormat::Hex40:
        return {Family::Redlock4j};
    case TokenFormat::Letters16:
    case TokenFormat::Letters20:
        return {Family::Laravel};
    case TokenFormat::Base64Of16:
        return {Family::Redsync};
    case TokenFormat::Base64Of18:
        return {Family::PythonRedisLock};
    case TokenFormat::Base64Of32:
        return {Family::Symfony};
    case TokenFormat::Url16:
    case TokenFormat::Url16AndMore:
    case TokenFormat::Url16MaybeMore:
        return {Family::BsmRedislock};
    case TokenFormat::Process:
        return {Family::Madelson};
    case TokenFormat::NodeAndTime:
    case TokenFormat::TimeAndProcess:
        return {Family::RedlockUniversal};
    case TokenFormat::AddedAt:
        return {Family::ShedLock};
    case TokenFormat::Other:
        break;
    }
    // One token in a hundred and fifty is of letters alone.
    if (key.startsWith("lock:") && value.size() == 24 && isBase64(value))
        return {Family::PythonRedisLock};
    return {};
}

} // namespace lockscope
