// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/certainty.h"

#include "core/family/contentkind.h"
#include "core/family/registry.h"
#include "core/model/lock.h"

namespace lockscope {

Certainty certaintyOf(const Proof &proof, EvidenceSet evidence)
{
    if (proof.certain.areMetBy(evidence))
        return Certainty::Certain;
    return proof.likely.areMetBy(evidence) ? Certainty::Likely : Certainty::Ambiguous;
}

Certainty certaintyOf(Family family, EvidenceSet evidence)
{
    return certaintyOf(specOf(family).proof, evidence);
}

Certainty certaintyOf(const Lock &lock)
{
    return certaintyOf(lock.family, lock.evidence);
}

bool isHidden(const Lock &lock)
{
    return lock.family.isUnknown() && lock.evidence.isEmpty() && !lock.problems.testFlag(Problem::TooBig);
}

bool isPossible(const Lock &lock)
{
    constexpr EvidenceSet mere{Evidence::Name, Evidence::Lease};
    return lock.family.isUnknown() && !lock.evidence.isEmpty() && mere.hasAll(lock.evidence);
}

bool tellsOfHolder(const Lock &lock)
{
    if (isNoLock(lock) || lock.owners.isEmpty())
        return false;
    const QByteArray &owner = lock.owners.front().owner.bytes;
    if (lock.type == KeyType::Hash)
        return lock.family.isUnknown() && (lock.deadline || looksLikeHolder(owner));
    return lock.type == KeyType::String && lock.deadline &&
           (saysHeld(owner) || namesAHolder(owner) || namesAProcess(owner) || isHoldersRecord(owner));
}

bool isComparable(const Lock &lock)
{
    if (lock.owners.isEmpty() || !lock.family.isUnknown())
        return false;
    const bool hasScript = lock.type == KeyType::String || lock.type == KeyType::Hash;
    return (isPossible(lock) && hasScript) || !lock.owners.front().recorded->allFields.isEmpty();
}

const QList<LockOwner> &knownOwners(const Lock &lock)
{
    static const QList<LockOwner> none;
    return isNoLock(lock) ? none : lock.owners;
}

QList<Evidence> evidenceList(EvidenceSet evidence)
{
    QList<Evidence> list;
    for (const auto &[one, name] : evidenceName.names) {
        if (evidence.has(one))
            list.append(one);
    }
    return list;
}

} // namespace lockscope
