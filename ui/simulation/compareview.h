// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/comparison.h"

#include <QWidget>

class QComboBox;
class QSplitter;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace lockscope {

class RunPair;
class WaitPlot;

/// The completed runs of this session, two of them side by side: timelines and figures, or one of the two if
/// the view is low.
class CompareView : public QWidget
{
    Q_OBJECT

public:
    static constexpr qsizetype maxRuns = 20;
    static constexpr qsizetype maxEntries = 1'000'000; ///< in all traces; the oldest are dropped

    explicit CompareView(QWidget *parent = nullptr);

    /// Adds runs of one simulation and compares the first with the last; a single run with the previous one.
    void add(const QList<CompletedRun> &runs);
    void compare(int first, int second); ///< 0: oldest kept run
    const Comparison &comparison() const { return *m_comparison; }
    RunPair &timelines() { return *m_timelines; }
    int runs() const { return static_cast<int>(m_runs.size()); }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *buildContents();
    void showChosen();
    void fitHeight();
    void boundTraces();

    QList<CompletedRun> m_runs;
    int m_number = 0; ///< number of the last run, from 1
    QStackedWidget *m_stack;
    Comparison *m_comparison;
    QComboBox *m_first = nullptr;
    QComboBox *m_second = nullptr;
    QSplitter *m_splitter = nullptr;
    QToolButton *m_showsFigures = nullptr;
    QTableView *m_table = nullptr;
    WaitPlot *m_waits = nullptr;
    RunPair *m_timelines = nullptr;
};

} // namespace lockscope
