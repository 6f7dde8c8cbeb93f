// SPDX-License-Identifier: GPL-3.0-or-later
// Redisson's count-down latch: a number, of which only its listeners tell.
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/model/lock.h"

namespace lockscope {

namespace {

std::optional<EvidenceSet> matchCompanions(const Lock &lock)
{
    if (!isBareNumber(lock) && !isOf(lock, families::redisson_latch))
        return std::nullopt;
    return EvidenceSet(Evidence::Listeners);
}

QByteArray unlockChannel(const LockKey &lock)
{
    return "redisson_countdownlatch__channel__{" + lock.bytes + '}';
}

constexpr Scripts scripts{
    .forceExpire = {"redisson-latch/force-expire"}, .sendsToShards = true, .needsGraceless = true};

} // namespace

constinit const FamilySpec families::redisson_latch{
    .name = "redisson-latch",
    .noun = QT_TRANSLATE_NOOP("phrases", "Redisson count-down latch"),
    .stored = "counter with a subscribed channel",
    .library = "redisson",
    .proof = provenByCompanions,
    .wake = WaitMechanism::MessageToAll,
    .ownerImpact = OwnerImpact::Unaware,
    .acquire = AcquireSupport::NoOwners,
    .severalOwners = true,
    .canLackExpiry = true,
    .matchCompanions = matchCompanions,
    .precedence = 1,
    .unlockChannel = unlockChannel,
    .isProvenBySubscribers = isBareNumber,
    .scripts = &scripts,
    .ownerEffect = "",
    .companionNote = QT_TRANSLATE_NOOP("phrases", "The latch opens, whatever its count."),
};

} // namespace lockscope
