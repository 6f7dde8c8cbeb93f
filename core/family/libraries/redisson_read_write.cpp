// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's read-write lock: a hash with a mode and an owner a field, and a key for each reader's hold.
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/model/actionrequest.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qint64 maxTimeouts = 1000;

std::optional<OwnersMatch> matchHash(const HashValue &hash)
{
    const QByteArray *mode = nullptr;
    QList<LockOwner> owners;
    for (const auto &[field, value] : hash.content.fields) {
        if (const std::optional<RedissonId> id = redissonId(field)) {
            QByteArray owner = field;
            if (id->writes)
                owner.remove(id->clientAndThread.size(), qsizetype(qstrlen(":write")));
            owners.append(
                {OwnerId(owner), value, parseCount(value), id->writes ? HoldMode::Write : HoldMode::Read});
        } else if (field == "mode" && (value == "read" || value == "write")) {
            mode = &value;
        } else {
            return std::nullopt;
        }
    }
    if (!mode || owners.isEmpty())
        return std::nullopt;
    OwnersMatch result =
        holding(std::move(owners), contentEvidence(false, hash.ttl.has_value()), hash.content.complete);
    // A writer may read as well, but nobody else.
    const bool areSeveral =
        result.owners.size() > 1 && result.owners.front().owner != result.owners.back().owner;
    result.problems.setFlag(Problem::SeveralOwners, *mode == "write" && areSeveral);
    return result;
}

std::optional<EvidenceSet> matchOwners(const HashOwners &hash)
{
    const bool isShared = std::ranges::any_of(
        hash.owners, [](const LockOwner &holder) { return holder.mode != HoldMode::Exclusive; });
    if (!isShared || !std::ranges::all_of(hash.owners, isRedissonOwner))
        return std::nullopt;
    return contentEvidence(hash.key.startsWith("redisson_"), hash.ttl.has_value());
}

/// {name}:<owner>:rwlock_timeout:<n>, one for each hold of a reader.
LockKey parentOfName(QByteArrayView key)
{
    constexpr QByteArrayView part = ":rwlock_timeout:";
    // From the end, for every name that is met comes here: most end with a number, few with this.
    qsizetype digits = 0;
    while (digits < key.size() && key[key.size() - digits - 1] >= '0' && key[key.size() - digits - 1] <= '9')
        ++digits;
    if (digits == 0 || !key.chopped(digits).endsWith(part))
        return {};
    const QByteArrayView hold = key.chopped(digits + part.size());
    for (qsizetype colon = hold.indexOf(':'); colon > 0; colon = hold.indexOf(':', colon + 1)) {
        if (redissonId(hold.sliced(colon + 1)))
            return redissonUnwrapped(hold.first(colon));
    }
    return {};
}

QByteArray unlockChannel(const LockKey &lock)
{
    return redissonPrefixed("redisson_rwlock", lock.bytes);
}

/// An owner without a mode means all of its holds.
QList<LockOwner> expectedHolds(const ActionRequest &request)
{
    QList<LockOwner> list;
    for (const LockOwner &expected : request.expected) {
        const qsizetype before = list.size();
        if (expected.mode == HoldMode::Exclusive && request.seen) {
            for (LockOwner seen : request.seen->owners) {
                if (seen.owner != expected.owner)
                    continue;
                seen.rawHoldCount = expected.rawHoldCount;
                list.append(seen);
            }
        }
        if (list.size() == before)
            list.append(expected);
    }
    return list;
}

/// The keys of a reader's holds, one for each level.
QByteArrayList timeoutKeys(const LockKey &lock, const LockOwner &reader, qint64 levels)
{
    QByteArrayList keys;
    const QByteArray name = redissonSuffixed(lock.bytes, reader.owner.bytes + ":rwlock_timeout:");
    for (qint64 level = 1; level <= levels; ++level)
        keys.append(name + QByteArray::number(level));
    return keys;
}

QByteArrayList keys(const ActionRequest &request, const QList<LockOwner> &expected, bool isAlone)
{
    if (isAlone)
        return {};
    QByteArrayList ended;
    QByteArrayList stay;
    const QList<LockOwner> seen = request.seen ? request.seen->owners : expected;
    for (const LockOwner &holder : seen) {
        QByteArrayList &list = isAmong(expected, holder) ? ended : stay;
        if (holder.mode != HoldMode::Write)
            list +=
                timeoutKeys(request.key, holder,
                            std::clamp<qint64>(holder.holdCount.value_or(0), 0, maxTimeouts - list.size()));
    }
    // Those that stay tell how long the lock is to last: all of them, or none.
    return request.onlyExpected && stay.size() < maxTimeouts ? ended + stay : ended;
}

constexpr Scripts scripts{.forceExpire = {"redisson-read-write/force-expire"},
                          .keepsCounts = true,
                          .canEndSome = true,
                          .sendsToShards = true,
                          .writesMode = true,
                          .keys = keys,
                          .expected = expectedHolds};

} // namespace

constinit const FamilySpec families::redisson_read_write{
    .name = "redisson-read-write",
    .noun = QT_TRANSLATE_NOOP("phrases", "Redisson read-write lock"),
    .stored = "hash with `mode`, and one field per reader or writer",
    .library = "redisson",
    .proof = provenAsRedisson,
    .prevalence = 99,
    .wake = WaitMechanism::MessageToAll,
    .acquire = AcquireSupport::NoScript,
    .severalOwners = true,
    .renews = true,
    .countsHolds = true,
    .watchdog = redissonWatchdog,
    .fields = {FieldFormat::RedissonId, FieldFormat::Mode},
    .matchHash = matchHash,
    .matchOwners = matchOwners,
    .parentOfName = parentOfName,
    .ownerFacts = redissonOwner,
    .threadIdentity = redissonThread,
    .storedField = redissonField,
    .unlockChannel = unlockChannel,
    .scripts = &scripts,
    .ownerEffect = stopsRenewing,
    .companionNote = QT_TRANSLATE_NOOP("phrases", "The readers' timeout keys are removed too."),
};

} // namespace lockscope
