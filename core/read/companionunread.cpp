// SPDX-License-Identifier: GPL-3.0-or-later
// What a refusal leaves unknown of a lock.
#include "core/read/companionquery.h"

#include "core/family/shapes.h"

namespace lockscope {

using Part = CompanionAccess::Part;

namespace besides {

Unread unreadOf(const Lock &lock, const PartialCompanionState &seen, const CompanionAccess &scope)
{
    const auto isForbidden = [&](Part part) { return scope.isForbidden(part, lock.key()); };
    const CompanionState &beside = seen.beside;
    // A lock has one kind of companions: where they were read, those of another kind are none.
    const bool lacksRedisson = !seen.redissonRead && !beside.hasHandoff && isForbidden(Part::Redisson);
    const bool lacksHandoff = !seen.handoffRead && !beside.hasQueue && !beside.hasFence &&
                              !scope.isCluster() && isForbidden(Part::Handoff);
    if (isCounted(lock) && (lacksRedisson || lacksHandoff))
        return Unread::Kind;
    if (mayHavePermits(lock) && !seen.permitsRead && isForbidden(Part::Redisson))
        return Unread::Kind;
    if (isJob(lock) && lock.family == Family::Token && isForbidden(Part::Job)) {
        const TokenFormat shape = shapeOf(lock.owners.value(0).owner.bytes);
        if (shape == TokenFormat::Uuid || shape == TokenFormat::CountedUuid)
            return Unread::Kind;
    }
    const bool areWaitersForbidden = (isOfDigest(lock) && isForbidden(Part::Digest)) ||
                                     (isReaders(lock) && isForbidden(Part::Writer)) ||
                                     (seen.isLonger && isForbidden(Part::Length));
    return areWaitersForbidden ? Unread::Waiters : Unread::Nothing;
}

} // namespace besides

} // namespace lockscope
