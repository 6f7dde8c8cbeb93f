// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"

#include <QHash>
#include <QList>

#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace lockscope {

/// Keys with the moment at which each is due, one moment a key. Changing or removing one leaves its old entry
/// in the heap, to be dropped when it surfaces, or when such entries are the most.
class Schedule
{
public:
    void set(const LockKey &key, TimePoint when)
    {
        m_when[key] = when;
        m_heap.push({when, key});
        if (m_heap.size() > 2 * static_cast<size_t>(m_when.size()) + fewest)
            rebuild();
    }
    void remove(const LockKey &key) { m_when.remove(key); }
    void clear() { *this = Schedule(); }

    /// The earliest moment of all; nullopt where nothing is scheduled.
    std::optional<TimePoint> next()
    {
        dropStale();
        return m_heap.empty() ? std::nullopt : std::optional(m_heap.top().first);
    }

    /// Removes and returns the keys due by `now`, the longest overdue first.
    QList<LockKey> takeDue(TimePoint now, qsizetype most)
    {
        QList<LockKey> due;
        for (dropStale(); due.size() < most && !m_heap.empty() && m_heap.top().first <= now; dropStale()) {
            due.append(m_heap.top().second);
            m_when.remove(due.last());
            m_heap.pop();
        }
        return due;
    }

private:
    using Entry = std::pair<TimePoint, LockKey>;
    using Heap = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

    static constexpr size_t fewest = 64; ///< not worth the trouble

    /// A moment that is far away and often put off would leave entries that do not surface for as long.
    void rebuild()
    {
        std::vector<Entry> entries;
        entries.reserve(static_cast<size_t>(m_when.size()));
        for (auto at = m_when.cbegin(); at != m_when.cend(); ++at)
            entries.emplace_back(at.value(), at.key());
        m_heap = Heap(std::greater<>(), std::move(entries));
    }

    void dropStale()
    {
        while (!m_heap.empty()) {
            const auto current = m_when.constFind(m_heap.top().second);
            if (current != m_when.cend() && *current == m_heap.top().first)
                return;
            m_heap.pop();
        }
    }

    Heap m_heap;
    QHash<LockKey, TimePoint> m_when;
};

} // namespace lockscope
