// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/schedule.h"

#include <algorithm>

namespace lockscope {

/// When each known lock was last read: those whose changes are told, and those that have to be asked in turn.
class ReadAges
{
public:
    void set(const LockKey &key, TimePoint readAt, bool isTold)
    {
        (isTold ? m_asked : m_told).remove(key);
        (isTold ? m_told : m_asked).set(key, readAt);
    }
    void remove(const LockKey &key)
    {
        m_told.remove(key);
        m_asked.remove(key);
    }

    /// The longest unread one of those that have to be asked.
    std::optional<TimePoint> oldestAsked() { return m_asked.next(); }
    /// The longest unread one of all.
    std::optional<TimePoint> oldest()
    {
        const auto told = m_told.next();
        const auto asked = m_asked.next();
        return told && asked ? std::min(told, asked) : told ? told : asked;
    }

    /// Of those that have to be asked, the ones not read since `before`; each leaves until it is set again.
    QList<LockKey> takeAsked(TimePoint before, qsizetype most) { return m_asked.takeDue(before, most); }
    /// Of all, the ones not read since `before`.
    QList<LockKey> take(TimePoint before, qsizetype most)
    {
        QList<LockKey> keys = m_told.takeDue(before, most);
        keys += m_asked.takeDue(before, most - keys.size());
        return keys;
    }

private:
    Schedule m_told;
    Schedule m_asked;
};

} // namespace lockscope
