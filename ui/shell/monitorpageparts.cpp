// SPDX-License-Identifier: GPL-3.0-or-later
// What a MonitorPage is made of, and what in it listens to what.
#include "ui/shell/monitorpage.h"

#include "core/base/printable.h"
#include "core/recording/replay.h"
#include "core/table/waittext.h"
#include "core/watch/keynamefilter.h"
#include "core/words/texts.h"
#include "ui/actions/mainactions.h"
#include "ui/alerts/alertcommands.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/alerts/alertspanel.h"
#include "ui/audit/auditpanel.h"
#include "ui/connect/patternsdialog.h"
#include "ui/events/eventspanel.h"
#include "ui/events/eventtext.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/inspector/lockdetails.h"
#include "ui/inspector/overview.h"
#include "ui/inspector/probeview.h"
#include "ui/lockactions/lockactioncontroller.h"
#include "ui/lockactions/outcomenotice.h"
#include "ui/locks/lockselection.h"
#include "ui/locks/lockspage.h"
#include "ui/owners/ownerspanel.h"
#include "ui/recording/recordcontroller.h"
#include "ui/replay/replaybar.h"
#include "ui/search/searchcontroller.h"
#include "ui/shell/livedisplayedstate.h"
#include "ui/shell/lockcommands.h"
#include "ui/shell/replaydisplayedstate.h"
#include "ui/shell/statusbar.h"
#include "ui/shell/watchedpatterns.h"
#include "ui/simulation/simulationpanel.h"
#include "ui/statistics/blamepanel.h"
#include "ui/statistics/statisticspanel.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/savedwidgetstate.h"

#include <QAction>
#include <QDebug>
#include <QMenu>

#include <algorithm>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds ageInterval{250};
constexpr double inspectorShare = 0.3;
constexpr double timelineShare = 0.45;

/// Returns one server: workers contend on a single server.
SimulationTarget simulationTarget(SimulationTarget target)
{
    if (target.address.isGroup())
        target.address = target.address.member(target.address.members.first());
    return target;
}

ListedEvents listedBy(const EventFilter &filter)
{
    return {
        .event = [filter](const LockEvent &event) { return filter.accepts(event); },
        .moment = [filter](MonitorEventKind kind, const LockKey &key) { return filter.accepts(kind, key); }};
}

} // namespace

MonitorPage::MonitorPage(const SimulationTarget &target, const Session::Options &options, const QString &name,
                         MainActions &commands, QWidget *parent)
    : MonitorPage(subjectOf(target, options, name), commands, parent)
{
    m_statusLine->showTrust(target.address);
    if (options.guard.environment() == Environment::Production)
        m_simulation->forbid(tr("Production: no simulation can run here."));
}

MonitorPage::MonitorPage(std::unique_ptr<Replay> replay, MainActions &commands, QWidget *parent)
    : MonitorPage(subjectOf(std::move(replay)), commands, parent)
{
}

MonitorPage::MonitorPage(PageSource subject, MainActions &commands, QWidget *parent)
    : QWidget(parent),
      m_commands(commands),
      m_serverName(subject.name),
      m_source(std::move(subject.source)),
      m_session(subject.session),
      m_replay(subject.replay),
      m_notes(m_replay || subject.target.server ? QString() : subject.target.address.toUriWithoutPassword(),
              subject.options.monitor.rules),
      m_banner(new Banner(this)),
      m_pauseBanner(new Banner(this, Glyph::Pause)),
      m_locks(new LocksPage(m_notes.names(), this))
{
    const auto cycle = [this](const Deadlock &deadlock) {
        return cycleText(deadlock, m_locks->model().waits(), m_notes.names());
    };
    if (m_session)
        m_picture = m_livePicture = new LiveDisplayedState(*m_source, *m_locks, {cycle, m_serverName}, this);
    else // its server has a name that it does not tell
        m_picture = m_replayPicture = new ReplayDisplayedState(*m_replay, *m_locks, {cycle, QString()}, this);
    m_docks = new PanelDocks(m_locks, this);
    m_inspector = new InspectorPanel(m_picture->log(), m_source->watched().holdTimes(), m_locks->clock(),
                                     commands, m_notes.names(), this);
    m_overview = new Overview(
        m_locks->model(), m_locks->clock(), m_notes.names(), [this] { return overviewFacts(); }, this);
    m_inspector->setOverview(m_overview);
    m_outcomes = new OutcomeNotice(this);
    m_waits = new LockWaitsPanel(m_locks->model().waits(), m_locks->clock(), m_notes.names(),
                                 commands.forceExpire, this);
    m_owners = new OwnersPanel(m_locks->model(), m_locks->clock(), m_notes.names(), this);
    m_timeline =
        new TimelinePanel(m_picture->history(), m_locks->model(), m_locks->clock(), m_notes.names(), this);
    const auto presentMs = [this] { return m_timeline->lanes().known().toMs; };
    m_statistics = new StatisticsPanel(m_picture->history(), presentMs, this);
    m_blame = new BlamePanel(m_picture->history(), presentMs, this);
    m_events = new EventsPanel(m_picture->log(), m_notes.names(), this);
    m_patterns = new WatchedPatterns(subject.options.monitor.patterns, !m_notes.uri().isEmpty(), this);
    m_lockCommands = new LockCommands({m_serverName, m_commands, *m_locks, *m_inspector, *m_events,
                                       *m_picture, *m_source, m_notes, m_session, m_replay, this});
    m_statusLine = new StatusBar(subject.place, this);
    if (m_session) {
        m_actions =
            new LockActionController(*m_session, *m_locks, *m_inspector, m_notes.names(), m_serverName, this);
        m_searches = new SearchController(*m_session, m_serverName, this);
        m_audit = new AuditPanel(subject.options.auditPath, subject.place, this);
        m_simulation = new SimulationPanel(simulationTarget(subject.target), m_serverName,
                                           subject.options.readOnly, *commands.showSimulation, this);
        m_recording = new RecordController(
            *m_session, m_serverName, [this] { return m_livePicture->known(); }, this);
        m_alerts = new AlertController(*m_session, m_serverName, m_notes.uri(),
                                       DesktopNotifications::instance(), this);
        m_alertsPanel = new AlertsPanel(*m_alerts, *m_commands.alertRules, this);
    } else {
        m_replayBar = new ReplayBar(*m_replay, commands, this);
    }
    buildLayout();
    connectPanels();
    connectLocks();
    connectTimes();
    connectCommands();
    connect(m_source.get(), &MonitorSource::reported, this, &MonitorPage::take);
    if (m_session)
        connectSession();
    else
        connectReplay();
    showEmptiness();
    updateCommands();
}

/// The recording ends before its source.
MonitorPage::~MonitorPage()
{
    if (!m_recording)
        return;
    if (const QString lost = m_recording->endNow(); !lost.isEmpty()) // there is no window to say it in
        qWarning().noquote() << lost;
}

template <typename Panel>
void MonitorPage::addPanel(const char *name, QAction *show, Panel *panel, const PanelDocks::Place &place)
{
    m_docks->add(
        QString::fromLatin1(name), panel, show, [panel] { panel->focusContents(); }, place);
}

void MonitorPage::buildLayout()
{
    m_docks->add(QStringLiteral("inspector"), m_inspector, m_commands.showInspector, [] {},
                 {.area = Qt::RightDockWidgetArea, .share = inspectorShare, .isOpen = true});
    addPanel("waits", m_commands.showWaits, m_waits, {});
    addPanel("owners", m_commands.showOwners, m_owners, {});
    if (m_replay) { // what came before is why it is looked at
        m_commands.showTimeline->setChecked(true);
        m_timeline->followReplay();
    }
    addPanel("timeline", m_commands.showTimeline, m_timeline,
             {.share = timelineShare, .isOpen = m_replay != nullptr});
    addPanel("statistics", m_commands.showStatistics, m_statistics, {});
    addPanel("blame", m_commands.showBlame, m_blame, {});
    addPanel("events", m_commands.showEvents, m_events, {});
    if (m_session) {
        addPanel("audit", m_commands.showAudit, m_audit, {});
        addPanel("alerts", m_commands.showAlerts, m_alertsPanel, {});
    }
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(m_docks);
    if (m_simulation)
        m_pages->addWidget(m_simulation);
    new SavedWidgetState(
        QStringLiteral("docks"), m_docks, [this] { return m_docks->savedLayout(); },
        [this](const QByteArray &layout) {
            if (!m_docks->restoreLayout(layout))
                m_docks->restoreDefault();
        });
    for (QWidget *notice : std::initializer_list<QWidget *>{m_banner, m_pauseBanner, m_outcomes})
        m_locks->addNotice(notice);
    setLayout(columnOf({{m_pages, 1}, m_replayBar, m_statusLine}, 0, {}));
}

void MonitorPage::connectPanels()
{
    connect(m_banner, &Banner::stepChosen, this, &MonitorPage::takeStep);
    connect(m_pauseBanner, &Banner::stepChosen, this, [this] { m_commands.pause->setChecked(false); });
    m_pauseBanner->hide();
    connect(m_picture, &DisplayedState::changed, this, [this] {
        showChosen();
        showEmptiness();
    });
    connect(m_picture, &DisplayedState::timeChanged, this, [this](bool isStale) {
        m_waits->setStale(isStale);
        m_inspector->tick();
        showChosen();
    });
    connect(m_picture, &DisplayedState::deadlocksChanged, this, [this] {
        m_waits->setDeadlocks(m_picture->deadlocks());
        showChosen();
        showBanner();
    });
    // The banner offers the panel while that is not in sight.
    connect(m_docks, &PanelDocks::sightChanged, this, [this](const QWidget *panel) {
        if (panel == m_waits)
            showBanner();
    });
    m_owners->setWhyBlocked([this] {
        return m_source->watched().isReady() ? m_lockCommands->whyBlocked()
                                             : Texts::tr("Not connected to the server.");
    });
    connect(m_owners, &OwnersPanel::chosen, this, &MonitorPage::goTo);
    connect(m_owners, &OwnersPanel::filterRequested, m_locks, &LocksPage::setTimeFilter);
    connect(m_waits, &LockWaitsPanel::chosen, m_locks, &LocksPage::choose);
    connect(m_events, &EventsPanel::chosen, this, &MonitorPage::goTo);
    connect(m_statistics, &StatisticsPanel::exportRequested, this,
            [this] { m_lockCommands->exportStatistics(*m_statistics); });
    connect(m_blame, &BlamePanel::summaryRequested, this,
            [this] { m_lockCommands->copySummary(m_blame->summaryFor(m_serverName)); });
    connect(m_lockCommands, &LockCommands::flashed, m_statusLine, &StatusBar::flash);
    connect(&m_notes.names(), &OwnerNames::changed, this, [this] {
        showChosen();
        showBanner();
    });
    m_ageTimer.setInterval(ageInterval);
    connect(&m_ageTimer, &QTimer::timeout, this, &MonitorPage::showAge);
}

void MonitorPage::connectLocks()
{
    connect(m_overview, &Overview::lockChosen, this, [this](const LockKey &key) {
        goTo(key);
        m_locks->focusTable();
    });
    connect(m_overview, &Overview::filterChosen, m_locks, &LocksPage::filterBy);
    connect(m_overview, &Overview::patternsWanted, m_commands.patterns, &QAction::trigger);
    connect(m_overview, &Overview::familiesWanted, m_commands.families, &QAction::trigger);
    connect(m_inspector, &InspectorPanel::overviewWanted, m_locks, &LocksPage::chooseNothing);
    const auto showCounts = [this] {
        const LockTableModel &model = m_locks->model();
        m_statusLine->showLocks(model.total(), model.shown(), static_cast<int>(m_locks->selectedCount()));
    };
    connect(m_locks, &LocksPage::chosenChanged, this, &MonitorPage::showChosen);
    connect(m_locks, &LocksPage::selectionChanged, this, [this, showCounts] {
        updateCommands();
        showCounts();
    });
    connect(m_locks, &LocksPage::selectionLimited, this, [this] {
        m_statusLine->flash(tr("At most %1 locks can be selected").arg(grouped(LockSelection::most)));
    });
    connect(m_locks, &LocksPage::activated, m_commands.focusInspector, &QAction::trigger);
    connect(m_locks, &LocksPage::counted, this, showCounts);
    connect(m_locks, &LocksPage::ticked, m_inspector, &InspectorPanel::tick);
    connect(&m_locks->model(), &LockTableModel::waitsChanged, m_waits, &LockWaitsPanel::invalidate);
    const auto showMenu = [this](const QPoint &position) {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        m_locks->fillFilterMenu(*menu);
        menu->addSeparator();
        m_commands.fillContextMenu(*menu);
        menu->popup(position);
    };
    connect(m_locks, &LocksPage::contextMenuWanted, this, showMenu);
    connect(m_waits, &LockWaitsPanel::contextMenuWanted, this, showMenu);
    m_locks->keepFilters();
}

void MonitorPage::connectTimes()
{
    connect(m_timeline, &TimelinePanel::timeSelected, this, [this] {
        const auto &time = m_timeline->time();
        m_statistics->setSelectedTime(time);
        m_blame->setSelectedTime(time);
        if (!time) {
            m_locks->setTimeFilter({}, {});
            return m_events->showTime({});
        }
        const HistoryClock &clock = m_picture->history().clock();
        const TimeRange wall{clock.wallAt(time->fromMs), clock.wallAt(time->toMs)};
        m_locks->setTimeFilter(Texts::tr("%1 – %2").arg(clockTimeText(wall.fromMs), clockTimeText(wall.toMs)),
                               m_timeline->touched());
        m_events->showTime(wall);
    });
    connect(m_locks, &LocksPage::timeFilterRemoved, m_timeline, &TimelinePanel::clearTime);
    connect(m_timeline, &TimelinePanel::chosen, this, &MonitorPage::goTo);
    connect(m_timeline, &TimelinePanel::activated, this, [this](const LockKey &key) {
        if (!m_locks->model().find(key))
            return;
        m_locks->choose(key);
        m_commands.focusInspector->trigger();
    });
    const auto choose = [this](const LockKey &key) {
        m_timeline->showChosen(key); // also where it is gone
        if (m_locks->model().find(key))
            m_locks->choose(key);
    };
    connect(m_statistics, &StatisticsPanel::chosen, this, choose);
    connect(m_blame, &BlamePanel::chosen, this, choose);
    const auto openTimeline = [this, choose](const LockKey &key) {
        m_docks->reveal(m_timeline);
        m_timeline->focusContents();
        // It scrolls to what is chosen then, once it has its place.
        m_timeline->showChosen(std::nullopt);
        QTimer::singleShot(0, this, [choose, key] { choose(key); });
    };
    connect(m_statistics, &StatisticsPanel::timelineRequested, this, openTimeline);
    connect(m_statistics, &StatisticsPanel::blameRequested, this, [this] { m_docks->reveal(m_blame); });
    connect(m_blame, &BlamePanel::episodeRequested, this,
            [this, openTimeline](const LockKey &key, const TimeRange &time) {
                openTimeline(key);
                const qint64 margin = (time.toMs - time.fromMs) / 4 + 500;
                m_timeline->view().showTime({time.fromMs - margin, time.toMs + margin});
            });
}

void MonitorPage::connectSession()
{
    connect(m_session, &Session::lockedOrUnlocked, this, [this] {
        updateCommands();
        emit standingChanged();
    });
    connect(m_locks, &LocksPage::sightChanged, m_session, &Session::setVisible);
    connect(m_picture, &DisplayedState::changing, m_actions, &LockActionController::beforeChange);
    connect(m_picture, &DisplayedState::changed, m_actions, &LockActionController::observe);
    connect(m_picture, &DisplayedState::changed, this, &MonitorPage::chooseWanted);
    connect(m_locks, &LocksPage::chosenChanged, m_actions, &LockActionController::noteChoice);
    connect(m_actions, &LockActionController::reported, m_statusLine, &StatusBar::flash);
    connect(m_actions, &LockActionController::endedUnseen, m_outcomes, &OutcomeNotice::add);
    connect(m_actions, &LockActionController::endedDirectly, m_outcomes, &OutcomeNotice::addPassing);
    // Beside a deadlock, where the chosen lock need not be one of it: the dialog names it.
    connect(m_waits, &LockWaitsPanel::endRequested, m_actions, &LockActionController::askOnce);
    connect(m_owners, &OwnersPanel::endRequested, this, [this](const OwnerEnd &end) {
        m_commands.pause->setChecked(false); // the dialog shows the locks as they are now
        m_actions->endOwner(end);
    });
    connect(m_audit, &AuditPanel::chosen, m_locks, &LocksPage::choose);
    m_inspector->details().probe().setProbe(m_session->options().probe, [this](const ProbeRequest &request) {
        return m_session->probe(request);
    });
    connect(m_commands.findLocks, &QAction::triggered, this, [this] {
        m_searches->findLocks(m_patterns->own(), m_patterns->areKept(), m_source->watched().scan().keyspace);
    });
    connect(m_commands.findClients, &QAction::triggered, this, [this] {
        if (const WatchedLock *lock = m_locks->chosenLock())
            m_searches->findClients(lock->lock);
    });
    connect(m_commands.pause, &QAction::toggled, this, &MonitorPage::setPaused);
    m_locks->addTableAction(m_commands.pause);
    m_timeline->view().addAction(m_commands.pause);
    // Before the dialogs open, which compare with the lock as it is now.
    for (const QAction *action : {m_commands.acquire, m_commands.release, m_commands.extend,
                                  m_commands.forceExpire, m_commands.removeWaiter, m_commands.wake})
        connect(action, &QAction::triggered, this, [this] { m_commands.pause->setChecked(false); });
    m_actions->connectTo(m_commands);
    connect(m_commands.record, &QAction::triggered, m_recording, &RecordController::turn);
    connect(m_recording, &RecordController::changed, this, [this] {
        m_statusLine->showRecording(m_recording->stateText(), m_recording->stateDetail());
        updateCommands();
    });
    connect(m_recording, &RecordController::refused, this,
            [this](const QString &why) { m_outcomes->add(StatusColor::Danger, why); });
    connect(m_recording, &RecordController::ended, m_statusLine, &StatusBar::flash);
    connectAlerts();
    connectPatterns();
}

void MonitorPage::connectAlerts()
{
    m_alerts->setPatterns([this] { return m_patterns->all(); });
    auto *alerts = new AlertCommands(*m_alerts, *m_alertsPanel, *m_commands.showAlerts, this);
    connect(alerts, &AlertCommands::flashed, m_statusLine, &StatusBar::flash);
    connect(alerts, &AlertCommands::lockWanted, this, &MonitorPage::goTo);
    connect(alerts, &AlertCommands::panelWanted, this, [this] {
        showSimulation(false);
        m_docks->reveal(m_alertsPanel);
    });
    connect(m_alerts, &AlertController::countChanged, this, &MonitorPage::standingChanged);
    connect(m_commands.alertRules, &QAction::triggered, this, [this, alerts] {
        alerts->editRules([this] {
            m_commands.pause->setChecked(false); // the locks are judged as they are now
            QList<WatchedLock> locks;
            m_locks->model().visit([&locks](const WatchedLock &lock) {
                locks.append(lock);
                return true;
            });
            return locks;
        });
    });
}

void MonitorPage::connectPatterns()
{
    connect(m_commands.patterns, &QAction::triggered, this, [this] { m_patterns->edit(this); });
    connect(m_overview, &Overview::patternChosen, this, [this](const QByteArray &pattern) {
        m_patterns->add({pattern});
        if (m_patterns->areKept())
            m_statusLine->flash(PatternsDialog::keptText());
    });
    connect(m_searches, &SearchController::patternsChosen, m_patterns, &WatchedPatterns::add);
    connect(m_patterns, &WatchedPatterns::chosen, this, [this] {
        m_notes.setPatterns(m_patterns->own());
        m_commands.pause->setChecked(false); // whoever looks for others wants to see them
        m_hasScanned = false;
        // Its row goes, which does not mean that the lock is gone.
        if (const auto &chosen = m_locks->chosen();
            chosen && !KeyNameFilter(m_patterns->all()).contains(chosen->bytes))
            m_locks->chooseNothing();
        showEmptiness();
    });
    connect(m_patterns, &WatchedPatterns::changed, m_session,
            [this] { m_session->setPatterns(m_patterns->all()); });
    connect(m_simulation, &SimulationPanel::privateRunRequested, this, &MonitorPage::privateRunRequested);
    // A lock that is held for a moment is gone again when a scan has found its key.
    connect(m_simulation, &SimulationPanel::contended, m_session, &Session::requestRead);
    // When it has ended and its locks are seen to be gone: their ends are events that should be seen too.
    const auto leave = [this] {
        if (!m_patterns->haveSimulation() || m_simulation->isRunning() || m_livePicture->isPaused())
            return;
        const QSet<QByteArray> &keys = m_simulation->keys();
        if (std::ranges::none_of(
                keys, [this](const QByteArray &key) { return m_locks->model().find(LockKey(key)); }))
            m_patterns->setSimulation(false);
    };
    connect(m_picture, &DisplayedState::changed, this, leave);
    connect(m_simulation, &SimulationPanel::runningChanged, this, [this, leave](bool running) {
        m_commands.showRunning(running);
        running ? m_patterns->setSimulation(true) : leave();
    });
}

void MonitorPage::connectReplay()
{
    connect(m_replay, &Replay::failed, this, &MonitorPage::failed);
    connect(m_replay, &Replay::opened, this, [this] {
        m_established = true;
        updateCommands();
        emit established();
        m_wantedMs ? m_replay->seekWall(*m_wantedMs) : m_replay->seek(m_replay->outline().opensAt);
    });
    connect(m_replayPicture, &ReplayDisplayedState::rewound, this, [this] {
        if (m_timeline->time())
            m_timeline->clearTime();
    });
    connect(m_replayPicture, &ReplayDisplayedState::reported, this, [this](bool isWhole, bool isJump) {
        if (isWhole && isJump)
            m_timeline->view().setFollowing(true);
        showBanner();
        if (isWhole)
            showAge();
        chooseWanted();
        emit standingChanged();
    });
    // After a jump the history is of another time.
    connect(m_replay, &Replay::arrived, m_statistics, [this] {
        if (!m_replay->isTellingPast())
            return;
        m_statistics->restart();
        m_blame->restart();
    });
    connect(m_replayBar, &ReplayBar::eventRequested, this,
            [this](bool isForward) { m_replay->seekEvent(isForward, listedBy(m_events->filter())); });
    // Space, as it stops and goes on with a live picture.
    auto *turn = new QAction(this);
    turn->setShortcut(Qt::Key_Space);
    turn->setShortcutContext(Qt::WidgetShortcut);
    connect(turn, &QAction::triggered, m_replayBar, &ReplayBar::turn);
    m_locks->addTableAction(turn);
    m_timeline->view().addAction(turn);
}

} // namespace lockscope
