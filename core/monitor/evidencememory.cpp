// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/evidencememory.h"

#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/family/shapes.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype maxGone = 10'000; // of either kind
constexpr EvidenceSet companions{Evidence::Companions, Evidence::Listeners};

/// True for strings and hashes: repeatedly written lists or sorted sets are no locks.
bool mayComeAlive(const Lock &lock)
{
    const bool isKept = lock.type == KeyType::String || lock.type == KeyType::Hash;
    return isNoLock(lock) && isKept && lock.ttl;
}

/// True for another value with a new lease, and no continued counter.
bool isTakenAnew(const Lock &before, const Lock &read)
{
    if (!mayComeAlive(before) || !mayComeAlive(read) || hasSameOwners(before, read))
        return false;
    const bool isCounted = !read.owners.isEmpty() && isCount(read.owners.constFirst().owner.bytes);
    return !isCounted && read.deadline->earliest > before.deadline->latest;
}

} // namespace

bool hasSameOwners(const Lock &a, const Lock &b)
{
    return a.type == b.type &&
           std::ranges::equal(a.owners, b.owners, {}, &LockOwner::owner, &LockOwner::owner);
}

bool EvidenceMemory::knowsMore(const Lock *before, const Lock &read) const
{
    if (!before)
        return m_seenCompanions.contains(read.key()) ||
               (!m_goneHidden.isEmpty() && m_goneHidden.contains(read.key()) && mayComeAlive(read));
    return before->evidence != read.evidence || before->family != read.family || isTakenAnew(*before, read);
}

void EvidenceMemory::carryOver(const Lock *last, Lock &read)
{
    if (!last) {
        if (mayComeAlive(read) && m_goneHidden.remove(read.key()))
            read.evidence.set(Evidence::Renewals); // taken anew
        if (const auto seen = m_seenCompanions.constFind(read.key()); seen != m_seenCompanions.cend()) {
            if (seen->first == read.type)
                read.evidence |= seen->second;
            m_seenCompanions.erase(seen);
        }
        return;
    }
    const Lock &before = *last;
    if (isTakenAnew(before, read)) {
        read.evidence.set(Evidence::Renewals);
        return;
    }
    if (!hasSameOwners(before, read)) {
        read.evidence |= before.evidence & companions;
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
    if (certaintyOf(before) != Certainty::Ambiguous || (hasOnlyFallen && !isNoLock(before)))
        setFamily(read, before.family);
}

void EvidenceMemory::recordGone(const Lock &lock)
{
    if (mayComeAlive(lock) && m_goneHidden.size() < maxGone)
        m_goneHidden.insert(lock.key());
    const EvidenceSet seen = lock.evidence & companions;
    if (seen.isEmpty())
        return;
    if (m_seenCompanions.size() >= maxGone)
        m_seenCompanions.clear();
    m_seenCompanions.insert(lock.key(), {lock.type, seen});
}

} // namespace lockscope
