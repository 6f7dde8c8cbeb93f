// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/report.h"
#include "core/simulation/model/workerview.h"
#include "ui/lanes/laneview.h"
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

struct CompletedRun
{
    QString title; ///< of the phase; empty if there is only one
    Report report;
};

/// A run as a timeline: live, then for reading, slow motion and stepping. Draws nothing while hidden.
///
/// Keys, besides those of LaneView: N and P step to the next and previous event, A shows all, except in a
/// list; Space plays and pauses in the lanes.
class RunTimeline : public QWidget
{
    Q_OBJECT

public:
    explicit RunTimeline(QWidget *parent = nullptr);

    void begin(const QString &title, const Plan &plan);
    void take(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys);
    /// Shows completed runs, such as phases, beginning with the first; without any, the recorded data stays.
    void show(const QList<CompletedRun> &runs);
    /// Shows a moment of one of the runs, or of the current run, and puts the cursor there.
    void goTo(int run, microseconds at);

    LaneView &view() { return *m_view; }
    QComboBox &runs() { return *m_runs; } ///< may be shown elsewhere
    const RunLanes &lanes() const { return m_lanes; }
    bool isPlaying() const { return m_player.isPlaying(); }
    const QString &title() const { return m_title; }

public slots:
    void togglePlaying();
    void nextEvent();
    void previousEvent();
    void showAll();

signals:
    void runShown(const lockscope::Report &report);
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
    QList<TraceEntry> m_entries; ///< sorted by time after the run, otherwise in order of arrival
    Plan m_plan;
    qint64 m_leftOut = 0;
    microseconds m_elapsed{0};
    bool m_isLive = false;
    bool m_hasKeys = false;
    bool m_isFitted = true;   ///< the whole run is shown while it grows
    bool m_isStale = false;   ///< changed while hidden
    bool m_isPending = false; ///< completed runs not shown yet
    RunPlayer m_player;
    QTimer m_playing;
    QElapsedTimer m_since;
};

} // namespace lockscope
