// SPDX-License-Identifier: GPL-3.0-or-later
// What watching a lock teaches of its family, in the store: kept from one reading to the next.
#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/family/shapes.h"
#include "core/monitor/lockstore.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype mostGoneHidden = 10'000;

bool sameOwners(const Lock &a, const Lock &b)
{
    return a.type == b.type &&
           std::ranges::equal(a.owners, b.owners, {}, &LockOwner::owner, &LockOwner::owner);
}

/// Only texts and hashes: a list or a sorted set that is written again and again is no lock all the same.
bool mayComeAlive(const Lock &lock)
{
    const bool isKept = lock.type == KeyType::String || lock.type == KeyType::Hash;
    return isHidden(lock) && isKept && lock.ttl;
}

/// Another value with a new lease, and no counter that went on.
bool isTakenAnew(const Lock &before, const Lock &read)
{
    if (!mayComeAlive(before) || !mayComeAlive(read) || sameOwners(before, read))
        return false;
    const bool isCounted = !read.owners.isEmpty() && isCount(read.owners.constFirst().owner.bytes);
    return !isCounted && read.deadline->earliest > before.deadline->latest;
}

} // namespace

/// There is something known of the lock that this reading does not say.
bool LockStore::isLearned(Locks::const_iterator known, const Lock &read) const
{
    if (known == m_locks.end())
        return !m_goneHidden.isEmpty() && m_goneHidden.contains(read.key()) && mayComeAlive(read);
    const Lock &before = known->second.watched.lock;
    return before.evidence != read.evidence || before.family != read.family || isTakenAnew(before, read);
}

void LockStore::keepEvidence(Locks::const_iterator known, Lock &read)
{
    if (known == m_locks.end()) {
        if (mayComeAlive(read) && m_goneHidden.remove(read.key()))
            read.evidence.set(Evidence::Renewals); // taken anew
        return;
    }
    const Lock &before = known->second.watched.lock;
    if (isTakenAnew(before, read)) {
        read.evidence.set(Evidence::Renewals);
        return;
    }
    if (!sameOwners(before, read)) {
        read.evidence |= before.evidence & EvidenceSet{Evidence::Companions, Evidence::Listeners};
        return;
    }
    const bool isRuled = before.evidence.has(Evidence::Rule) || read.evidence.has(Evidence::Rule);
    if (isRuled) {
        read.evidence |= before.evidence & watchedEvidence;
        return;
    }
    // The same hold: what its first reading said of the lease stays true, though less of it is left.
    const bool hasOnlyFallen = before.ttl && read.ttl && *read.ttl <= *before.ttl;
    if (hasOnlyFallen && !before.evidence.has(Evidence::Lease))
        read.evidence.set(Evidence::Lease, false);
    read.evidence |= before.evidence;
    if (certaintyOf(before) != Certainty::Ambiguous || (hasOnlyFallen && !isHidden(before)))
        setFamily(read, before.family);
}

void LockStore::leaveHidden(const Lock &lock)
{
    if (mayComeAlive(lock) && m_goneHidden.size() < mostGoneHidden)
        m_goneHidden.insert(lock.key());
}

void LockStore::countHidden(const Lock &lock, int sign)
{
    if (isHidden(lock))
        m_hidden += sign;
}

} // namespace lockscope
