// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"
#include "ui/connect/serverprofilecontroller.h"
#include "ui/shell/bannerchoice.h"
#include "ui/shell/paneldocks.h"
#include "ui/simulation/simulationsetup.h"
#include "ui/widgets/serverlabel.h"

#include <QTimer>
#include <QWidget>

#include <optional>

class QAction;

namespace lockscope {

class AlertCommands;
class AlertController;
class AlertsPanel;
class AuditPanel;
class Banner;
class EventsPanel;
class InspectorPanel;
class LivePicture;
class LockActionController;
class LockCommands;
class LocksPage;
class LockWaitsPanel;
class MainActions;
class OutcomeNotice;
class OutsideLine;
class OwnersPanel;
class Picture;
class RecordController;
class Replay;
class ReplayBar;
class ReplayPicture;
class SearchController;
class SimulationPanel;
class StatisticsPanel;
class StatusBar;
class TimelinePanel;
class WatchedPatterns;

/// One server under watch: the session and everything that shows it, wired together. Gone with the connection. Or a recording of
/// one: the same without what needs the server.
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

    // monitorpageparts.cpp: what it is made of, and what in it listens to what.
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

    void take(const WatchEvent &event);
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
    QStringList deadlockOfChosen() const;
    void showAge();
    void updateCommands();
    BannerFacts facts() const;
    ReplayFacts replayFacts() const;

    MainActions &m_commands;
    QString m_serverName;
    std::unique_ptr<WatchSource> m_source;
    Session *const m_session; ///< nullptr: a recording is shown
    Replay *const m_replay;   ///< nullptr: a server is
    ServerProfileController m_notes;
    std::optional<LockKey> m_wanted; ///< to be chosen when it is found
    bool m_established = false;
    bool m_hasScanned = false; ///< all keys of the patterns
    BannerStep m_step = BannerStep::None;

    // Of these, what needs a server is nullptr in a recording, and the other way round.
    Banner *m_banner;
    Banner *m_pauseBanner;
    LocksPage *m_locks;
    LivePicture *m_livePicture = nullptr;
    ReplayPicture *m_replayPicture = nullptr;
    Picture *m_picture; ///< one of them
    PanelDocks *m_docks;
    InspectorPanel *m_inspector;
    LockActionController *m_actions = nullptr;
    OutcomeNotice *m_outcomes;
    SearchController *m_searches = nullptr;
    LockWaitsPanel *m_waits;
    OwnersPanel *m_owners;
    TimelinePanel *m_timeline;
    StatisticsPanel *m_statistics;
    EventsPanel *m_events;
    AuditPanel *m_audit = nullptr;
    AlertController *m_alerts = nullptr;
    AlertsPanel *m_alertsPanel = nullptr;
    SimulationPanel *m_simulation = nullptr;
    OutsideLine *m_outside;
    WatchedPatterns *m_patterns;
    RecordController *m_recording = nullptr;
    ReplayBar *m_replayBar = nullptr;
    LockCommands *m_lockCommands;
    StatusBar *m_statusLine;
    QTimer m_ageTimer;
};

} // namespace lockscope
