// SPDX-License-Identifier: GPL-3.0-or-later
// node-redisson: a hash of one lock object, which counts its holds. Waiters listen to a channel, or read a stream.
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/model/actionrequest.h"

namespace lockscope {

namespace {

bool isId(QByteArrayView field)
{
    return field.size() == 2 * uuidLength + 1 && field[uuidLength] == ':' &&
           isUuid(field.first(uuidLength)) && isUuid(field.last(uuidLength));
}

std::optional<OwnersMatch> matchHash(const HashValue &hash)
{
    const auto &fields = hash.content.fields;
    if (!hash.content.complete || fields.size() != 1 || !isId(fields.front().first))
        return std::nullopt;
    const auto &[field, value] = fields.front();
    const CompactOptional<qint64> holds = parseCount(value);
    if (!holds) // two UUIDs with a colon between them may name anything
        return std::nullopt;
    return holding({{OwnerId(field), value, holds}}, contentEvidence(false, hash.ttl.has_value()), true);
}

std::optional<EvidenceSet> matchOwners(const HashOwners &hash)
{
    if (hash.owners.size() != 1 || !hash.owners.front().holdCount || !isId(hash.owners.front().owner.bytes))
        return std::nullopt;
    return contentEvidence(false, hash.ttl.has_value());
}

OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    if (isId(owner.bytes))
        facts.client = owner.bytes.first(uuidLength);
    return facts;
}

/// Depends only on the beginning of the name, unlike in Redisson for Java.
QByteArray channel(const LockKey &lock)
{
    const QByteArray prefix = "redisson_lock__channel:";
    return lock.bytes.startsWith('{') ? prefix + lock.bytes : prefix + '{' + lock.bytes + '}';
}

/// One stream for all locks, if clients are configured to use it.
QByteArrayList keys(const ActionRequest &request, const QList<LockOwner> &, bool isAlone)
{
    const bool wakes = request.action == Action::Release || request.action == Action::ForceExpire;
    return wakes && !isAlone ? QByteArrayList{"redisson:events"} : QByteArrayList();
}

constexpr Scripts scripts{.acquire = {"reentrant/acquire", true},
                          .release = {"node-redisson/release"},
                          .extend = {"reentrant/extend", true},
                          .forceExpire = {"node-redisson/force-expire"},
                          .keepsCounts = true,
                          .keysInOtherSlots = true,
                          .keys = keys,
                          .releaseArguments = leaseAndLevels};

} // namespace

constinit const FamilySpec families::node_redisson{
    .name = "node-redisson",
    .noun = QT_TRANSLATE_NOOP("phrases", "node-redisson lock"),
    .stored = "hash, `<uuid>:<uuid>` → hold count",
    .proof = {.certain = {{Evidence::Content, Evidence::Lease, Evidence::Listeners},
                          {Evidence::Content, Evidence::Lease, Evidence::Renewals}},
              .likely = {{Evidence::Content, Evidence::Lease}}},
    .prevalence = 50,
    .wake = WaitMechanism::MessageToAll,
    .renews = true,
    .countsHolds = true,
    .mayListenElsewhere = true,
    .watchdog = redissonWatchdog,
    .fields = {FieldFormat::UuidPair},
    .matchHash = matchHash,
    .matchOwners = matchOwners,
    .ownerFacts = ownerFacts,
    .threadIdentity = wholeId, // a lock object, which no other thread or process has
    .unlockChannel = channel,
    .scripts = &scripts,
    .wakeEffect =
        QT_TRANSLATE_NOOP("phrases", "A message on the channel %1 wakes subscribed waiters. Outside a "
                                     "cluster, readers of an existing stream redisson:events are woken too."),
};

} // namespace lockscope
