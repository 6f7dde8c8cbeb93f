// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownerfacts.h"

#include "core/family/shapes.h"
#include "core/family/standing.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QVariant>

#include <charconv>

namespace lockscope {

namespace {

constexpr qsizetype valueHashLength = 22;

/// FasterMultiLock's owners come as HASH:OWNER.
QByteArrayView withoutValueHash(Family family, QByteArrayView owner)
{
    const bool hasHash = family == Family::RedissonMulti && owner.size() > valueHashLength + 1 &&
                         owner[valueHashLength] == ':';
    return hasHash ? owner.sliced(valueHashLength + 1) : owner;
}

OwnerFacts redissonFacts(QByteArrayView owner)
{
    OwnerFacts facts;
    if (const std::optional<RedissonId> id = redissonId(owner)) {
        facts.client = id->client().toByteArray();
        facts.thread = id->thread().toByteArray();
        facts.transaction = id->transaction.toByteArray();
    }
    return facts;
}

OwnerFacts timedFacts(QByteArrayView owner)
{
    constexpr qsizetype hexLength = 32;
    constexpr qsizetype nodeLength = 12;
    OwnerFacts facts;
    if (owner.size() != hexLength || !isLowerHex(owner))
        return facts;
    facts.sinceMs = uuidTime(owner);
    if (facts.sinceMs) {
        facts.sinceIsTry = true; // drawn before the first attempt
        facts.node = owner.last(nodeLength).toByteArray();
    }
    return facts;
}

/// What a home-made lock says in a JSON object of its own.
OwnerFacts recordFacts(const QByteArray &owner)
{
    OwnerFacts facts;
    const QJsonObject object = QJsonDocument::fromJson(owner).object();
    for (auto field = object.begin(); field != object.end(); ++field) {
        const QByteArray value = field->toVariant().toString().toUtf8();
        switch (recordField(field.key().toUtf8())) {
        case RecordField::Owner:
            facts.client = value;
            break;
        case RecordField::Host:
            facts.host = value;
            break;
        case RecordField::Process:
            facts.process = value;
            break;
        case RecordField::Thread:
            facts.thread = value;
            break;
        case RecordField::Time:
        case RecordField::Nothing:
            break;
        }
    }
    return facts;
}

int numberAt(QByteArrayView text, qsizetype at, qsizetype digits)
{
    int value = -1;
    if (at + digits <= text.size() && isDigits(text.sliced(at, digits)))
        std::from_chars(text.data() + at, text.data() + at + digits, value);
    return value;
}

/// "2026-11-21T20:13:35.123456Z", with as many digits of a second as Java's Instant has: none, 3, 6 or 9.
CompactOptional<qint64> isoTime(QByteArrayView text)
{
    using namespace std::chrono;
    constexpr qsizetype seconds = 19; // characters up to them
    if (text.size() <= seconds || !text.endsWith('Z') || text[4] != '-' || text[7] != '-' ||
        text[10] != 'T' || text[13] != ':' || text[16] != ':')
        return {};
    const year_month_day date{year(numberAt(text, 0, 4)), month(static_cast<unsigned>(numberAt(text, 5, 2))),
                              day(static_cast<unsigned>(numberAt(text, 8, 2)))};
    const int hour = numberAt(text, 11, 2);
    const int minute = numberAt(text, 14, 2);
    const int second = numberAt(text, 17, 2);
    if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
        return {};
    const QByteArrayView fraction = text.sliced(seconds).chopped(1);
    int ms = 0;
    if (!fraction.isEmpty()) {
        ms = fraction[0] == '.' ? numberAt(fraction, 1, 3) : -1;
        if (ms < 0)
            return {};
    }
    const auto time =
        sys_days(date).time_since_epoch() + hours(hour) + minutes(minute) + std::chrono::seconds(second);
    return milliseconds(time).count() + ms;
}

/// ADDED:time@host, and later a colon and a UUID of this acquisition.
OwnerFacts addedFacts(QByteArrayView owner)
{
    constexpr QByteArrayView head = "ADDED:";
    constexpr qsizetype uuidLength = 36;
    OwnerFacts facts;
    const qsizetype at = owner.indexOf('@');
    if (shapeOf(owner) != TokenFormat::AddedAt || at < head.size())
        return facts;
    facts.sinceMs = isoTime(owner.first(at).sliced(head.size()));
    QByteArrayView host = owner.sliced(at + 1);
    if (host.size() > uuidLength + 1 && host[host.size() - uuidLength - 1] == ':' &&
        isUuid(host.last(uuidLength)))
        host = host.chopped(uuidLength + 1);
    facts.host = host.toByteArray();
    return facts;
}

/// The job's id is what follows prefix and queue. Prefixes of an application's own may have colons: then the last part
/// is the id, and the three last of a job that repeats.
QByteArrayView jobIdOf(QByteArrayView key)
{
    const QByteArrayView job = jobKeyOf(key);
    if (job.startsWith("bull:") || job.startsWith("{bull}:"))
        return job.sliced(job.indexOf(':', job.indexOf(':') + 1) + 1);
    const qsizetype repeat = job.lastIndexOf(QByteArrayView(":repeat:"));
    return job.sliced((repeat < 0 ? job.lastIndexOf(':') : repeat) + 1);
}

OwnerFacts jobFacts(QByteArrayView key, QByteArrayView owner)
{
    constexpr qsizetype uuidLength = 36;
    OwnerFacts facts;
    facts.job = jobIdOf(key).toByteArray();
    if (owner.size() < uuidLength || !isUuid(owner.first(uuidLength)))
        return facts;
    facts.client = owner.first(uuidLength).toByteArray();
    if (owner.size() > uuidLength + 1)
        facts.worker = owner.sliced(uuidLength + 1).toByteArray();
    return facts;
}

OwnerFacts processFacts(QByteArrayView owner)
{
    OwnerFacts facts;
    if (const std::optional<ProcessToken> token = processToken(owner)) {
        facts.host = token->machine.toByteArray();
        facts.process = token->process.toByteArray();
    }
    return facts;
}

OwnerFacts nodeFacts(QByteArrayView owner)
{
    constexpr qsizetype tail = 1 + 16; // a colon, and what is random
    constexpr qsizetype timeLength = 13;
    OwnerFacts facts;
    if (shapeOf(owner) != TokenFormat::NodeAndTime)
        return facts;
    owner = owner.chopped(tail);
    facts.sinceMs = owner.last(timeLength).toLongLong();
    facts.sinceIsTry = true;
    facts.host = owner.chopped(timeLength + 1).toByteArray();
    return facts;
}

} // namespace

OwnerFacts ownerFacts(Family family, const LockKey &key, const OwnerId &owner)
{
    constexpr qsizetype uuidLength = 36;
    const QByteArrayView bytes = owner.bytes;
    OwnerFacts facts;
    switch (family) {
    case Family::RedissonMulti:
        facts = redissonFacts(withoutValueHash(family, bytes));
        facts.part =
            bytes.size() > valueHashLength ? bytes.first(valueHashLength).toByteArray() : QByteArray();
        return facts;
    case Family::Redisson:
    case Family::RedissonFair:
    case Family::RedissonFenced:
    case Family::RedissonReadWrite:
    case Family::Handoff: // its clients may call themselves as Redisson's do
        return redissonFacts(bytes);
    case Family::Token:
        if (bytes.startsWith('{'))
            return recordFacts(owner.bytes);
        return timedFacts(bytes); // a redis-py lock that is older than recognition trusts
    case Family::RedisPy:
    case Family::Redbeat:
    case Family::CeleryOnce:
    case Family::DjangoRedis:
        return timedFacts(bytes);
    case Family::ShedLock:
        return addedFacts(bytes);
    case Family::BullMq:
    case Family::Bull:
        return jobFacts(key.bytes, bytes);
    case Family::RedissonSemaphore:
        if (bytes.size() == permitIdLength)
            facts.permit = owner.bytes.toHex();
        return facts;
    case Family::SidekiqUniqueJobs:
        facts.job = owner.bytes;
        return facts;
    case Family::Madelson:
        return processFacts(bytes);
    case Family::RedlockUniversal:
        return nodeFacts(bytes);
    case Family::BsmRedislock:
        facts.metadata = owner.bytes.mid(valueHashLength);
        return facts;
    case Family::SpringIntegration:
    case Family::Hangfire:
        if (isUuid(bytes))
            facts.client = owner.bytes;
        return facts;
    case Family::RedisSemaphore:
        if (shapeOf(bytes) == TokenFormat::SuffixedUuid)
            facts.metadata = owner.bytes.mid(uuidLength + 1);
        return facts;
    case Family::Quartz:
        if (key.bytes.startsWith("trigger_lock:"))
            facts.client = owner.bytes;
        return facts;
    default:
        return facts;
    }
}

QByteArray threadIdentity(Family family, const OwnerId &owner)
{
    switch (family) {
    case Family::Redisson:
    case Family::RedissonFair:
    case Family::RedissonFenced:
    case Family::RedissonReadWrite:
    case Family::RedissonMulti: {
        const std::optional<RedissonId> id = redissonId(withoutValueHash(family, owner.bytes));
        return id ? id->clientAndThread.toByteArray() : owner.bytes;
    }
    case Family::Reentrant:
    case Family::Handoff:
    case Family::SidekiqUniqueJobs:
        return owner.bytes;
    case Family::Madelson: {
        const std::optional<ProcessToken> token = processToken(owner.bytes);
        return token ? token->machine.toByteArray() + '_' + token->process.toByteArray() : QByteArray();
    }
    default:
        return {};
    }
}

} // namespace lockscope
