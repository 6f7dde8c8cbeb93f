// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/tablehash.h"
#include "core/base/taggedbytes.h"
#include "core/base/time.h"

#include <QList>

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

namespace lockscope {

/// Keys with change hints that were not read since: visible ones first, then the longest waiting.
class PendingReads
{
public:
    /// `since`: from then on the data of the key may be outdated.
    void add(const LockKey &key, TimePoint since)
    {
        if (const auto [known, isNew] = m_waiting.try_emplace(key, since); !isNew) {
            if (known->second <= since)
                return;
            known->second = since;
        }
        // Nearly always at the end; before the others where a reading showed that there is more to read.
        const auto place =
            std::upper_bound(m_order.begin(), m_order.end(), since,
                             [](TimePoint time, const auto &waiting) { return time < waiting.first; });
        m_order.emplace(place, since, key);
    }

    void setVisible(const QList<LockKey> &keys) { m_visible = keys; }
    bool isChosen(const LockKey &key) const { return !m_visible.isEmpty() && m_visible.front() == key; }
    bool hasVisible() const
    {
        return std::any_of(m_visible.begin(), m_visible.end(),
                           [this](const LockKey &key) { return m_waiting.contains(key); });
    }

    bool isEmpty() const { return m_waiting.empty(); }
    qsizetype size() const { return qsizetype(m_waiting.size()); }
    void clear()
    {
        m_waiting.clear();
        m_order.clear();
    }

    /// Since when the longest waiting key has waited.
    std::optional<TimePoint> oldest()
    {
        dropTaken();
        return m_order.empty() ? std::nullopt : std::optional(m_order.front().first);
    }

    QList<LockKey> takeVisible(qsizetype most)
    {
        QList<LockKey> keys;
        for (auto key = m_visible.cbegin(); key != m_visible.cend() && keys.size() < most; ++key) {
            if (m_waiting.erase(*key) > 0)
                keys.append(*key);
        }
        return keys;
    }

    /// Takes the keys that have waited longest.
    QList<LockKey> take(qsizetype most)
    {
        QList<LockKey> keys;
        for (dropTaken(); keys.size() < most && !m_order.empty(); dropTaken()) {
            keys.append(m_order.front().second);
            m_waiting.erase(keys.last());
            m_order.pop_front();
        }
        return keys;
    }

private:
    void dropTaken()
    {
        while (!m_order.empty()) {
            const auto waiting = m_waiting.find(m_order.front().second);
            if (waiting != m_waiting.end() && waiting->second == m_order.front().first)
                return;
            m_order.pop_front();
        }
    }

    QList<LockKey> m_visible; ///< the selected one first
    /// A QHash would grow, see InternPool.
    std::unordered_map<LockKey, TimePoint, TableHash<LockKey>> m_waiting;
    std::deque<std::pair<TimePoint, LockKey>> m_order; ///< includes some that no longer wait
};

} // namespace lockscope
