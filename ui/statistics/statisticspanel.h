// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/statistics/statisticsexport.h"
#include "ui/statistics/statisticsmodel.h"
#include "ui/widgets/pagepanel.h"
#include "ui/widgets/timerange.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <optional>

class QComboBox;
class QLineEdit;
class QPushButton;
class QTableView;

namespace lockscope {

/// What happened to each lock in a time, as the history has it: how often it was acquired, and how long it was held and waited
/// for; those first that cost others the most. Reckons in parts, and only while it is visible.
class StatisticsPanel : public PagePanel
{
    Q_OBJECT

public:
    /// `presentMs`: where the history's present is, as it is shown elsewhere. `history` must outlive this.
    StatisticsPanel(const LockHistory &history, std::function<qint64()> presentMs, QWidget *parent = nullptr);
    ~StatisticsPanel() override;

    /// The time that is selected in the timeline: offered and shown; absent: what was shown before.
    void setSelectedTime(const std::optional<TimeRange> &time);
    /// What was shown is of another history.
    void restart();
    const StatisticsModel &model() const { return m_model; }
    StatisticsExport exported(const QString &server) const;

signals:
    void chosen(const lockscope::LockKey &key);
    /// The lock's lane is to be seen in the timeline.
    void timelineRequested(const lockscope::LockKey &key);
    void exportRequested();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void buildHead();
    void buildTable();
    TimeRange time() const;
    void work();
    void tellSummary();
    std::optional<LockKey> selected() const;

    const LockHistory &m_history;
    const std::function<qint64()> m_presentMs;
    StatisticsModel m_model;
    std::optional<StatisticsRun> m_run;
    std::optional<TimeRange> m_selectedTime;
    TimeRange m_reckonedTime;
    std::optional<TimeRange> m_shownTime; ///< of what is shown
    milliseconds m_observed{0};
    quint64 m_reckonedRevision = 0;     ///< of the history, when the last run began
    QElapsedTimer m_reckoned;           ///< since then
    int m_spanBefore = 0;               ///< what was chosen before a time was selected
    bool m_isArranging = false;         ///< what is selected then was selected before
    std::chrono::nanoseconds m_cost{0}; ///< of all parts of the run

    QComboBox *m_spans;
    QLineEdit *m_filter;
    QPushButton *m_timeline;
    QPushButton *m_export;
    QTableView *m_table;
    QTimer m_working;
    QTimer m_due;
};

} // namespace lockscope
