// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cursesscreen.h"
#include "app/top/topview.h"
#include "core/watch/monitorsource.h"
#include "core/watch/pausedchanges.h"

#include <QSocketNotifier>
#include <QTimer>

#include <deque>
#include <memory>

namespace lockscope {

/// The window of `top` at the terminal: collects a watch's changes and shows them four times a second, and after
/// each key. Never waits for the terminal: a frame that it cannot take yet is left out.
class TopDesk : public QObject
{
    Q_OBJECT

public:
    /// `source` must outlive this.
    explicit TopDesk(const MonitorSource &source);

    LockTableModel &model() { return m_model; }
    DisplayClock &clock() { return m_clock; }
    TopView &view() { return *m_view; }

    /// Takes the terminal. SSH asks for nothing from then on.
    void open(TopSource source, const QString &filter);
    void close();
    bool isOpen() const { return m_screen != nullptr; }

    /// Collects changes for the next frame.
    void add(const LockDiff &diff);
    /// Collects only the events.
    void addEvents(const QList<LockEvent> &events);
    void clear();
    void setPaused(bool on);
    /// Shows what was collected at once.
    void showNow();
    bool isPaused() const { return m_pausedAt.has_value(); }
    /// "paused 12 s, changed: 34"; empty without a pause.
    QString pauseText() const;
    /// The latest event of all locks, as a line; empty: none.
    QString latestEvent() const;

signals:
    void beforeFrame();                                      ///< the clock may be set
    void rowsChanged(const QList<lockscope::LockKey> &keys); ///< in sight, the chosen lock first
    void ended();                                            ///< the terminal is gone

private:
    void takeKeys();

    void applyChanges();
    void paint();
    QStringList eventsOf(const LockKey &key) const;

    const MonitorSource &m_source;
    DisplayClock m_clock;
    LockTableModel m_model;
    std::deque<LockEvent> m_events; ///< the latest last
    PausedChanges m_pending;
    std::optional<TimePoint> m_pausedAt;
    std::unique_ptr<CursesScreen> m_screen;
    std::unique_ptr<TopView> m_view;
    std::unique_ptr<QSocketNotifier> m_input;
    QList<LockKey> m_visible;
    QTimer m_frames;
    QTimer m_soon;
};

} // namespace lockscope
