// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"
#include "core/table/bannerchoice.h"
#include "ui/connect/serverprofilecontroller.h"
#include "ui/shell/paneldocks.h"
#include "ui/simulation/simulationsetup.h"
#include "ui/widgets/serverlabel.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QAction;
class QStackedWidget;

namespace lockscope {

class AlertCommands;
class AlertController;
class AlertsPanel;
class AuditPanel;
class Banner;
class BlamePanel;
class EventsPanel;
class InspectorPanel;
class LiveDisplayedState;
class LockActionController;
class LockCommands;
class LocksPage;
class LockWaitsPanel;
class MainActions;
class OutcomeNotice;
class Overview;
struct OverviewFacts;
class OwnersPanel;
class DisplayedState;
class RecordController;
class Replay;
class ReplayBar;
class ReplayDisplayedState;
class SearchController;
class SimulationPanel;
class StatisticsPanel;
class StatusBar;
class TimelinePanel;
class WatchedPatterns;

/// The page of one server: its session and all panels, connected to each other. Deleted with the connection.
/// Also shows a recording, without the parts that need a server.
class MonitorPage : public QWidget
{
    Q_OBJECT

public:
    /// `name` is the user's name of the server; empty: its address. `commands` must outlive this.
    MonitorPage(const SimulationTarget &target, const Session::Options &options, const QString &name,
                MainActions &commands, QWidget *parent = nullptr);
    MonitorPage(std::unique_ptr<Replay> replay, MainActions &commands, QWidget *parent = nullptr);
    ~MonitorPage() override;

    void open();
    void focusLocks();
    void showSimulation(bool on);
    const QString &serverName() const { return m_serverName; }
    bool isSimulating() const;
    bool isReadOnly() const;
    bool isReplay() const { return m_replay != nullptr; }
    ServerStanding standing() const;
    /// Chooses a lock as soon as it is known; reports if the first scan ends without it.
    void chooseWhenFound(const LockKey &key);

    /// Shows a moment (epoch ms) of a recording, or says why it cannot be shown. Call before open(), or when
    /// established.
    void showMoment(qint64 wallMs);

    void simulate(const SimulationSetup &setup);
    /// Calls `then`, after consent if a simulation has to be ended.
    void endRunBefore(const std::function<void()> &then);
    /// Controls the recording of a session: its state at the start and all changes until it is stopped.
    RecordController &recording() { return *m_recording; }

signals:
    void established(); ///< after the first login
    void standingChanged();
    /// Emitted if the first attempt failed, or if the user wants to edit a refused connection. The form shows
    /// the error.
    void failed(const lockscope::Error &why);
    /// Requests a run of the setup on a private server, in a new window.
    void privateRunRequested(const lockscope::SimulationSetup &setup);

private:
    struct PageSource
    {
        SimulationTarget target; // of a session
        Session::Options options;
        QString name;
        QString place; ///< text for the status bar
        std::unique_ptr<MonitorSource> source;
        Session *session = nullptr; ///< the source, unless it is a recording
        Replay *replay = nullptr;
    };
    MonitorPage(PageSource subject, MainActions &commands, QWidget *parent);
    static PageSource subjectOf(const SimulationTarget &target, const Session::Options &options,
                                const QString &name);
    static PageSource subjectOf(std::unique_ptr<Replay> replay);

    // monitorpageparts.cpp: builds the panels and connects their signals.
    void buildLayout();
    template <typename Panel>
    void addPanel(const char *name, QAction *show, Panel *panel, const PanelDocks::Place &place);
    void connectPanels();
    void connectLocks();
    void connectTimes();
    void connectSession();
    void connectAlerts();
    void connectPatterns();
    void connectReplay();
    void connectCommands();

    void take(const MonitorReport &event);
    void takeStatus();
    void takeScan(const ScanStats &stats);
    void setPaused(bool on);
    void showBanner();
    void takeStep();
    void showPause();
    void showEmptiness();
    void showChosen();
    void chooseWanted();
    void goTo(const LockKey &key);
    QString whyHidden() const;
    OverviewFacts overviewFacts() const;
    QStringList deadlockOfChosen() const;
    void showAge();
    void updateCommands();
    BannerFacts facts() const;
    ReplayFacts replayFacts() const;

    MainActions &m_commands;
    QString m_serverName;
    std::unique_ptr<MonitorSource> m_source;
    Session *const m_session; ///< nullptr for a recording
    Replay *const m_replay;   ///< nullptr for a server
    ServerProfileController m_notes;
    std::optional<LockKey> m_wanted;
    std::optional<qint64> m_wantedMs; ///< moment of a recording to begin with
    bool m_established = false;
    bool m_hasScanned = false; ///< after a full scan of all patterns
    BannerStep m_step = BannerStep::None;

    // Parts that need a server are nullptr in a recording, and vice versa.
    Banner *m_banner;
    Banner *m_pauseBanner;
    LocksPage *m_locks;
    LiveDisplayedState *m_livePicture = nullptr;
    ReplayDisplayedState *m_replayPicture = nullptr;
    DisplayedState *m_picture; ///< m_livePicture or m_replayPicture
    QStackedWidget *m_pages;   ///< the panels, or the simulation
    PanelDocks *m_docks;
    InspectorPanel *m_inspector;
    Overview *m_overview;
    LockActionController *m_actions = nullptr;
    OutcomeNotice *m_outcomes;
    SearchController *m_searches = nullptr;
    LockWaitsPanel *m_waits;
    OwnersPanel *m_owners;
    TimelinePanel *m_timeline;
    StatisticsPanel *m_statistics;
    BlamePanel *m_blame;
    EventsPanel *m_events;
    AuditPanel *m_audit = nullptr;
    AlertController *m_alerts = nullptr;
    AlertsPanel *m_alertsPanel = nullptr;
    SimulationPanel *m_simulation = nullptr;
    WatchedPatterns *m_patterns;
    RecordController *m_recording = nullptr;
    ReplayBar *m_replayBar = nullptr;
    LockCommands *m_lockCommands;
    StatusBar *m_statusLine;
    QTimer m_ageTimer;
};

} // namespace lockscope
