// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/metrics.h"

#include <QWidget>

class QTabWidget;

namespace lockscope {

struct CompletedRun;
class MetricsBar;
class ResultView;
class RunTimeline;
class ThroughputPlot;
class WaitPlot;
class WorkersView;

/// A run: its figures above its timeline and workers, beside what was expected and what happened.
class LiveView : public QWidget
{
    Q_OBJECT

public:
    explicit LiveView(QWidget *parent = nullptr);

    /// Begins a run or the next phase of a scenario; clears the previous one.
    void begin(const QString &phase, const Plan &plan);
    void show(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys);
    /// Keeps the last state, and shows the completed runs.
    void end(const QString &how, const QList<CompletedRun> &runs);
    void showTimeline();

    WorkersView &workers() { return *m_workers; }
    MetricsBar &figures() { return *m_figures; }
    ThroughputPlot &throughput() { return *m_throughput; }
    RunTimeline &timeline() { return *m_timeline; }
    ResultView &result() { return *m_result; }
    const QString &progress() const { return m_progress; }

private:
    // Made in this order, which is that of the Tab key.
    MetricsBar *m_figures;
    QTabWidget *m_tabs;
    RunTimeline *m_timeline;
    WorkersView *m_workers;
    ThroughputPlot *m_throughput;
    WaitPlot *m_waits;
    ResultView *m_result;
    QString m_progress;
    Plan m_plan;
    Rate m_rate;
    microseconds m_elapsed{0};
    qint64 m_waitsShown = -1;
};

} // namespace lockscope
