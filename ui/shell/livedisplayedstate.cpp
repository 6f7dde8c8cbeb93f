// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/livedisplayedstate.h"

#include "ui/locks/lockspage.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace lockscope {

void LiveDisplayedState::take(const MonitorReport &event)
{
    DisplayedState::take(event);
    const MonitorState &watched = m_source.watched();
    if (std::holds_alternative<ClusterStatus>(event) &&
        !isPaused()) // what is held still is of the nodes as they were
        m_locks.setCluster(watched.cluster());
    if (std::exchange(m_staleSince, watched.staleSince()) != watched.staleSince())
        showTime();
}

void LiveDisplayedState::setPaused(bool on)
{
    if (on == isPaused())
        return;
    if (on) {
        m_pausedAt = m_staleSince.value_or(Clock::now());
        m_pausedWhileStale = m_staleSince.has_value();
        m_pauseBegan = QTime::currentTime();
        return showTime();
    }
    m_pausedAt.reset();
    showTime();
    m_locks.setCluster(m_source.watched().cluster());
    showDeadlocks(m_source.watched().deadlocks());
    showHeld();
}

void LiveDisplayedState::showTime()
{
    if (m_pausedAt && !m_pausedWhileStale)
        m_locks.holdAt(*m_pausedAt);
    else
        m_locks.setStale(m_pausedAt ? m_pausedAt : m_staleSince);
    emit timeChanged(m_pausedAt ? m_pausedWhileStale : m_staleSince.has_value());
}

std::optional<TimePoint> LiveDisplayedState::at() const
{
    const auto confirmed = m_source.watched().confirmedAt();
    return m_pausedAt && confirmed ? std::min(*m_pausedAt, *confirmed) : confirmed;
}

RecordedSnapshot LiveDisplayedState::known() const
{
    RecordedSnapshot picture;
    picture.at = m_source.now();
    picture.wallMs = m_source.wallNow();
    picture.deadlocks = m_source.watched().deadlocks();
    picture.watching = watchingOf(m_source.watched());
    PausedChanges held = m_held;
    const LockDiff since = held.take();
    QSet<LockKey> others(since.removed.begin(), since.removed.end());
    for (const WatchedLock &lock : since.changed)
        others.insert(lock.key());
    picture.locks = since.changed;
    m_locks.model().visitAll([&](const WatchedLock &lock) {
        if (!others.contains(lock.key()))
            picture.locks.append(lock);
    });
    return picture;
}

} // namespace lockscope
