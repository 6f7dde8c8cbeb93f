// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/statistics/refreshpace.h"
#include "ui/statistics/statisticsexport.h"
#include "ui/statistics/statisticsmodel.h"
#include "ui/widgets/pagepanel.h"
#include "ui/widgets/timerange.h"

#include <QTimer>

#include <functional>
#include <optional>

class QLineEdit;
class QPushButton;
class QTableView;
class QToolButton;

namespace lockscope {

class PeriodBox;

/// Statistics of each lock over a time, from the history: acquisitions, hold and wait times; most costly for
/// others first. Computes in parts, while visible.
class StatisticsPanel : public PagePanel
{
    Q_OBJECT

public:
    /// `presentMs` returns the history's present as shown in other panels. `history` must outlive this.
    StatisticsPanel(const LockHistory &history, std::function<qint64()> presentMs, QWidget *parent = nullptr);
    ~StatisticsPanel() override;

    /// Offers and shows the time selected in the timeline; absent: returns to the previous one.
    void setSelectedTime(const std::optional<TimeRange> &time);
    void restart();
    const StatisticsModel &model() const { return m_model; }
    StatisticsExport exported(const QString &server) const;

signals:
    void chosen(const lockscope::LockKey &key);
    void timelineRequested(const lockscope::LockKey &key);
    void exportRequested();
    void blameRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildHead();
    void buildTable();
    TimeRange time() const;
    void work();
    void tellSummary();
    void showColumns();
    std::optional<LockKey> selected() const;

    const LockHistory &m_history;
    const std::function<qint64()> m_presentMs;
    StatisticsModel m_model;
    std::optional<StatisticsRun> m_run;
    TimeRange m_reckonedTime;
    std::optional<TimeRange> m_shownTime;
    milliseconds m_observed{0};
    int m_shownSpan = -1;       ///< choice of the shown rows
    bool m_isArranging = false; ///< the selection is being restored
    std::chrono::nanoseconds m_cost{0};

    PeriodBox *m_spans;
    QLineEdit *m_filter;
    QPushButton *m_timeline;
    QPushButton *m_export;
    QTableView *m_table;
    QToolButton *m_fold;
    QTimer m_working;
    RefreshPace m_pace;
};

} // namespace lockscope
