// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/ownerpool.h"

#include <algorithm>

namespace lockscope {

QList<LockOwner> OwnerPool::shared(const QList<LockOwner> &owners)
{
    if (owners.isEmpty())
        return {};
    const auto known = m_known.constFind({owners});
    if (known != m_known.cend() && known->owners == owners)
        return known->owners;
    QList<LockOwner> own;
    own.reserve(owners.size()); // no more than they need
    for (LockOwner holder : owners) {
        // Others than the first are known where they are the first elsewhere.
        const auto same = m_known.constFind({{holder}});
        if (same != m_known.cend())
            holder.owner = same->owner();
        own.append(holder);
    }
    if (known == m_known.cend()) {
        if (m_known.size() >= m_dropAt)
            dropUnused();
        m_known.insert({own});
    }
    return own;
}

void OwnerPool::dropUnused()
{
    const auto used = std::ranges::count_if(m_known, &Known::isUsed);
    m_dropAt = std::max<qsizetype>(64, used + used / 4);
    // In a new one: the old one would keep the room for the most that each of its parts ever had.
    QSet<Known> kept;
    kept.reserve(m_dropAt);
    for (const Known &known : std::as_const(m_known)) {
        if (known.isUsed())
            kept.insert(known);
    }
    m_known.swap(kept);
}

} // namespace lockscope
