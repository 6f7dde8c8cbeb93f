// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's semaphores: a number of free permits, and a sorted set of those that were given out, if they expire.
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/model/actionrequest.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

constexpr QByteArrayView permitsSuffix = ":timeout";
constexpr QByteArrayView lastPermitAsked = "64";      // one more than are kept
constexpr qint64 permitForEver = 922'337'203'685'477; // as Redisson writes it
bool isMine(const Lock &lock)
{
    return isOf(lock, families::redisson_semaphore);
}

bool mayHave(const Lock &lock)
{
    return isBareNumber(lock) || isMine(lock);
}

void append(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    const QByteArray &key = lock.key().bytes;
    batch.add({"ZRANGE", redissonSuffixed(key, "timeout"), "0", lastPermitAsked, "WITHSCORES"});
    batch.add({"GETRANGE", key, "0", lastByteOfToken});
}

CompanionQueries take(const Lock &lock, PartialCompanionState &reading, std::span<const Reply> replies,
                      Family self)
{
    reading.read.insert(self);
    CompanionState &state = reading.state;
    const QByteArray freePermits = textIn(replies[1]);
    if (!isCount(freePermits))
        return {};
    QList<Permit> permits;
    const std::vector<Reply> &members = replies[0].elements;
    for (size_t i = 0; i + 1 < members.size(); i += 2) {
        const QByteArray &id = members[i].text;
        if (id.size() != permitIdLength) // a sorted set of that name may hold other things
            return {};
        const CompactOptional<qint64> expiresAtMs = epochMsIn(members[i + 1].text);
        permits.append({OwnerId(id), expiresAtMs && *expiresAtMs < permitForEver
                                         ? expiresAtMs
                                         : CompactOptional<qint64>()});
    }
    if (!permits.isEmpty())
        state.implied.insert(self);
    if (!state.implied.contains(self) && !isMine(lock))
        return {};
    state.morePermits = permits.size() > CompanionState::maxPermits;
    permits.resize(std::min(permits.size(), CompanionState::maxPermits));
    std::ranges::sort(permits, {}, &Permit::id);
    state.permits = permits;
    state.freePermits = freePermits;
    return {};
}

QByteArray pattern(const Lock &lock)
{
    return lock.key().bytes.contains('{') ? "*:timeout" : "{*}:timeout";
}

constexpr std::array commands{QByteArrayView("zrange"), QByteArrayView("getrange")};
constexpr CompanionQuery permitsQuery{
    .commands = commands, .weight = 2, .append = append, .take = take, .pattern = pattern};
constexpr std::array queries{&permitsQuery};

/// Members are raw bytes with the expiry of each permit; the name always has a brace.
LockKey parentOfSortedSet(const SortedSetValue &set)
{
    const bool arePermits = std::ranges::all_of(set.content.members, [](const auto &member) {
        return member.first.size() == permitIdLength && member.second > year2001;
    });
    if (!arePermits || !set.key.endsWith(permitsSuffix) || !set.key.contains('{'))
        return {};
    const QByteArrayView name = set.key.chopped(permitsSuffix.size());
    const bool isWrapped = name.startsWith('{') && name.endsWith('}') && name.lastIndexOf('{') == 0;
    return LockKey((isWrapped ? name.sliced(1, name.size() - 2) : name).toByteArray());
}

bool isPermitsKey(QByteArrayView key)
{
    return key.endsWith(permitsSuffix);
}

/// Requires the whole name in braces: "order:{5}:timeout" may belong to others.
LockKey parentOfName(QByteArrayView key)
{
    if (!key.endsWith(permitsSuffix) || key.lastIndexOf('{') != 0)
        return {};
    const QByteArrayView name = key.chopped(permitsSuffix.size());
    return name.endsWith('}') ? LockKey(name.sliced(1).chopped(1).toByteArray()) : LockKey();
}

/// Without present or earlier subscribers, permits were the evidence.
std::optional<EvidenceSet> matchCompanions(const Lock &lock)
{
    if (!isBareNumber(lock) && !isMine(lock))
        return std::nullopt;
    const CompanionState &state = *lock.companions;
    EvidenceSet evidence;
    evidence.set(Evidence::Listeners, state.hasListeners);
    evidence.set(Evidence::Companions, !state.permits.isEmpty() || !state.hasListeners);
    return evidence;
}

OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    if (owner.bytes.size() == permitIdLength)
        facts.permit = owner.bytes.toHex();
    return facts;
}

QByteArray unlockChannel(const LockKey &lock)
{
    return redissonPrefixed("redisson_sc", lock.bytes);
}

QByteArrayList keys(const ActionRequest &request, const QList<LockOwner> &, bool)
{
    return {redissonSuffixed(request.key.bytes, "timeout")};
}

std::optional<Phrase> validationError(const ActionRequest &request)
{
    const auto isPermit = [](const LockOwner &holder) { return holder.owner.bytes.size() == permitIdLength; };
    if (request.action != Action::ForceExpire || std::ranges::all_of(request.expected, isPermit))
        return std::nullopt;
    if (request.seen && !request.seen->companions->permits.isEmpty())
        return Phrase(QT_TRANSLATE_NOOP("phrases", "Give a permit ID in hex as the owner."));
    return Phrase(
        QT_TRANSLATE_NOOP("phrases", "This semaphore stores no owners and cannot be force-expired."));
}

constexpr Scripts scripts{.forceExpire = {"redisson-semaphore/force-expire"},
                          .canEndSome = true,
                          .sendsToShards = true,
                          .needsGraceless = true,
                          .keys = keys,
                          .validationError = validationError};

} // namespace

constinit const FamilySpec families::redisson_semaphore{
    .name = "redisson-semaphore",
    .noun = QT_TRANSLATE_NOOP("phrases", "Redisson semaphore"),
    .stored = "counter, with permits in `{KEY}:timeout` or a subscribed channel",
    .library = "redisson",
    .proof = provenByCompanions,
    .wake = WaitMechanism::Message,
    .ownerImpact = OwnerImpact::Unaware,
    .acquire = AcquireSupport::NoOwners,
    .severalOwners = true,
    .canLackExpiry = true,
    .ownersAreBytes = true,
    .countsPermits = true,
    .matchCompanions = matchCompanions,
    .precedence = 2,
    .parentOfSortedSet = parentOfSortedSet,
    .parentOfName = parentOfName,
    .isPermitsKey = isPermitsKey,
    .ownerFacts = ownerFacts,
    .unlockChannel = unlockChannel,
    .isProvenBySubscribers = isBareNumber,
    .companions = {.mayHave = mayHave, .queries = queries, .decideKind = true},
    .scripts = &scripts,
    .ownerEffect = QT_TRANSLATE_NOOP(
        "phrases", "The permit's holder is not notified and may still be working. Its release() will fail."),
    .companionNote = QT_TRANSLATE_NOOP("phrases", "Each permit is returned to the free ones."),
};

} // namespace lockscope
