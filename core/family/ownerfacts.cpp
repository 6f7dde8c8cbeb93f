// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/ownerfacts.h"

#include "core/base/foldedsearch.h"
#include "core/family/forms.h"
#include "core/family/registry.h"
#include "core/family/shapes.h"
#include "core/family/weaktoken.h"
#include "core/model/lock.h"

#include <algorithm>
#include <array>

namespace lockscope {

OwnerFacts ownerFacts(Family family, const LockKey &key, const OwnerId &owner)
{
    const FamilySpec &spec = specOf(family);
    if (spec.forms)
        return factsOf(spec, key, owner);
    return spec.ownerFacts ? spec.ownerFacts(key, owner) : OwnerFacts();
}

OwnerFacts ownerFacts(const Lock &lock, const LockOwner &holder)
{
    OwnerFacts facts = ownerFacts(lock.family, lock.key(), holder.owner);
    addFacts(facts, *holder.recorded);
    addFacts(facts, *lock.companions->facts);
    if (lock.companions->startedMs) {
        facts.sinceMs = lock.companions->startedMs;
        facts.sinceIsTry = false;
    }
    return facts;
}

void addFacts(OwnerFacts &facts, const OwnerFacts &more)
{
    static constexpr std::array texts{&OwnerFacts::client,   &OwnerFacts::thread, &OwnerFacts::host,
                                      &OwnerFacts::process,  &OwnerFacts::node,   &OwnerFacts::job,
                                      &OwnerFacts::jobClass, &OwnerFacts::queue,  &OwnerFacts::worker,
                                      &OwnerFacts::metadata};
    for (QByteArray OwnerFacts::*const text : texts) {
        if ((facts.*text).isEmpty())
            facts.*text = more.*text;
    }
    if (more.sinceMs && (!facts.sinceMs || (facts.sinceIsTry && !more.sinceIsTry))) {
        facts.sinceMs = more.sinceMs;
        facts.sinceIsTry = more.sinceIsTry;
    }
}

StoredBegin storedBegin(const Lock &lock, const LockOwner &holder, qint64 nowMs)
{
    const OwnerFacts facts = ownerFacts(lock, holder);
    const bool canBe = facts.sinceMs && *facts.sinceMs >= qint64(year2001) && *facts.sinceMs <= nowMs;
    return canBe ? StoredBegin{facts.sinceMs, facts.sinceIsTry} : StoredBegin();
}

QByteArray threadIdentity(Family family, const OwnerId &owner)
{
    const auto identity = specOf(family).threadIdentity;
    return identity ? identity(owner) : QByteArray();
}

QByteArray wholeId(const OwnerId &owner)
{
    return weakToken({}, owner.bytes) == WeakToken::No ? owner.bytes : QByteArray();
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
