// SPDX-License-Identifier: GPL-3.0-or-later
// What Bull and BullMQ have in common: a lock beside the hash of its job.
#pragma once

#include "core/family/shapes.h"
#include "core/family/spec.h"
#include "core/model/lock.h"

#include <array>

namespace lockscope {

/// The name of the job whose lock has this name, as Bull and BullMQ build it; empty for other names.
QByteArrayView jobKeyOf(QByteArrayView key);
OwnerFacts jobOwner(const LockKey &key, const OwnerId &owner);
/// A mark of a queue of jobs as a whole.
bool isStalledCheck(QByteArrayView key);
/// Whether there is such a job, who runs it and since when.
extern const CompanionQuery jobQuery;
inline constexpr std::array jobQueries{&jobQuery};

/// A token under the name of a job's lock, of which content alone says no more, or of these families.
bool mayBeJobLock(const Lock &lock, TokenFormat format);

template <TokenFormat format>
bool mayHaveJob(const Lock &lock)
{
    return mayBeJobLock(lock, format);
}

template <TokenFormat format>
std::optional<EvidenceSet> matchJob(const Lock &lock)
{
    if (!mayBeJobLock(lock, format))
        return std::nullopt;
    return EvidenceSet{Evidence::Content, Evidence::Companions};
}

} // namespace lockscope
