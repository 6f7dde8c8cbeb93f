// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/pausedchanges.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// The number above the limit.
template <typename T>
qint64 dropOldest(std::deque<T> &kept, size_t most)
{
    const auto excess = std::max<std::ptrdiff_t>(std::ssize(kept) - static_cast<std::ptrdiff_t>(most), 0);
    kept.erase(kept.begin(), kept.begin() + excess);
    return excess;
}

} // namespace

void PausedChanges::add(const LockDiff &diff, const std::function<bool(const LockKey &)> &isShown)
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
    m_lost += dropOldest(m_events, m_mostEvents);
}

void PausedChanges::add(const MonitorEvent &moment)
{
    constexpr size_t maxMoments = 1'000;
    m_moments.push_back(moment);
    m_lost += dropOldest(m_moments, maxMoments);
}

LockDiff PausedChanges::take()
{
    LockDiff diff;
    diff.changed = std::exchange(m_changed, {}).values();
    diff.removed = std::exchange(m_removed, {}).values();
    diff.events = QList<LockEvent>(m_events.begin(), m_events.end());
    m_events.clear();
    return diff;
}

QList<MonitorEvent> PausedChanges::takeMoments()
{
    QList<MonitorEvent> moments(m_moments.begin(), m_moments.end());
    m_moments.clear();
    return moments;
}

qint64 PausedChanges::takeLost()
{
    return std::exchange(m_lost, 0);
}

} // namespace lockscope
