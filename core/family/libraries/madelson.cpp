// SPDX-License-Identifier: GPL-3.0-or-later
// madelson's DistributedLock.Redis: a string, a set of readers or a sorted set, whose owners name machine and process.
#include "core/family/familytable.h"
#include "core/model/lock.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockscope {

namespace {

constexpr QByteArrayView writerSuffix = ".writer";
constexpr QByteArrayView readersSuffix = ".readers";

/// Sessions also have a word, a number and a UUID; locks have a near expiry.
std::optional<StringMatch> matchString(const StringValue &string)
{
    constexpr milliseconds near = std::chrono::minutes(5);
    const bool isWriter = string.key.endsWith(writerSuffix);
    if (!processToken(string.value)->namesAMachine && !isWriter && !namesALock(string.key))
        return StringMatch();
    return StringMatch{contentEvidence(isWriter && string.ttl, endsWithin(string.ttl, near))};
}

bool isOwner(QByteArrayView member)
{
    const std::optional<ProcessToken> token = processToken(member);
    return token && !token->waits;
}

/// Owners expire by the server's clock, and the key some time after the last.
std::optional<OwnersMatch> matchSortedSet(const SortedSetValue &set)
{
    if (!set.ttl)
        return std::nullopt;
    QList<QByteArray> owners;
    for (const auto &[owner, score] : set.content.members) {
        if (!isOwner(owner) || std::abs(score - static_cast<double>(set.nowMs)) >= dayMs)
            return std::nullopt;
        owners.append(owner);
    }
    return holding(owners, contentEvidence(false, true), HoldMode::Exclusive, set.content.complete);
}

std::optional<OwnersMatch> matchSet(const SetValue &set)
{
    const QList<QByteArray> &members = set.content.members;
    if (!set.key.endsWith(readersSuffix) || members.isEmpty() || !std::ranges::all_of(members, isOwner))
        return std::nullopt;
    return holding(members, contentEvidence(true, false), HoldMode::Read, set.content.complete);
}

HoldMode modeOf(QByteArrayView key)
{
    return key.endsWith(writerSuffix) ? HoldMode::Write : HoldMode::Exclusive;
}

/// The lock of a writer that waits for readers to leave.
LockKey parentOfString(const StringValue &string)
{
    if (string.format != TokenFormat::Process || !string.key.endsWith(writerSuffix) ||
        !processToken(string.value)->waits)
        return {};
    return LockKey(string.key.chopped(writerSuffix.size()).toByteArray() + readersSuffix.toByteArray());
}

OwnerFacts ownerFacts(const LockKey &, const OwnerId &owner)
{
    OwnerFacts facts;
    if (const std::optional<ProcessToken> token = processToken(owner.bytes)) {
        facts.host = token->machine.toByteArray();
        facts.process = token->process.toByteArray();
    }
    return facts;
}

bool isReaders(const Lock &lock)
{
    return isOf(lock, families::madelson) && lock.key().bytes.endsWith(readersSuffix);
}

// The writer that waits stands where the next writer's hold will.
void append(CommandBatch &batch, const Lock &lock, const PartialCompanionState &)
{
    const QByteArray name = lock.key().bytes.chopped(readersSuffix.size()) + writerSuffix.toByteArray();
    batch.add({"GETRANGE", name, "0", lastByteOfOwner});
}

CompanionQueries take(const Lock &, PartialCompanionState &reading, std::span<const Reply> replies,
                      Family self)
{
    reading.read.insert(self);
    const QByteArray writer = textIn(replies[0]);
    if (const auto token = processToken(writer); token && token->waits)
        reading.state.waiters.queue = {Waiter{OwnerId(writer), {}, SubscriptionState::Unknown, false}};
    return {};
}

constexpr std::array commands{QByteArrayView("getrange")};
constexpr CompanionQuery writerQuery{
    .commands = commands, .append = append, .take = take, .pattern = [](const Lock &) -> QByteArray {
        return '*' + writerSuffix.toByteArray();
    }};
constexpr std::array queries{&writerQuery};

} // namespace

constinit const FamilySpec families::madelson{
    .name = "madelson",
    .noun = QT_TRANSLATE_NOOP("phrases", "DistributedLock.Redis lock"),
    .stored = "string or set: `<machine>_<pid>_<id>`",
    .proof = {.certain = {{Evidence::Content, Evidence::Name, Evidence::Lease},
                          {Evidence::Content, Evidence::Companions},
                          {Evidence::Content, Evidence::Lease, Evidence::Renewals}},
              .likely = {{Evidence::Content, Evidence::Lease}, {Evidence::Content, Evidence::Name}}},
    .prevalence = 60,
    .usualNames = {"*.readers"},
    .ownerImpact = OwnerImpact::FailsRenewal,
    .acquire = AcquireSupport::NoScript,
    .severalOwners = true,
    .renews = true,
    .ownersAreProcesses = true,
    .strings = {TokenFormat::Process},
    .matchString = matchString,
    .matchSortedSet = matchSortedSet,
    .matchSet = matchSet,
    .modeOf = modeOf,
    .parentOfString = parentOfString,
    .ownerFacts = ownerFacts,
    .companions = {.mayHave = isReaders, .queries = queries},
    .scripts = &memberScripts,
};

} // namespace lockscope
