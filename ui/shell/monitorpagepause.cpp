// SPDX-License-Identifier: GPL-3.0-or-later
// A picture that the user holds still, and of what time it is.
#include "ui/shell/monitorpage.h"

#include "ui/events/eventspanel.h"
#include "ui/events/eventtext.h"
#include "ui/locks/lockspage.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"

#include <QLocale>

#include <algorithm>

namespace lockscope {

/// What is shown stands still, whatever happens; the session goes on. What is not current stands still by itself.
void MonitorPage::setPaused(bool on)
{
    if (on == m_pausedAt.has_value())
        return;
    if (on) {
        m_pausedAt = m_staleSince.value_or(Clock::now());
        m_pausedWhileStale = m_staleSince.has_value();
        m_pauseBegan = QTime::currentTime();
    } else {
        m_pausedAt.reset();
    }
    showTime();
    showPause();
    if (on)
        return;
    m_locks->setCluster(m_cluster);
    m_waits->setDeadlocks(m_deadlocks);
    m_log.addLost(m_held.takeLost());
    showDiff(m_held.take(), m_held.takeMoments());
    showConnection();
}

/// A time selected in the timeline filters what else shows locks and events.
void MonitorPage::takeTime()
{
    const auto &time = m_timeline->time();
    if (!time) {
        m_locks->setTimeFilter({}, {});
        return m_events->showTime({});
    }
    const TimeRange wall{m_history.clock().wallAt(time->fromMs), m_history.clock().wallAt(time->toMs)};
    m_locks->setTimeFilter(
        tr("%1 – %2", "from, to").arg(clockTimeText(wall.fromMs), clockTimeText(wall.toMs)),
        m_timeline->touched());
    m_events->showTime(wall);
}

void MonitorPage::showPause()
{
    if (!m_pausedAt)
        return m_pauseBanner->hide();
    const auto changed = static_cast<int>(m_held.size());
    QString detail =
        changed == 0
            ? tr("No lock has changed since then.")
            : tr("%1 lock(s) have changed since then.", nullptr, changed).arg(QLocale().toString(changed));
    if (m_deadlocks != m_waits->deadlocks())
        detail += u' ' + tr("The deadlocks have changed, too.");
    m_pauseBanner->setMessage(StatusColor::Held,
                              tr("Paused at %1").arg(m_pauseBegan.toString(QStringLiteral("HH:mm:ss"))),
                              detail, tr("Continue"));
}

/// The time of what is shown.
void MonitorPage::showTime()
{
    if (m_pausedAt && !m_pausedWhileStale)
        m_locks->holdAt(*m_pausedAt);
    else
        m_locks->setStale(m_pausedAt ? m_pausedAt : m_staleSince);
    m_waits->setStale(m_pausedAt ? m_pausedWhileStale : m_staleSince.has_value());
}

/// The moment of which all of what is shown was true; nullopt: nothing has been read yet.
std::optional<TimePoint> MonitorPage::pictureAt() const
{
    return m_pausedAt && m_confirmedAt ? std::min(*m_pausedAt, *m_confirmedAt) : m_confirmedAt;
}

} // namespace lockscope
