// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownergroup.h"

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"
#include "core/family/shapes.h"
#include "core/family/weaktoken.h"

namespace lockscope {

namespace {

/// True for IDs that libraries draw per process. Applications name services: "billing".
bool isDrawnByProcess(const OwnerFacts &facts)
{
    return !facts.isRecord && isUuid(facts.client);
}

/// False for process 1, which every container and its successor has.
bool isOneProcess(QByteArrayView number)
{
    return isDigits(number) && number != "0" && number != "1";
}

} // namespace

OwnerGroup ownerGroup(OwnerGrouping by, Family family, const LockKey &key, const OwnerId &owner)
{
    using Names = OwnerGroup::Names;
    const OwnerFacts facts = ownerFacts(family, key, owner);
    const bool isDrawn = isDrawnByProcess(facts);
    if (by == OwnerGrouping::Host && !facts.host.isEmpty())
        return {Names::Host, facts.host, facts.isRecord ? family : Family()};
    if (by != OwnerGrouping::Owner && isDrawn)
        return {Names::Process, facts.client};
    // The number has no blank: this is the host's last one.
    if (by != OwnerGrouping::Owner && !facts.host.isEmpty() && isOneProcess(facts.process))
        return {Names::Process, facts.host + ' ' + facts.process, family};
    return {Names::Owner, owner.bytes, isDrawn ? Family() : family};
}

OwnerGroup holderGroup(OwnerGrouping by, const Lock &lock, const OwnerId &owner)
{
    return weakTokenOf(lock) == WeakToken::No ? ownerGroup(by, lock.family, lock.key(), owner) : OwnerGroup();
}

bool belongsTo(const OwnerGroup &whose, OwnerGrouping by, const Lock &lock, const OwnerId &id)
{
    // Only the token of a single holder may be weak.
    const bool isOnlyHolder = lock.owners.size() == 1 && lock.owners.front().owner == id;
    return (isOnlyHolder ? holderGroup(by, lock, id) : ownerGroup(by, lock.family, lock.key(), id)) == whose;
}

bool mayBeSeveral(const OwnerGroup &whose, qsizetype held)
{
    using Names = OwnerGroup::Names;
    if (whose.names != Names::Owner)
        return whose.names != Names::Process;
    return held > 1 && !whose.family.isUnknown();
}

bool mayHaveOtherHolders(const Lock &lock, qsizetype theirs)
{
    return theirs < lock.owners.size() || lock.problems.testFlag(Problem::TooBig) ||
           specOf(lock.family).countsPermits;
}

} // namespace lockscope
