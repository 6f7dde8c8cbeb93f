// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockhistory.h"
#include "core/monitor/session.h"
#include "core/recording/watchingtracker.h"
#include "core/watch/eventlog.h"
#include "core/watch/heldchanges.h"
#include "core/watch/holdtimes.h"
#include "core/watch/resetnotes.h"
#include "core/watch/waitforgraph.h"
#include "ui/connect/serverprofilecontroller.h"
#include "ui/shell/paneldocks.h"
#include "ui/simulation/simulationsetup.h"
#include "ui/widgets/serverlabel.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include <optional>

class QAction;
class QDialog;

namespace lockscope {

struct RecordingGap;

class AlertController;
class AlertsPanel;
class AuditPanel;
class Banner;
class EventsPanel;
class MainActions;
class FileExporter;
class InspectorPanel;
class LockActionController;
class LocksPage;
class MomentTeller;
class OutcomeNotice;
class OutsideLine;
class RecordController;
class Replay;
class ReplayBar;
class SearchController;
class SimulationPanel;
class StatusBar;
class LockWaitsPanel;
class TimelinePanel;

/// One server under watch: the session and everything that shows it. Gone with the connection. Or a recording of one: the same
/// without what needs the server.
class MonitorPage : public QWidget
{
    Q_OBJECT

public:
    /// `name` is what the user calls the server; empty: its address. `commands` and a server of ours must outlive this.
    MonitorPage(const SimulationTarget &target, const Session::Options &options, const QString &name,
                MainActions &commands, QWidget *parent = nullptr);
    MonitorPage(std::unique_ptr<Replay> replay, MainActions &commands, QWidget *parent = nullptr);
    ~MonitorPage() override;

    void open();
    void focusLocks();
    void focusSimulation();
    /// As PanelDocks has it.
    QByteArray layoutOfPanels() const;
    void setLayoutOfPanels(const QByteArray &layout);
    const QString &serverName() const { return m_serverName; }
    bool isReadOnly() const;
    bool isReplay() const { return m_replay != nullptr; }
    ServerStanding standing() const;
    /// The lock as soon as it is known; where the first scan ends without it, that is said.
    void chooseWhenFound(const LockKey &key);

    void simulate(const SimulationSetup &setup);
    /// Of a session: what is known now and what comes is recorded to a file from start() until it is stopped.
    RecordController &recording() { return *m_recording; }

signals:
    void established(); ///< the first login succeeded
    void standingChanged();
    /// The first attempt failed, or the server refused us later and the user wants to change how to connect. The error is for
    /// the form.
    void failed(const lockscope::Error &why);
    /// The set-up should run on a private server, in a window of its own.
    void privateRunRequested(const lockscope::SimulationSetup &setup);

private:
    /// What a page is of.
    struct Subject
    {
        SimulationTarget target; // of a session
        Session::Options options;
        QString name;
        QString place; ///< as the status bar names it
        std::unique_ptr<WatchSource> source;
        Session *session = nullptr; ///< the source, or
        Replay *replay = nullptr;
    };
    MonitorPage(Subject subject, MainActions &commands, QWidget *parent);
    static Subject subjectOf(const SimulationTarget &target, const Session::Options &options,
                             const QString &name);
    static Subject subjectOf(std::unique_ptr<Replay> replay);

    void connectSource();
    void connectSession();
    void connectReplay();
    void connectRecording();
    void showRecording();
    void takeRewind();
    void takeKnown(const LockDiff &part);
    void takeRestored(bool isWhole);
    LockDiff othersThanShown(const LockDiff &told) const;
    void takeGap(const RecordingGap &gap);
    void takePart();
    void takeArrival();
    void showHeld();
    void showReplayTime();
    void showReplay();
    void showReplayEmptiness();
    void stepInReplay();
    RecordedPicture known() const;
    milliseconds ageOf(TimePoint at) const;
    void connectCommands();
    void onStatusChanged(const ConnectionStatus &status);
    void takeCluster(const ClusterStatus &cluster);
    bool tellMissingNodes();
    void tellMissingServers(int missing, const QString &why);
    bool tellReplication();
    void takeDiff(const LockDiff &diff);
    void takeConfirmation(TimePoint at);
    void takeMoment(const Moment &moment);
    void takeTime();
    void showDiff(const LockDiff &diff, const QList<Moment> &moments = {});
    void setPaused(bool on);
    void showPause();
    std::optional<TimePoint> pictureAt() const;
    void showTime();
    void takeScan(const ScanStats &stats);
    void takeDeadlocks(const QList<Deadlock> &deadlocks);
    void tellDeadlocks();
    void takePermissions(const PermissionStatus &status);
    QString grant() const;
    void takeReset(const ServerReset &reset);
    void buildLayout();
    void addOwners();
    void addStatistics();
    template <typename Panel>
    void addPanel(const QString &name, QAction *show, Panel *panel, const PanelDocks::Place &place);
    void connectPanels();
    void addAlerts();
    void feedAlerts();
    void editAlertRules();
    void focusInspector();
    void showConnection();
    void showEmptiness();
    void showChosen();
    void showStanding();
    void chooseWanted();
    void goTo(const LockKey &key);
    QString whyHidden() const;
    QStringList deadlockOfChosen() const;
    void showRawValue();
    void showAge();
    void showCounts();
    QString whyBlocked() const;
    ServerAddress serverToAsk(const LockKey &key) const;
    void updateCommands();
    void stepFromBanner();
    void joinSimulation();
    void leaveSimulation();
    QList<QByteArray> watchedPatterns() const;

    void exportLocks(bool areSelected);
    bool canExport();
    /// Of a recording: the moment that is shown, epoch ms.
    std::optional<qint64> shownMs() const
    {
        return m_replay ? std::optional(m_source->wallNow()) : std::nullopt;
    }
    void present(QDialog *dialog);
    void editPatterns();
    void watchPatterns(const QList<QByteArray> &patterns);

    MainActions &m_commands;
    QString m_serverName;
    std::unique_ptr<WatchSource> m_source;
    Session *const m_session;     ///< nullptr: a recording is shown
    Replay *const m_replay;       ///< nullptr: a server is
    QList<QByteArray> m_patterns; ///< the user's
    ServerProfileController m_notes;
    std::optional<LockKey> m_wanted; ///< to be chosen when it is found
    bool m_watchesSimulation = false;
    ConnectionStatus m_status;
    ClusterStatus m_cluster;
    bool m_established = false;
    std::optional<TimePoint> m_confirmedAt;
    std::optional<TimePoint> m_staleSince; ///< what is shown is not current: the connection was lost
    std::optional<TimePoint> m_pausedAt;   ///< the picture is held still
    bool m_pausedWhileStale = false;
    QTime m_pauseBegan;
    HeldChanges m_held; ///< meanwhile
    std::optional<Error> m_trouble;
    PermissionStatus m_permissions;
    QAction *m_copyGrant;
    ResetNotes m_resets; ///< until the user has taken note of them
    ScanStats m_scan;
    bool m_sweptOnce = false;

    Banner *m_banner;
    Banner *m_pauseBanner;
    EventLog m_log;
    HoldTimes m_holdTimes;
    LockHistory m_history; ///< also of the time while the picture is held still
    WatchingTracker *m_tracker;
    MomentTeller *m_moments = nullptr;
    bool m_isRestoring = false; ///< in a recording: what is told stood so already
    bool m_isJumping = false;   ///< in a recording: what is told is of before the moment that is to be shown
    QList<Deadlock> m_deadlocks;
    LocksPage *m_locks;
    PanelDocks *m_docks;
    InspectorPanel *m_inspector;
    LockActionController *m_actions; ///< nullptr in a replay
    OutcomeNotice *m_outcomes;
    FileExporter *m_exporter;
    SearchController *m_searches; ///< nullptr in a replay
    LockWaitsPanel *m_waits;
    TimelinePanel *m_timeline;
    EventsPanel *m_events;
    AuditPanel *m_audit;                  ///< nullptr in a replay
    AlertController *m_alerts = nullptr;  ///< made with the layout; nullptr in a replay
    AlertsPanel *m_alertsPanel = nullptr; ///< likewise
    SimulationPanel *m_simulation;        ///< nullptr in a replay
    OutsideLine *m_outside;
    RecordController *m_recording; ///< nullptr in a replay
    ReplayBar *m_replayBar;        ///< nullptr but in a replay
    StatusBar *m_statusLine;
    QTimer m_ageTimer;
};

} // namespace lockscope
