// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QTimer>

#include <chrono>
#include <functional>
#include <utility>

namespace lockscope {

/// Lets something happen at once, but at most once an interval: what comes too soon happens when the interval is over, not
/// with the next occasion.
class Throttle
{
public:
    /// The timer is the parent's child, and moves to another thread with it.
    Throttle(milliseconds interval, QObject *parent, std::function<void()> again)
        : m_interval(interval), m_timer(parent)
    {
        m_timer.setSingleShot(true);
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, std::move(again));
    }

    /// It may happen now. False: it is asked for again later.
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
    /// It has happened by itself.
    void happened(TimePoint now) { m_lastAt = now; }
    /// What was put off does not happen any more.
    void cancel() { m_timer.stop(); }

private:
    const milliseconds m_interval;
    TimePoint m_lastAt;
    QTimer m_timer;
};

} // namespace lockscope
