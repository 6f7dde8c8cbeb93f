// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QTimer>

#include <chrono>
#include <functional>
#include <utility>

namespace lockscope {

/// Allows a call at once, but at most once per interval; a call too soon happens at the end of the interval.
class Throttle
{
public:
    /// The timer is a child of `parent`, and moves to another thread with it.
    Throttle(milliseconds interval, QObject *parent, std::function<void()> again)
        : m_interval(interval), m_timer(parent)
    {
        m_timer.setSingleShot(true);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, std::move(again));
    }

    /// True if it may happen now. Otherwise `again` is called later.
    bool admits(TimePoint now)
    {
        if (const auto since = now - m_lastAt; since < m_interval) {
            if (!m_timer.isActive())
                m_timer.start(std::chrono::ceil<milliseconds>(m_interval - since));
            return false;
        }
        m_timer.stop();
        m_lastAt = now;
        return true;
    }
    /// Notes that it happened otherwise.
    void happened(TimePoint now) { m_lastAt = now; }
    void cancel() { m_timer.stop(); }

private:
    const milliseconds m_interval;
    TimePoint m_lastAt;
    QTimer m_timer;
};

} // namespace lockscope
