// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lock.h"

#include <QList>

namespace lockscope {

struct Proof;

// How sure it is that a lock is of the family it is said to be of. All pure. What each family needs is in its row of the
// table in family.cpp; the evidence of a lock is in the lock, and grows while it is watched.

Certainty certaintyOf(const Proof &proof, EvidenceSet evidence);
Certainty certaintyOf(Family family, EvidenceSet evidence);
Certainty certaintyOf(const Lock &lock);
inline Certainty certaintyOf(const WatchedLock &watched)
{
    return certaintyOf(watched.lock);
}

/// The family may be claimed: the evidence makes it likely or certain.
inline bool isProven(Family family, EvidenceSet evidence)
{
    return certaintyOf(family, evidence) != Certainty::Ambiguous;
}

/// A document, a flag, a counter or the like: counted, but not shown among the locks.
bool isHidden(const Lock &lock);
/// A content that tells of no holder under a lock's name, or a record with a lease: it may be a lock, and nobody is told to
/// hold it.
bool isPossible(const Lock &lock);
/// Either: not known to be a lock.
inline bool isNoLock(const Lock &lock)
{
    return isHidden(lock) || isPossible(lock);
}
/// A possible lock whose whole content was read, so that it can be compared byte by byte.
bool isComparable(const Lock &lock);
/// None of what is not known to be a lock: its owners are what is stored, for who compares it.
const QList<LockOwner> &knownOwners(const Lock &lock);

/// As programs read them: "content", "certain".
inline constexpr EnumNames evidenceName{Named<Evidence>{Evidence::Content, "content"},
                                        Named<Evidence>{Evidence::Name, "name"},
                                        Named<Evidence>{Evidence::Companions, "companions"},
                                        Named<Evidence>{Evidence::Lease, "lease"},
                                        Named<Evidence>{Evidence::Renewals, "renewals"},
                                        Named<Evidence>{Evidence::Listeners, "listeners"},
                                        Named<Evidence>{Evidence::Rule, "rule"}};
inline constexpr EnumNames certaintyName{Named<Certainty>{Certainty::Certain, "certain"},
                                         Named<Certainty>{Certainty::Likely, "likely"},
                                         Named<Certainty>{Certainty::Ambiguous, "ambiguous"}};
/// Those of a lock, in the order of the enumeration.
QList<Evidence> evidenceList(EvidenceSet evidence);

} // namespace lockscope
