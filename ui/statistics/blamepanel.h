// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/blame.h"
#include "ui/statistics/refreshpace.h"
#include "ui/widgets/incidentsummary.h"
#include "ui/widgets/pagepanel.h"
#include "ui/widgets/timerange.h"

#include <QElapsedTimer>
#include <QFutureWatcher>
#include <QSet>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QComboBox;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockscope {

class PeriodBox;

/// Who made whom wait in a period of the history: locks or blockers, the most costly first, each with its worst
/// episodes. While visible, copies what is needed in parts, and reckons on another thread.
class BlamePanel : public PagePanel
{
    Q_OBJECT

public:
    /// `presentMs` returns the history's present as shown in other panels. `history` must outlive this.
    BlamePanel(const LockHistory &history, std::function<qint64()> presentMs, QWidget *parent = nullptr);
    ~BlamePanel() override;

    /// Offers and shows the time selected in the timeline; absent: returns to the previous one.
    void setSelectedTime(const std::optional<TimeRange> &time);
    void restart();
    /// Absent until something was reckoned.
    std::optional<IncidentSummary> summaryFor(const QString &server) const;

signals:
    void chosen(const lockscope::LockKey &key);
    /// On the history's axis.
    void episodeRequested(const lockscope::LockKey &key, lockscope::TimeRange time);
    void summaryRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    enum Column { Who, Waited, Episodes, Lasted, MostWaiters, Root };
    struct Shown
    {
        Blame blame;
        std::vector<BlameRow> rows;
        BlameBy by = BlameBy::Lock;
        TimeRange period;
    };
    using ShownPtr = std::shared_ptr<const Shown>;

    void buildHead();
    void buildTree();
    void copy();
    void take();
    void fill();
    QTreeWidgetItem *itemOf(const BlameRow &row, const QString &name) const;
    QTreeWidgetItem *itemOf(size_t episode, milliseconds waited) const;
    QString wallText(qint64 axisMs) const;
    const WaitEpisode *selected() const;
    void openSelected();

    const LockHistory &m_history;
    const std::function<qint64()> m_presentMs;
    std::optional<WaitCopy> m_copy;
    TimeRange m_period; ///< being reckoned
    QFutureWatcher<ShownPtr> m_reckoning;
    ShownPtr m_result; ///< nullptr: nothing yet
    ShownPtr m_next;   ///< waits until the pointer has left the rows
    bool m_isFilling = false;
    QSet<QString> m_opened;   ///< names of rows
    QElapsedTimer m_reckoned; ///< since the other thread began
    milliseconds m_cost{0};

    PeriodBox *m_periods;
    QComboBox *m_by;
    QPushButton *m_timeline;
    QPushButton *m_summary;
    QTreeWidget *m_tree;
    QTimer m_copying;
    QTimer m_waiting; ///< for the pointer
    RefreshPace m_pace;
};

} // namespace lockscope
