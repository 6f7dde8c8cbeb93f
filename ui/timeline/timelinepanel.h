// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lanes/laneview.h"
#include "ui/timeline/locklanes.h"
#include "ui/timeline/ownerlanes.h"
#include "ui/widgets/pagepanel.h"

#include <QTimer>

#include <optional>

class QComboBox;
class QToolButton;

namespace lockscope {

class LegendEntry;

/// The history as lanes by lock, owner or process: who held a lock when, and who waited. Follows the present,
/// or stands still where the user looks and while paused. Does nothing while hidden.
class TimelinePanel : public PagePanel
{
    Q_OBJECT

public:
    /// All must outlive this.
    TimelinePanel(const LockHistory &history, const LockTableModel &model, const DisplayClock &clock,
                  const OwnerNames &names, QWidget *parent = nullptr);
    ~TimelinePanel() override;

    /// Sets the lock chosen in another panel.
    void showChosen(const std::optional<LockKey> &key);
    void clearTime();
    /// Returns the locks with holds, waits or events in the selected time; empty without one.
    QSet<LockKey> touched() const;
    const std::optional<TimeRange> &time() const { return m_view->selection(); }
    /// Call once the present is a moment of a recording.
    void followReplay();
    void focusContents() override;
    LaneView &view() { return *m_view; }
    const HistoryLanes &lanes() const { return *m_shown; }
    QSize sizeHint() const override;

signals:
    void chosen(const lockscope::LockKey &key);
    void activated(const lockscope::LockKey &key);
    void timeSelected(); ///< also when cleared: time()

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildHead();
    void tick();
    void takeLanes();
    void tellState();
    void tellCursor();
    void setChosen(const std::optional<LockKey> &key);
    void showScale();
    void showLanesOf(int kind);
    LaneParts shownParts() const;
    void restoreParts(const QByteArray &saved);

    const LockHistory &m_history;
    const DisplayClock &m_clock;
    LockLanes m_locks;
    OwnerLanes m_owners;
    OwnerLanes m_processes;
    HistoryLanes *m_shown;
    LaneView *m_view;
    QToolButton *m_live;
    QComboBox *m_spans;
    QComboBox *m_kinds;
    QList<LegendEntry *> m_legend;
    QTimer m_ticking;
    QTimer m_selected;             ///< delays signals while the selection is being drawn
    std::optional<LockKey> m_told; ///< chosen in another panel
    TimePoint m_lanesAt;
    TimePoint m_tickedAt;
    TimePoint m_busyAt;
    qint64 m_tickedMs = 0; ///< end of the known time at m_tickedAt
    quint64 m_drawnRevision = 0;
    TimeRange m_drawn;
};

} // namespace lockscope
