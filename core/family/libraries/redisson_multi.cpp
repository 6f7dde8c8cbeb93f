// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's FasterMultiLock: a hash with three fields for each value that is locked.
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype valueHashLength = 22;
constexpr QByteArrayView countSuffix = ":lock_count";
constexpr QByteArrayView timeSuffix = ":expire_time";

bool beginsWithValueHash(QByteArrayView field)
{
    return field.size() >= valueHashLength && endsSixteenBytes(field[valueHashLength - 1]) &&
           isBase64(field.first(valueHashLength));
}

/// True if `field` is HASH:OWNER and `suffix`.
bool isOf(QByteArrayView field, QByteArrayView valueHash, QByteArrayView owner, QByteArrayView suffix)
{
    return field.size() == valueHash.size() + 1 + owner.size() + suffix.size() &&
           field.startsWith(valueHash) && field[valueHash.size()] == ':' && field.endsWith(suffix) &&
           field.sliced(valueHash.size() + 1, owner.size()) == owner;
}

std::optional<OwnersMatch> matchHash(const HashValue &hash)
{
    QList<LockOwner> owners;
    bool anyWhole = false;
    const HashContent &content = hash.content;
    for (const auto &entry : content.fields) {
        const QByteArray &field = entry.first;
        const QByteArray &owner = entry.second;
        if (!beginsWithValueHash(field))
            return std::nullopt;
        if (field.size() > valueHashLength) {
            if (!field.endsWith(countSuffix) && !field.endsWith(timeSuffix))
                return std::nullopt;
            continue;
        }
        if (!redissonId(owner))
            return std::nullopt;
        const auto count = std::ranges::find_if(
            content.fields, [&](const auto &other) { return isOf(other.first, field, owner, countSuffix); });
        LockOwner holder{OwnerId(field + ':' + owner), {}, {}};
        if (count != content.fields.end()) {
            anyWhole = true;
            holder.rawHoldCount = count->second;
            holder.holdCount = parseCount(count->second);
        } else if (!content.complete) {
            continue; // not bad, but not read
        }
        owners.append(std::move(holder));
    }
    if (!anyWhole)
        return std::nullopt;
    return holding(std::move(owners), contentEvidence(false, hash.ttl.has_value()), content.complete);
}

/// The owner without the hash in HASH:OWNER.
OwnerId withoutValueHash(const OwnerId &owner)
{
    const QByteArray &bytes = owner.bytes;
    const bool hasHash = bytes.size() > valueHashLength + 1 && bytes[valueHashLength] == ':';
    return hasHash ? OwnerId(bytes.sliced(valueHashLength + 1)) : owner;
}

OwnerFacts ownerFacts(const LockKey &key, const OwnerId &owner)
{
    OwnerFacts facts = redissonOwner(key, withoutValueHash(owner));
    if (owner.bytes.size() > valueHashLength)
        facts.part = owner.bytes.first(valueHashLength);
    return facts;
}

QByteArray threadIdentity(const OwnerId &owner)
{
    return redissonThread(withoutValueHash(owner));
}

constexpr Scripts scripts{.forceExpire = {"redisson-multi/force-expire"},
                          .keepsCounts = true,
                          .canEndSome = true,
                          .sendsToShards = true};

} // namespace

constinit const FamilySpec families::redisson_multi{
    .name = "redisson-multi",
    .noun = QT_TRANSLATE_NOOP("phrases", "Redisson lock of several values"),
    .stored = "hash with `…:expire_time` and `…:lock_count` for each value",
    .library = "redisson",
    .proof = {.certain = {{Evidence::Content, Evidence::Lease}, {Evidence::Content, Evidence::Listeners}},
              .likely = {Evidence::Content}},
    .wake = WaitMechanism::Message,
    .acquire = AcquireSupport::NoScript,
    .severalOwners = true,
    .renews = true,
    .ownersAreFields = false,
    .fields = {FieldFormat::ValueHash},
    .matchHash = matchHash,
    .ownerFacts = ownerFacts,
    .threadIdentity = threadIdentity,
    .unlockChannel = redissonChannel,
    .scripts = &scripts,
};

} // namespace lockscope
