// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/historylanes.h"

#include "ui/lanes/laneview.h"

#include <algorithm>

namespace lockscope {

namespace {

constexpr double textPixels = 26;

bool isServersMoment(MonitorEventKind kind)
{
    switch (kind) {
    case MonitorEventKind::FeedChanged:
    case MonitorEventKind::Deadlock:
    case MonitorEventKind::DeadlockEnded:
        return false;
    default:
        return true;
    }
}

} // namespace

HistoryLanes::HistoryLanes(const LockHistory &history, const LockTableModel &model, const DisplayClock &clock,
                           const OwnerNames &names)
    : m_history(history), m_model(model), m_clock(clock), m_names(names)
{
}

TimeRange HistoryLanes::known() const
{
    const qint64 now = m_history.clock().now(m_clock.wallMs());
    // A picture that is held still ends then, whatever came since.
    const qint64 end =
        m_clock.isPast() ? std::min(now, m_clock.wallMs() + now - m_history.clock().wallAt(now)) : now;
    return {m_history.firstMs() == 0 ? end : std::min(m_history.firstMs(), end), end};
}

QList<LaneBand> HistoryLanes::bands(TimeRange time) const
{
    return bandsOf(m_history.gaps(), time);
}

QList<LaneLine> HistoryLanes::lines(TimeRange time) const
{
    QList<LaneLine> lines;
    for (const HistoryEvent &moment : m_history.moments()) {
        if (isServersMoment(moment.kind) && moment.atMs >= time.fromMs && moment.atMs <= time.toMs)
            lines.append({moment.atMs, StatusColor::Danger, moment.text});
    }
    return lines;
}

QString HistoryLanes::lastText() const
{
    if (!m_clock.isPast() && !m_clock.isReplayed())
        return LaneSource::lastText();
    return LaneView::tr("At %1").arg(timeText(known().toMs, 1));
}

QString HistoryLanes::nameOf(const LockKey &key, const OwnerId &owner) const
{
    return m_names.text(m_history.store().at(key).family, key, owner);
}

bool HistoryLanes::hasRoomForText(const TimeRange &time, qint64 stepMs)
{
    return double(time.toMs - time.fromMs) >= textPixels * double(stepMs);
}

void HistoryLanes::addBar(QList<LaneBar> &bars, const LaneBar &bar, qint64 stepMs)
{
    if (bar.look == LaneBar::Look::Dense && !bars.isEmpty()) {
        LaneBar &last = bars.last();
        if (last.look == bar.look && last.row == bar.row && last.color == bar.color &&
            bar.time.fromMs - last.time.toMs <= 2 * stepMs) {
            last.time.toMs = std::max(last.time.toMs, bar.time.toMs);
            return;
        }
    }
    bars.append(bar);
}

} // namespace lockscope
