// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enumnames.h"
#include "core/model/lock.h"

#include <QList>

namespace lockscope {

struct Proof;

// How sure the family of a lock is. All functions are pure. A family's Proof says what evidence it needs; the
// evidence of a lock grows while the lock is watched.

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

/// True for a document, a flag, a counter or the like: counted, but not shown among the locks.
bool isHidden(const Lock &lock);
/// True for a key with a lock's name or a lease, but no known holder: it may be a lock; no owner is shown.
bool isPossible(const Lock &lock);
/// True for a key that is not known to be a lock: hidden or possible.
inline bool isNoLock(const Lock &lock)
{
    return isHidden(lock) || isPossible(lock);
}
/// True if the content alone suggests a lock, since it says so, or who holds it: a process, a record of an owner.
/// Other data can look the same.
bool tellsOfHolder(const Lock &lock);
/// True for a possible lock or a record of unknown family whose whole content was read: it can be compared byte
/// by byte.
bool isComparable(const Lock &lock);
/// The lock's owners; none if it is not known to be a lock: such owners serve only for comparison.
const QList<LockOwner> &knownOwners(const Lock &lock);

/// Names for JSON and the command line: "content", "certain".
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
QList<Evidence> evidenceList(EvidenceSet evidence);

} // namespace lockscope
