// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QHash>
#include <QSet>

#include <utility>

namespace lockscope {

/// Evidence for a lock's family from watching it: kept from one reading to the next, and from a value that is
/// gone to the next one under the same name.
class EvidenceMemory
{
public:
    /// True if evidence is known that this reading lacks. `before`: the previous reading; null: none.
    bool knowsMore(const Lock *before, const Lock &read) const;
    void carryOver(const Lock *before, Lock &read);
    /// Records the end of a value with a lease that looked like no lock: if it returns, it is likely one.
    void recordGone(const Lock &lock);
    void clear()
    {
        m_goneHidden.clear();
        m_seenCompanions.clear();
    }

private:
    QSet<LockKey> m_goneHidden;
    /// Evidence in companions of locks that are gone, for the next one of the same type.
    QHash<LockKey, std::pair<KeyType, EvidenceSet>> m_seenCompanions;
};

bool hasSameOwners(const Lock &a, const Lock &b);

} // namespace lockscope
