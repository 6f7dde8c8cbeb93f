// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownerfacts.h"

#include "core/base/foldedsearch.h"
#include "core/family/forms.h"
#include "core/family/registry.h"
#include "core/model/lock.h"

#include <algorithm>

namespace lockscope {

OwnerFacts ownerFacts(Family family, const LockKey &key, const OwnerId &owner)
{
    const FamilySpec &spec = specOf(family);
    if (spec.forms)
        return factsOf(spec, key, owner);
    return spec.ownerFacts ? spec.ownerFacts(key, owner) : OwnerFacts();
}

QByteArray threadIdentity(Family family, const OwnerId &owner)
{
    const auto identity = specOf(family).threadIdentity;
    return identity ? identity(owner) : QByteArray();
}

QByteArray wholeId(const OwnerId &owner)
{
    return owner.bytes;
}

bool mayCountInClient(const Lock &lock)
{
    // One token for each lock object, which a client can enter again without a word to the server.
    return lock.type == KeyType::String && specOf(lock.family).clientMayCount;
}

bool ownersContain(Family family, const QList<LockOwner> &owners, QByteArrayView needle)
{
    const bool hasPermits = specOf(family).ownersAreBytes; // which are shown, and logged, in hex
    return std::ranges::any_of(owners, [&](const LockOwner &holder) {
        const QByteArray &bytes = holder.owner.bytes;
        return containsFolded(bytes, needle) || (hasPermits && containsFolded(bytes.toHex(), needle));
    });
}

} // namespace lockscope
