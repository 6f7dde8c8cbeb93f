// SPDX-License-Identifier: GPL-3.0-or-later
// A counted hash that is nobody's in particular: Lockscope's own reentrant lock, and home-made ones.
#include "core/family/familytable.h"
#include "core/family/libraries/redisson.h"
#include "core/model/actionrequest.h"

namespace lockscope {

namespace {

QByteArrayList releaseArguments(const ActionRequest &request)
{
    return request.allLevels ? leaseOfTheRest(request) << "all" : leaseOfTheRest(request);
}

constexpr Scripts scripts{.acquire = {"reentrant/acquire", true},
                          .release = {"reentrant/release", true},
                          .extend = {"reentrant/extend", true},
                          .forceExpire = {"reentrant/force-expire", true},
                          .keepsCounts = true,
                          .comparesTimeLeft = true,
                          .releaseArguments = releaseArguments};

} // namespace

constinit const FamilySpec families::reentrant{
    .name = "reentrant",
    .noun = QT_TRANSLATE_NOOP("phrases", "re-entrant lock"),
    .stored = "hash, owner → hold count",
    .wake = WaitMechanism::Message,
    .ownerImpact = OwnerImpact::Unknown,
    .hasGenericContent = true,
    .countsHolds = true,
    .threadIdentity = wholeId,
    .storedField = redissonField, // of readers and writers whose library is not proven
    .unlockChannel = redissonChannel,
    .scripts = &scripts,
    .offer = QT_TRANSLATE_NOOP("phrases", "reentrant: a hash with a hold count; the owner can re-enter"),
    .wakeEffect = QT_TRANSLATE_NOOP(
        "phrases", "Without a grace period, a message is published on the channel %1. Whether clients "
                   "subscribe is unknown; polling clients find the lock free."),
};

} // namespace lockscope
