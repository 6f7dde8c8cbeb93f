// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/metrics.h"

#include <QWidget>

class QLabel;
class QStackedWidget;

namespace lockscope {

class ElidedLabel;
class MetricsBar;
class ThroughputPlot;
class WaitPlot;
class WorkersView;

class LiveView : public QWidget
{
    Q_OBJECT

public:
    explicit LiveView(QWidget *parent = nullptr);

    /// Begins a run or the next phase of a scenario; clears the previous one.
    void begin(const QString &title, const Plan &plan);
    void show(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys);
    void end(const QString &how); ///< keeps the last state

    WorkersView &workers() { return *m_workers; }
    MetricsBar &figures() { return *m_figures; }
    ThroughputPlot &throughput() { return *m_throughput; }
    QString progress() const;

private:
    QWidget *buildContents();

    QStackedWidget *m_stack;
    ElidedLabel *m_title = nullptr;
    QLabel *m_progress = nullptr;
    MetricsBar *m_figures = nullptr;
    WorkersView *m_workers = nullptr;
    ThroughputPlot *m_throughput = nullptr;
    WaitPlot *m_waits = nullptr;
    Plan m_plan;
    Rate m_rate;
    microseconds m_elapsed{0};
    qint64 m_waitsShown = -1;
};

} // namespace lockscope
