// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/workerview.h"
#include "ui/lanes/laneview.h"
#include "ui/simulation/comparison.h"
#include "ui/simulation/runlanes.h"
#include "ui/simulation/runplayer.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QToolButton;

namespace lockscope {

class ElidedLabel;
class RunLegend;

/// A run as lanes of time: live while it runs, afterwards to be read, played in slow motion, and stepped through. Draws nothing while it
/// is hidden.
///
/// Keys, besides those of LaneView: N and P go to the next and the previous event, A shows all, from wherever the focus is but a list;
/// Space plays and pauses, in the lanes.
class RunTimeline : public QWidget
{
    Q_OBJECT

public:
    explicit RunTimeline(QWidget *parent = nullptr);

    /// A run begins.
    void begin(const QString &title, const Plan &plan);
    void take(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys);
    /// The runs have ended, such as the phases of a scenario. The first of them is shown; of none what was seen last.
    void show(const QList<CompletedRun> &runs);
    /// That moment of one of the runs: the cursor goes there, and what is around it is shown. While a run goes on, of that one.
    void goTo(int run, microseconds at);

    LaneView &view() { return *m_view; }
    const RunLanes &lanes() const { return m_lanes; }
    bool isPlaying() const { return m_player.isPlaying(); }
    /// Of the run that is shown.
    const QString &title() const { return m_title; }

public slots:
    void togglePlaying();
    void nextEvent();
    void previousEvent();
    void showAll();

signals:
    void pictureWanted();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    QLayout *head();
    QLayout *controls();
    void end();
    void showRun(int run);
    void showWhatMatters();
    void refresh();
    void advance();
    void stop();
    void goToEvent(std::optional<microseconds> moment);
    void uncoverUntil(std::optional<microseconds> moment);
    void tellMoment(microseconds after, microseconds at);
    void tellState();
    void tellSummary();
    microseconds place() const;

    RunLanes m_lanes;
    // In the order in which Tab reaches them.
    QComboBox *m_runs;
    ElidedLabel *m_summary;
    RunLegend *m_legend;
    QToolButton *m_previous;
    QToolButton *m_play;
    QToolButton *m_next;
    QComboBox *m_lengths;
    QToolButton *m_all;
    ElidedLabel *m_told;
    QToolButton *m_picture;
    LaneView *m_view;
    QString m_title;
    QList<CompletedRun> m_completed;
    QList<TraceEntry> m_entries; ///< by time, of a completed run; of one that goes on as they came
    Plan m_plan;
    qint64 m_leftOut = 0;
    microseconds m_elapsed{0};
    bool m_isLive = false;
    bool m_hasKeys = false;
    bool m_isFitted = true;   ///< all of the run is shown, while it grows
    bool m_isStale = false;   ///< changed while it was hidden
    bool m_isPending = false; ///< completed runs are built when they are seen
    RunPlayer m_player;
    QTimer m_playing;
    QElapsedTimer m_since;
};

} // namespace lockscope
