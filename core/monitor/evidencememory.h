// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QHash>
#include <QSet>

#include <utility>

namespace lockscope {

/// What watching a lock teaches of its family: carried over from one reading to the next, and from a value that went to
/// one that is acquired anew under the same name.
class EvidenceMemory
{
public:
    /// Something is known of the lock that this reading does not say. `before`: the reading before; null: none.
    bool knowsMore(const Lock *before, const Lock &read) const;
    void carryOver(const Lock *before, Lock &read);
    /// A value with a lease that looked like no lock has gone: if it is written anew, it is likely to be a lock.
    void recordGone(const Lock &lock);
    void clear()
    {
        m_goneHidden.clear();
        m_seenBeside.clear();
    }

private:
    QSet<LockKey> m_goneHidden;
    /// Of locks that went: what was seen beside them says of the next one of the same form what it said of them.
    QHash<LockKey, std::pair<KeyType, EvidenceSet>> m_seenBeside;
};

/// The same value is held by the same owners.
bool hasSameOwners(const Lock &a, const Lock &b);

} // namespace lockscope
