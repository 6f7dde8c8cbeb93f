// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/monitorpage.h"

#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/monitor/scanguard.h"
#include "core/recording/replay.h"
#include "core/words/messages.h"
#include "core/words/permissionmessages.h"
#include "core/words/servermessages.h"
#include "ui/actions/mainactions.h"
#include "ui/audit/auditpanel.h"
#include "ui/events/eventspanel.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/inspector/rediscli.h"
#include "ui/lockactions/lockactioncontroller.h"
#include "ui/lockactions/outcomenotice.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/lockstatustext.h"
#include "ui/locks/locktext.h"
#include "ui/locks/waittext.h"
#include "ui/recording/recordcontroller.h"
#include "ui/replay/replaybar.h"
#include "ui/search/outsideline.h"
#include "ui/search/searchcontroller.h"
#include "ui/shell/permissiontext.h"
#include "ui/shell/resettext.h"
#include "ui/shell/statusbar.h"
#include "ui/simulation/simulationpanel.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/fileexporter.h"
#include "ui/widgets/keyboardfocus.h"
#include "ui/widgets/measure.h"

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QGuiApplication>
#include <QMenu>
#include <QVBoxLayout>

namespace lockscope {

namespace {

/// Workers contend on one server.
SimulationTarget simulationTarget(SimulationTarget target)
{
    if (target.address.isGroup())
        target.address = target.address.member(target.address.members.first());
    return target;
}

} // namespace

MonitorPage::Subject MonitorPage::subjectOf(const SimulationTarget &target, const Session::Options &options,
                                            const QString &name)
{
    auto session = std::make_unique<Session>(target.address, options);
    const QString address = target.address.toDisplayString();
    Session *live = session.get();
    return {target, options, name.isEmpty() ? address : name, address, std::move(session), live};
}

MonitorPage::MonitorPage(const SimulationTarget &target, const Session::Options &options, const QString &name,
                         MainActions &commands, QWidget *parent)
    : MonitorPage(subjectOf(target, options, name), commands, parent)
{
    m_statusLine->showTrust(target.address);
    if (options.guard.environment() == Environment::Production)
        m_simulation->forbid(tr("This is production. No simulation can run on this server."));
}

MonitorPage::MonitorPage(Subject subject, MainActions &commands, QWidget *parent)
    : QWidget(parent),
      m_commands(commands),
      m_serverName(subject.name),
      m_source(std::move(subject.source)),
      m_session(subject.session),
      m_replay(subject.replay),
      m_patterns(subject.options.monitor.patterns),
      m_notes(m_replay || subject.target.server ? QString() : subject.target.address.toUriWithoutPassword(),
              subject.options.monitor.rules),
      m_copyGrant(new QAction(tr("Copy ACL rule"), this)),
      m_banner(new Banner(this)),
      m_pauseBanner(new Banner(this, Glyph::Pause)),
      m_tracker(new WatchingTracker(*m_source, {}, this)),
      m_locks(new LocksPage(m_notes.names(), this)),
      m_docks(new PanelDocks(m_locks, this)),
      m_inspector(new InspectorPanel(m_log, m_holdTimes, m_locks->clock(), commands, m_notes.names(), this)),
      m_actions(m_session ? new LockActionController(*m_session, *m_locks, *m_inspector, m_notes.names(),
                                                     m_serverName, this)
                          : nullptr),
      m_outcomes(new OutcomeNotice(this)),
      m_exporter(new FileExporter(this)),
      m_searches(m_session ? new SearchController(*m_session, m_serverName, this) : nullptr),
      m_waits(new LockWaitsPanel(m_locks->model().waits(), m_locks->clock(), m_notes.names(),
                                 commands.forceExpire, this)),
      m_timeline(new TimelinePanel(m_history, m_locks->model(), m_locks->clock(), m_notes.names(), this)),
      m_events(new EventsPanel(m_log, m_notes.names(), this)),
      m_audit(m_session ? new AuditPanel(subject.options.auditPath, subject.place, this) : nullptr),
      m_simulation(m_session ? new SimulationPanel(simulationTarget(subject.target), m_serverName,
                                                   subject.options.readOnly, this)
                             : nullptr),
      m_outside(new OutsideLine(this)),
      m_recording(m_session ? new RecordController(
                                  *m_session, m_serverName, [this] { return known(); }, this)
                            : nullptr),
      m_replayBar(m_replay ? new ReplayBar(*m_replay, commands, this) : nullptr),
      m_statusLine(new StatusBar(subject.place, this))
{
    m_locks->setHoldTimes(m_holdTimes);
    buildLayout();
    connectPanels();
    connectSource();
    connectCommands();
    if (m_session)
        connectSession();
    else
        connectReplay();
    showEmptiness();
    updateCommands();
}

void MonitorPage::open()
{
    m_session ? m_session->open() : m_replay->open();
}

void MonitorPage::focusLocks()
{
    activateWindowOf(*m_locks);
    m_locks->focusTable();
}

void MonitorPage::focusInspector()
{
    m_docks->reveal(m_inspector);
    m_inspector->focusContents();
}

void MonitorPage::focusSimulation()
{
    m_docks->reveal(m_simulation);
    m_simulation->focusContents();
}

void MonitorPage::onStatusChanged(const ConnectionStatus &status)
{
    using State = Connection::State;
    const bool wasReady = m_status.state == State::Ready;
    m_status = status;
    m_statusLine->showStatus(status);
    if (m_replay)
        return;
    if (!m_established) {
        if (status.state == State::Ready) {
            m_established = true;
            m_ageTimer.start();
            emit established();
        } else if (status.state == State::Backoff || status.state == State::Refused) {
            // Nothing to show yet: whoever typed the address should see at once what is wrong with it.
            emit failed(status.error);
            return;
        }
    }
    if (wasReady && status.state != State::Ready) {
        m_trouble.reset();
        m_staleSince = m_confirmedAt.value_or(Clock::now());
        showTime();
        m_inspector->tick();
    }
    showConnection();
    showEmptiness();
    updateCommands();
}

void MonitorPage::takeDiff(const LockDiff &diff)
{
    m_history.apply(diff, m_source->wallNow());
    if (!m_pausedAt && !m_replay)
        return showDiff(diff);
    if (m_isJumping) // the table has the moment that this leads to
        return m_held.add({.changed = {}, .removed = {}, .events = diff.events}, {});
    m_held.add(diff, [this](const LockKey &key) { return m_locks->model().find(key) != nullptr; });
}

void MonitorPage::takeMoment(const Moment &moment)
{
    if (m_isRestoring)
        return;
    m_history.add(moment);
    if (m_pausedAt || m_replay)
        m_held.add(moment);
    else
        m_log.append({}, {moment});
}

void MonitorPage::showDiff(const LockDiff &diff, const QList<Moment> &moments)
{
    m_log.append(diff.events, moments);
    m_holdTimes.add(diff.events); // before the table asks it
    if (m_actions)
        m_actions->beforeChange();
    m_locks->apply(diff);
    showChosen();
    showEmptiness();
    leaveSimulation();
    if (m_actions)
        m_actions->observe();
    chooseWanted();
}

milliseconds MonitorPage::ageOf(TimePoint at) const
{
    return std::chrono::duration_cast<milliseconds>(std::max(m_source->now(), at) - at);
}

/// After a gap the data counts as current only when all of it was read again.
void MonitorPage::takeConfirmation(TimePoint at)
{
    m_confirmedAt = at;
    m_history.confirm(m_source->wallNow() - ageOf(at).count());
    if (m_replay)
        return;
    if (m_status.state == Connection::State::Ready && m_staleSince) {
        m_staleSince.reset();
        showTime();
        showChosen();
    }
    showAge();
}

void MonitorPage::takeScan(const ScanStats &stats)
{
    m_scan = stats;
    m_statusLine->showScan(stats);
    if (stats.outside)
        m_outside->setOutside(*stats.outside);
    if (stats.complete) {
        m_sweptOnce = true;
        if (m_trouble) {
            m_trouble.reset();
            showConnection();
        }
    }
    showEmptiness();
    chooseWanted();
}

void MonitorPage::showConnection()
{
    if (m_replay)
        return showReplay();
    using State = Connection::State;
    const auto at = pictureAt();
    const QString age =
        at ? tr("The data shown is %1 old.").arg(countdown(ageOf(*at))) : tr("Nothing has been read yet.");
    switch (m_status.state) {
    case State::Ready:
        if (tellMissingNodes() || tellReplication())
            break;
        if (m_trouble)
            m_banner->setMessage(
                StatusColor::Warning, describe(*m_trouble, m_serverName),
                isIncomplete(m_trouble->kind)
                    ? tr("Lockscope is still connected and scans again within a minute, or at "
                         "once with F5.")
                    : tr("Lockscope is still connected and retries automatically."));
        else if (!m_waits->deadlocks().isEmpty())
            tellDeadlocks();
        else if (!m_resets.isEmpty())
            m_banner->setMessage(StatusColor::Warning, resetText(m_resets.largest(), m_status.server),
                                 resetDetail(m_resets), tr("Dismiss"));
        else if (hidesLocks(m_permissions))
            m_banner->setMessage(
                StatusColor::Warning, permissionTitle(m_permissions),
                permissionDetail(m_permissions, m_session->address().user, m_status.server.major),
                grant().isEmpty() ? QString() : m_copyGrant->text());
        else
            m_banner->hide();
        break;
    case State::Connecting:
        m_banner->setMessage(StatusColor::Warning, tr("Connecting to %1 again…").arg(m_serverName), age);
        break;
    case State::Backoff: {
        QString detail = age;
        if (m_status.nextTryAt) {
            const auto left =
                std::chrono::ceil<std::chrono::seconds>(*m_status.nextTryAt - Clock::now()).count();
            detail += u' ' + (left > 0 ? tr("Next attempt in %n s.", nullptr, static_cast<int>(left))
                                       : tr("Connecting now."));
        }
        if (m_cluster.sentinels && m_cluster.sentinels->isFailingOver)
            detail += u' ' + tr("A failover is under way.");
        m_banner->setMessage(StatusColor::Danger, describe(m_status.error, m_serverName), detail,
                             tr("Retry now"));
        break;
    }
    case State::Refused:
        m_banner->setMessage(StatusColor::Danger, describe(m_status.error, m_serverName), age,
                             tr("Edit connection…"));
        break;
    case State::Closed:
        break;
    }
}

void MonitorPage::takePermissions(const PermissionStatus &status)
{
    m_permissions = status;
    const bool isWhole = status.isWhole();
    m_statusLine->showPermissions(
        permissionText(status),
        isWhole ? QString() : permissionToolTip(status, m_session->address().user, m_status.server.major));
    showConnection();
    showEmptiness();
}

/// What would grant the permissions that are missing.
QString MonitorPage::grant() const
{
    return grantRule(m_permissions, m_session->address().user, m_status.server.major);
}

void MonitorPage::takeDeadlocks(const QList<Deadlock> &deadlocks)
{
    m_deadlocks = deadlocks;
    if (m_replay) // until takeArrival()
        return;
    if (m_pausedAt)
        return showPause();
    m_waits->setDeadlocks(deadlocks);
    showChosen();
    showConnection();
}

void MonitorPage::tellDeadlocks()
{
    const QList<Deadlock> &shown = m_waits->deadlocks();
    const int cycles = static_cast<int>(shown.size());
    // Of several the first is told, the rest are in the panel.
    const QString words = cycleText(shown.first(), m_locks->model().waits(), m_notes.names())
                              .join(tr("; ", "between two who wait for each other"));
    m_banner->setMessage(StatusColor::Danger,
                         cycles == 1
                             ? tr("Deadlock: these owners wait for each other")
                             : tr("%n deadlock(s): these owners wait for each other", nullptr, cycles),
                         tr("%1.", "a sentence of its words").arg(words),
                         m_waits->isVisible() ? QString() : tr("Show lock waits"));
}

void MonitorPage::takeReset(const ServerReset &reset)
{
    m_resets.add(reset);
    showConnection();
}

void MonitorPage::stepFromBanner()
{
    if (m_replay)
        return stepInReplay();
    if (m_status.state == Connection::State::Ready && m_cluster.hasSeveral() &&
        !m_cluster.missing().isEmpty())
        return m_session->retryNow();
    if (m_status.state == Connection::State::Ready && !m_waits->deadlocks().isEmpty()) {
        m_docks->reveal(m_waits);
        m_waits->focusContents();
        return;
    }
    if (m_status.state == Connection::State::Ready && !m_resets.isEmpty()) {
        m_resets.clear();
        return showConnection();
    }
    if (m_status.state == Connection::State::Ready)
        m_copyGrant->trigger();
    else if (m_status.state == Connection::State::Refused)
        emit failed(m_status.error);
    else
        m_session->retryNow();
}

void MonitorPage::showChosen()
{
    const WatchedLock *lock = m_locks->chosenLock();
    m_inspector->present(m_locks->chosen(), lock,
                         lock ? waitsOfOwner(lock->lock, m_locks->model().waits(), m_notes.names())
                              : QString(),
                         deadlockOfChosen());
    m_inspector->sayWhyNothing(whyHidden());
    m_waits->showChosen(m_locks->chosen());
    m_timeline->showChosen(m_locks->chosen());
    m_events->showChosen(m_locks->chosen());
    updateCommands();
}

/// Why the lock that was chosen is not any more; empty where it is not hidden.
QString MonitorPage::whyHidden() const
{
    const auto &key = m_locks->hiddenChoice();
    const WatchedLock *lock = key ? m_locks->model().find(*key) : nullptr;
    if (!lock)
        return {};
    const QString name = printable(key->bytes, 60);
    return lockscope::isHidden(lock->lock) && !m_locks->model().showsHidden()
               ? tr("%1 is probably no lock and is hidden. Show the hidden keys to select it again.")
                     .arg(name)
               : tr("The filter hides %1. Clear the filter to select it again.").arg(name);
}

void MonitorPage::showAge()
{
    showPause();
    if (m_session && m_session->unlockedFor() && !isReadOnly())
        emit standingChanged(); // its time runs
    const auto at = pictureAt();
    m_statusLine->showAge(at ? std::optional(ageOf(*at)) : std::nullopt);
    if (m_status.state != Connection::State::Ready)
        showConnection();
}

void MonitorPage::showCounts()
{
    const LockTableModel &model = m_locks->model();
    m_statusLine->showLocks(model.total(), model.rowCount(), static_cast<int>(m_locks->selectedCount()));
}

void MonitorPage::updateCommands()
{
    const WatchedLock *lock = m_locks->chosenLock();
    QList<const Lock *> selected;
    if (m_locks->selectedCount() > 1) {
        for (const LockKey &key : m_locks->selected())
            selected.append(&m_locks->model().find(key)->lock);
    }
    m_commands.update(m_status.state == Connection::State::Ready, whyBlocked(), lock ? &lock->lock : nullptr,
                      selected);
    m_commands.allowUnlock(m_established && m_session && m_session->unlockedFor(), isReadOnly());
    m_commands.allowSummary(m_locks->chosen().has_value());
    m_commands.allowRecording(m_established, m_recording && m_recording->isRecording());
    m_commands.allowReplay(m_replay != nullptr, m_established);
}

void MonitorPage::exportLocks(bool areSelected)
{
    if (!canExport())
        return;
    const auto at = pictureAt();
    LockExport picture =
        m_locks->exported(m_serverName, areSelected, at ? std::optional(ageOf(*at)) : std::nullopt);
    picture.shownMs = shownMs();
    m_exporter->ask(fileExport(picture));
}

void MonitorPage::present(QDialog *dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace lockscope
