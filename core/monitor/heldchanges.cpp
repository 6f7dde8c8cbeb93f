// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/heldchanges.h"

#include <utility>

namespace lockscope {

void HeldChanges::add(const LockDiff &diff, const std::function<bool(const LockKey &)> &isShown)
{
    for (const LockKey &key : diff.removed) {
        m_changed.remove(key);
        if (isShown(key))
            m_removed.insert(key);
    }
    for (const WatchedLock &lock : diff.changed) {
        m_removed.remove(lock.key());
        m_changed.insert(lock.key(), lock);
    }
    m_events.insert(m_events.end(), diff.events.begin(), diff.events.end());
    if (m_events.size() > m_mostEvents)
        m_events.erase(m_events.begin(), m_events.end() - static_cast<std::ptrdiff_t>(m_mostEvents));
}

LockDiff HeldChanges::take()
{
    LockDiff diff;
    diff.changed = std::exchange(m_changed, {}).values();
    diff.removed = std::exchange(m_removed, {}).values();
    diff.events = QList<LockEvent>(m_events.begin(), m_events.end());
    m_events.clear();
    return diff;
}

} // namespace lockscope
