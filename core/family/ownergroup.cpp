// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownergroup.h"

#include "core/family/ownerfacts.h"
#include "core/family/weaktoken.h"

namespace lockscope {

OwnerGroup ownerGroup(OwnerGrouping by, Family family, const LockKey &key, const OwnerId &owner)
{
    using Names = OwnerGroup::Names;
    if (by == OwnerGrouping::Owner)
        return {Names::Owner, owner.bytes};
    const OwnerFacts facts = ownerFacts(family, key, owner);
    if (by == OwnerGrouping::Host && !facts.host.isEmpty())
        return {Names::Host, facts.host};
    if (!facts.client.isEmpty())
        return {Names::Process, facts.client};
    if (!facts.host.isEmpty() &&
        !facts.process.isEmpty()) // the number alone is that of others elsewhere, too
        return {Names::Process, facts.host + ' ' + facts.process};
    return facts.host.isEmpty() ? OwnerGroup{Names::Owner, owner.bytes} : OwnerGroup{Names::Host, facts.host};
}

OwnerGroup holderGroup(OwnerGrouping by, const Lock &lock, const OwnerId &owner)
{
    return weakTokenOf(lock) == WeakToken::No ? ownerGroup(by, lock.family, lock.key(), owner) : OwnerGroup();
}

} // namespace lockscope
