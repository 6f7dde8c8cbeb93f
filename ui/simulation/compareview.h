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

/// The last runs of this session, two of them side by side: their timelines, and their figures where there is room for both, or else
/// instead.
class CompareView : public QWidget
{
    Q_OBJECT

public:
    static constexpr qsizetype mostRuns = 20;
    static constexpr qsizetype mostEntries = 1'000'000; ///< of all their traces: the oldest go first

    explicit CompareView(QWidget *parent = nullptr);

    /// Runs that belong together: of several, the first and the last are compared; one with the run before it.
    void add(const QList<CompletedRun> &runs);
    void compare(int first, int second); ///< 0 is the oldest that is kept
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
    int m_number = 0; ///< of the last run, from 1
    QStackedWidget *m_stack;
    Comparison *m_comparison;
    QComboBox *m_first = nullptr;
    QComboBox *m_second = nullptr;
    QSplitter *m_splitter = nullptr; ///< the figures
    QToolButton *m_showsFigures = nullptr;
    QTableView *m_table = nullptr;
    WaitPlot *m_waits = nullptr;
    RunPair *m_timelines = nullptr;
};

} // namespace lockscope
