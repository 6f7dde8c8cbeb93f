// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownerfacts.h"

#include "core/family/registry.h"

namespace lockscope {

OwnerFacts ownerFacts(Family family, const LockKey &key, const OwnerId &owner)
{
    const auto tell = specOf(family).ownerFacts;
    return tell ? tell(key, owner) : OwnerFacts();
}

QByteArray threadIdentity(Family family, const OwnerId &owner)
{
    const auto identity = specOf(family).threadIdentity;
    return identity ? identity(owner) : QByteArray();
}

} // namespace lockscope
