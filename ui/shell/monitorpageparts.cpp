// SPDX-License-Identifier: GPL-3.0-or-later
// What a MonitorPage is made of, and what in it listens to what.
#include "ui/shell/monitorpage.h"

#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/monitor/scanguard.h"
#include "core/words/permissionmessages.h"
#include "ui/actions/mainactions.h"
#include "ui/audit/auditpanel.h"
#include "ui/connect/patternsdialog.h"
#include "ui/events/eventspanel.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/inspector/rediscli.h"
#include "ui/lockactions/lockactioncontroller.h"
#include "ui/lockactions/outcomenotice.h"
#include "ui/locks/lockselection.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/lockstatustext.h"
#include "ui/locks/locktext.h"
#include "ui/locks/waittext.h"
#include "ui/recording/recordcontroller.h"
#include "ui/replay/replaybar.h"
#include "ui/search/outsideline.h"
#include "ui/search/searchcontroller.h"
#include "ui/shell/momentteller.h"
#include "ui/shell/permissiontext.h"
#include "ui/shell/resettext.h"
#include "ui/shell/statusbar.h"
#include "ui/simulation/simulationpanel.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/emptystate.h"
#include "ui/widgets/fileexporter.h"
#include "ui/widgets/keptstate.h"
#include "ui/widgets/measure.h"

#include <QAction>
#include <QClipboard>
#include <QDebug>
#include <QGuiApplication>
#include <QLocale>
#include <QMenu>
#include <QVBoxLayout>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds ageInterval{250};
constexpr double inspectorShare = 0.3;
constexpr double simulationShare = 0.6;
constexpr double timelineShare = 0.45;

} // namespace

void MonitorPage::buildLayout()
{
    m_docks->add(QStringLiteral("inspector"), m_inspector, m_commands.showInspector, [] {},
                 {.area = Qt::RightDockWidgetArea, .share = inspectorShare, .isOpen = true});
    addPanel(QStringLiteral("waits"), m_commands.showWaits, m_waits, {});
    addOwners();
    if (m_replay) { // what came before is why it is looked at
        m_commands.showTimeline->setChecked(true);
        m_timeline->followReplay();
    }
    addPanel(QStringLiteral("timeline"), m_commands.showTimeline, m_timeline,
             {.share = timelineShare, .isOpen = m_replay != nullptr});
    addStatistics();
    addPanel(QStringLiteral("events"), m_commands.showEvents, m_events, {});
    if (m_session) {
        addPanel(QStringLiteral("audit"), m_commands.showAudit, m_audit, {});
        addPanel(QStringLiteral("simulation"), m_commands.showSimulation, m_simulation,
                 {.share = simulationShare, .isWide = true});
        addAlerts();
    }
    new KeptState(
        QStringLiteral("docks"), m_docks, [this] { return m_docks->savedLayout(); },
        [this](const QByteArray &layout) {
            if (!m_docks->restoreLayout(layout))
                m_docks->restoreDefault();
        });
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_banner);
    layout->addWidget(m_pauseBanner);
    layout->addWidget(m_outcomes);
    layout->addWidget(m_docks, 1);
    layout->addWidget(m_outside);
    if (m_replayBar)
        layout->addWidget(m_replayBar);
    layout->addWidget(m_statusLine);
}

template <typename Panel>
void MonitorPage::addPanel(const QString &name, QAction *show, Panel *panel, const PanelDocks::Place &place)
{
    m_docks->add(
        name, panel, show, [panel] { panel->focusContents(); }, place);
}

QByteArray MonitorPage::layoutOfPanels() const
{
    return m_docks->savedLayout();
}

void MonitorPage::setLayoutOfPanels(const QByteArray &layout)
{
    if (!m_docks->restoreLayout(layout))
        m_statusLine->flash(tr("This layout cannot be read. It may be of another version."));
}

void MonitorPage::connectPanels()
{
    connect(m_banner, &Banner::stepChosen, this, &MonitorPage::stepFromBanner);
    connect(m_pauseBanner, &Banner::stepChosen, this, [this] { m_commands.pause->setChecked(false); });
    m_pauseBanner->hide();
    connect(m_locks, &LocksPage::chosenChanged, this, &MonitorPage::showChosen);
    connect(m_locks, &LocksPage::selectionChanged, this, [this] {
        updateCommands();
        showCounts();
    });
    connect(m_locks, &LocksPage::selectionLimited, this, [this] {
        m_statusLine->flash(tr("At most %1 locks can be selected").arg(grouped(LockSelection::most)));
    });
    connect(m_locks, &LocksPage::activated, this, &MonitorPage::focusInspector);
    connect(m_locks, &LocksPage::counted, this, &MonitorPage::showCounts);
    connect(m_locks, &LocksPage::ticked, m_inspector, &InspectorPanel::tick);
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
    connect(m_outside, &OutsideLine::addRequested, this,
            [this](const QByteArray &pattern) { watchPatterns(m_patterns + QList{pattern}); });
    m_locks->keepFilters();
    connect(m_exporter, &FileExporter::exported, m_statusLine, &StatusBar::flash);
    connect(&m_locks->model(), &LockTableModel::waitsChanged, m_waits, &LockWaitsPanel::invalidate);
    connect(m_waits, &LockWaitsPanel::chosen, m_locks, &LocksPage::choose);
    connect(m_events, &EventsPanel::chosen, this, &MonitorPage::goTo);
    connect(m_timeline, &TimelinePanel::chosen, this, &MonitorPage::goTo);
    connect(m_timeline, &TimelinePanel::activated, this, [this](const LockKey &key) {
        if (!m_locks->model().find(key))
            return;
        m_locks->choose(key);
        focusInspector();
    });
    connect(m_timeline, &TimelinePanel::timeSelected, this, &MonitorPage::takeTime);
    connect(m_locks, &LocksPage::timeFilterRemoved, m_timeline, &TimelinePanel::clearTime);
    connect(&m_notes.names(), &OwnerNames::changed, this, [this] {
        showChosen();
        showConnection();
    });
    m_ageTimer.setInterval(ageInterval);
    connect(&m_ageTimer, &QTimer::timeout, this, &MonitorPage::showAge);
}

/// What is recorded ends before what it is recorded of.
MonitorPage::~MonitorPage()
{
    if (!m_recording)
        return;
    if (const QString lost = m_recording->endNow(); !lost.isEmpty()) // there is no window to say it in
        qWarning().noquote() << lost;
}

void MonitorPage::connectSource()
{
    WatchSource *source = m_source.get();
    connect(source, &WatchSource::statusChanged, this, &MonitorPage::onStatusChanged);
    connect(source, &WatchSource::changed, this, &MonitorPage::takeDiff);
    connect(source, &WatchSource::confirmed, this, &MonitorPage::takeConfirmation);
    connect(source, &WatchSource::feedChanged, m_statusLine, &StatusBar::showFeed);
    connect(source, &WatchSource::deadlocksChanged, this, &MonitorPage::takeDeadlocks);
    connect(source, &WatchSource::clusterChanged, this, &MonitorPage::takeCluster);
    m_moments = new MomentTeller(
        *source,
        m_replay ? QString() : m_serverName, // of a recording: the server, whose name it does not have
        [this](const Deadlock &deadlock) {
            return cycleText(deadlock, m_locks->model().waits(), m_notes.names())
                .join(tr("; ", "between two who wait for each other"));
        },
        this);
    connect(m_moments, &MomentTeller::happened, this, &MonitorPage::takeMoment);
}

/// What there is only where a server can be asked.
void MonitorPage::connectSession()
{
    connect(m_session, &Session::scanProgressed, this, &MonitorPage::takeScan);
    connect(m_session, &Session::scanFinished, this, &MonitorPage::takeScan);
    connect(m_locks, &LocksPage::sightChanged, m_session, &Session::setVisible);
    connect(m_session, &Session::permissionsChanged, this, &MonitorPage::takePermissions);
    connect(m_session, &Session::serverReset, this, &MonitorPage::takeReset);
    connect(m_session, &Session::lockedOrUnlocked, this, &MonitorPage::showStanding);
    connect(m_session, &Session::errorOccurred, this, [this](const Error &why) {
        if (why.kind == ErrorKind::NoPermission) // takePermissions() says more
            return;
        m_trouble = why;
        showConnection();
    });
    connect(&m_notes, &ServerProfileController::rulesChosen, m_session, &Session::setRules);
    connect(m_audit, &AuditPanel::chosen, m_locks, &LocksPage::choose);
    connect(m_searches, &SearchController::patternsChosen, this,
            [this](const QList<QByteArray> &patterns) { watchPatterns(m_patterns + patterns); });
    connect(m_locks, &LocksPage::chosenChanged, m_actions, &LockActionController::noteChoice);
    connect(m_actions, &LockActionController::reported, m_statusLine, &StatusBar::flash);
    connect(m_actions, &LockActionController::endedUnseen, m_outcomes, &OutcomeNotice::add);
    connect(m_actions, &LockActionController::endedDirectly, m_outcomes, &OutcomeNotice::addPassing);
    // Beside a deadlock, where the chosen lock need not be one of it: the dialog names it.
    connect(m_waits, &LockWaitsPanel::endRequested, m_actions, &LockActionController::askOnce);
    connect(m_simulation, &SimulationPanel::privateRunRequested, this, &MonitorPage::privateRunRequested);
    // A lock that is held for a moment is gone again when a scan has found its key.
    connect(m_simulation, &SimulationPanel::contended, this,
            [this](const QList<LockKey> &locks) { m_session->requestRead(locks); });
    connect(m_simulation, &SimulationPanel::runningChanged, this,
            [this](bool running) { running ? joinSimulation() : leaveSimulation(); });
    const auto on = [this](QAction *action, auto &&slot) {
        connect(action, &QAction::triggered, this, slot);
    };
    on(m_commands.unlock, [this] { m_commands.offersUnlock() ? m_session->unlock() : m_session->lock(); });
    on(m_commands.scan, [this] { m_session->scanNow(); });
    on(m_commands.patterns, [this] { editPatterns(); });
    on(m_commands.rules, [this] { m_notes.editRules(m_locks->chosenLock(), this); });
    on(m_commands.findLocks, [this] { m_searches->findLocks(m_patterns, m_scan.keyspace); });
    on(m_commands.findClients, [this] {
        if (const WatchedLock *lock = m_locks->chosenLock())
            m_searches->findClients(lock->lock);
    });
    on(m_commands.rawValue, [this] { showRawValue(); });
    on(m_commands.copyCli, [this] {
        if (const WatchedLock *lock = m_locks->chosenLock())
            QGuiApplication::clipboard()->setText(redisCliFor(
                {serverToAsk(lock->lock.key()), m_cluster.isCluster(), m_status.server.major}, lock->lock));
    });
    connect(m_commands.pause, &QAction::toggled, this, &MonitorPage::setPaused);
    m_locks->addTableAction(m_commands.pause);
    m_timeline->view().addAction(m_commands.pause);
    // Before the dialogs open, which compare with the lock as it is now.
    for (const QAction *action : {m_commands.acquire, m_commands.release, m_commands.extend,
                                  m_commands.forceExpire, m_commands.removeWaiter})
        connect(action, &QAction::triggered, this, [this] { m_commands.pause->setChecked(false); });
    m_actions->connectTo(m_commands);
    feedAlerts();
    connectRecording();
}

void MonitorPage::connectCommands()
{
    const auto on = [this](QAction *action, auto &&slot) {
        connect(action, &QAction::triggered, this, slot);
    };
    const auto copy = [](const QString &text) { QGuiApplication::clipboard()->setText(text); };
    on(m_commands.exportLocks, [this] { exportLocks(false); });
    on(m_commands.exportSelected, [this] { exportLocks(true); });
    on(m_commands.exportEvents, [this] {
        if (!canExport())
            return;
        EventExport picture = m_events->exported(m_serverName);
        picture.shownMs = shownMs();
        m_exporter->ask(fileExport(picture));
    });
    on(m_commands.find, [this] { m_locks->focusFilter(); });
    on(m_commands.filters, [this] { m_locks->openFilterMenu(); });
    on(m_commands.clear, [this] { m_locks->clear(); });
    on(m_commands.focusInspector, [this] { focusInspector(); });
    on(m_commands.restoreLayout, [this] { m_docks->restoreDefault(); });
    on(m_commands.columns, [this] { m_locks->chooseColumns(); });
    connect(m_commands.compactRows, &QAction::toggled, m_locks, &LocksPage::setCompact);
    m_locks->setCompact(m_commands.compactRows->isChecked());
    // The banner offers the panel while that is not in sight.
    connect(m_docks, &PanelDocks::pushedDown, m_locks, &LocksPage::follow);
    connect(m_docks, &PanelDocks::sightChanged, this, [this](const QWidget *panel) {
        if (panel == m_waits)
            showConnection();
    });
    on(m_commands.nameProcess, [this] { m_notes.nameProcess(m_locks->chosenLock(), this); });
    on(m_copyGrant, [this, copy] {
        copy(grant());
        m_statusLine->flash(tr("ACL rule copied"));
    });
    on(m_commands.copyRow, [this, copy] { copy(m_locks->rowsText()); });
    on(m_commands.copyKey, [this, copy] {
        QStringList keys;
        for (const LockKey &key : m_locks->selected())
            keys.append(lossless(key.bytes));
        copy(keys.isEmpty() && m_locks->chosen() ? lossless(m_locks->chosen()->bytes) : keys.join(u'\n'));
    });
    on(m_commands.copyOwner, [this, copy] {
        const WatchedLock *lock = m_locks->chosenLock();
        if (lock && !lock->lock.owners.isEmpty())
            copy(lossless(lock->lock.owners.first().owner.bytes));
    });
    on(m_commands.copySummary, [this] {
        const auto summary = m_inspector->summary(m_serverName);
        if (!summary)
            return;
        QGuiApplication::clipboard()->setMimeData(mimeDataOf(*summary));
        m_statusLine->flash(tr("Incident summary copied"));
    });
}

} // namespace lockscope
