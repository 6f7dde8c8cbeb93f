// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/monitorpage.h"

#include "core/base/match.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/recording/replay.h"
#include "core/table/feedtext.h"
#include "core/table/permissiontext.h"
#include "core/table/waittext.h"
#include "core/words/servermessages.h"
#include "ui/actions/mainactions.h"
#include "ui/alerts/alertcontroller.h"
#include "ui/audit/auditpanel.h"
#include "ui/events/eventspanel.h"
#include "ui/events/eventtext.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/inspector/overview.h"
#include "ui/lockactions/lockactioncontroller.h"
#include "ui/lockactions/outcomenotice.h"
#include "ui/locks/lockspage.h"
#include "ui/recording/recordcontroller.h"
#include "ui/replay/replaybar.h"
#include "ui/replay/replaytime.h"
#include "ui/shell/emptytable.h"
#include "ui/shell/livedisplayedstate.h"
#include "ui/shell/lockcommands.h"
#include "ui/shell/replaydisplayedstate.h"
#include "ui/shell/statusbar.h"
#include "ui/shell/watchedpatterns.h"
#include "ui/simulation/simulationpanel.h"
#include "ui/timeline/timelinepanel.h"
#include "ui/waits/lockwaitspanel.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/keyboardfocus.h"
#include "ui/widgets/taborder.h"

#include <QFileInfo>
#include <QLocale>

#include <algorithm>

namespace lockscope {

MonitorPage::PageSource MonitorPage::subjectOf(const SimulationTarget &target,
                                               const Session::Options &options, const QString &name)
{
    auto session = std::make_unique<Session>(target.address, options);
    const QString address = target.address.toDisplayString();
    Session *live = session.get();
    return {target, options, name.isEmpty() ? address : name, address, std::move(session), live};
}

MonitorPage::PageSource MonitorPage::subjectOf(std::unique_ptr<Replay> replay)
{
    constexpr qsizetype longestName = 60;
    PageSource subject;
    subject.name =
        tr("recording %1").arg(printable(QFileInfo(replay->path()).fileName().toUtf8(), longestName));
    subject.place = subject.name;
    subject.replay = replay.get();
    subject.source = std::move(replay);
    return subject;
}

void MonitorPage::open()
{
    orderTabs(*this);
    m_session ? m_session->open() : m_replay->open();
}

void MonitorPage::focusLocks()
{
    activateWindowOf(*m_locks);
    m_locks->focusTable();
}

/// Shows the simulation instead of the panels, which stay as they are.
void MonitorPage::showSimulation(bool on)
{
    m_commands.showSimulation->setChecked(on);
    m_pages->setCurrentWidget(on ? static_cast<QWidget *>(m_simulation) : m_docks);
    updateCommands();
    if (!on)
        return;
    activateWindowOf(*m_simulation);
    m_simulation->focusContents();
}

void MonitorPage::simulate(const SimulationSetup &setup)
{
    m_simulation->start(setup);
}

void MonitorPage::endRunBefore(const std::function<void()> &then)
{
    m_simulation ? m_simulation->endBefore(then) : then();
}

bool MonitorPage::isSimulating() const
{
    return m_simulation && m_simulation->isRunning();
}

bool MonitorPage::isReadOnly() const
{
    return m_lockCommands->isReadOnly();
}

ServerStanding MonitorPage::standing() const
{
    if (m_replay)
        return {.name = m_replayBar->title(), .unlockedFor = {}};
    return {m_serverName, m_session->guard().environment(), isReadOnly(), m_session->unlockedFor(),
            m_alerts->list().unattended()};
}

/// Called after the picture has taken the event.
void MonitorPage::take(const MonitorReport &event)
{
    m_statusLine->take(event);
    std::visit(
        Match{[this](const ConnectionStatus &) { takeStatus(); },
              [this](const DataConfirmed &) {
                  if (m_session)
                      showAge();
              },
              [this](const ScanStats &stats) {
                  if (m_session)
                      takeScan(stats);
              },
              [this](const ClusterStatus &cluster) {
                  QStringList names;
                  for (const NodeStatus &node : cluster.nodes)
                      names.append(node.name);
                  if (m_audit)
                      m_audit->addServers(names);
                  showBanner();
                  cluster.hasSeveral() ? showChosen() : updateCommands();
              },
              [this](const PermissionStatus &status) {
                  const ServerInfo &server = m_source->watched().status().server;
                  m_statusLine->showPermissions(
                      permissionText(status),
                      status.isWhole() ? QString()
                      : m_session      ? permissionToolTip(status, m_session->address().user, server.major)
                                       : permissionTitle(status));
                  showBanner();
                  showEmptiness();
              },
              [this](const QList<Deadlock> &) { showPause(); }, // the picture tells of those that are shown
              [this](const ServerReset &) { showBanner(); }, [this](const Error &) { showBanner(); },
              [](const auto &) {}},
        event);
}

void MonitorPage::takeStatus()
{
    using State = Link::State;
    if (m_replay)
        return;
    const ConnectionStatus &status = m_source->watched().status();
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
    m_simulation->setOnline(status.state == State::Ready);
    showBanner();
    showEmptiness();
    updateCommands();
}

void MonitorPage::takeScan(const ScanStats &stats)
{
    m_statusLine->showScan(stats);
    if (stats.complete) {
        m_hasScanned = true;
        showBanner();
    }
    showEmptiness();
    chooseWanted();
}

BannerFacts MonitorPage::facts() const
{
    const QList<Deadlock> &deadlocks = m_picture->deadlocks();
    return {.watched = m_source->watched(),
            .serverName = m_serverName,
            .user = m_session ? m_session->address().user : QByteArray(),
            .now = Clock::now(),
            .age = m_picture->age(),
            .deadlocks = deadlocks.size(),
            .cycle = deadlocks.isEmpty() ? QStringList() : m_picture->cycleText(deadlocks.first()),
            .areWaitsInSight = m_waits->isVisible()};
}

ReplayFacts MonitorPage::replayFacts() const
{
    return {m_replay->isHalfTold(), m_replay->lack(), m_replay->isEverKnown(), m_replay->outline().hasLocks};
}

void MonitorPage::showBanner()
{
    if (m_replay && (!m_established || (m_replayPicture->isJumping() && !m_replay->isHalfTold())))
        return; // as it stands
    const auto choice = m_replay ? chooseReplayBanner(facts(), replayFacts()) : chooseBanner(facts());
    m_step = choice ? choice->step : BannerStep::None;
    if (choice)
        m_banner->setMessage(choice->color, choice->text, choice->detail, stepText(choice->step));
    else if (m_replay || m_source->watched().isReady())
        m_banner->hide();
}

void MonitorPage::takeStep()
{
    switch (m_step) {
    case BannerStep::RetryNow:
        return m_session->retryNow();
    case BannerStep::EditConnection:
        emit failed(m_source->watched().status().error);
        break;
    case BannerStep::ShowWaits:
        m_docks->reveal(m_waits);
        return m_waits->focusContents();
    case BannerStep::DismissResets:
        m_source->dismissResets();
        return showBanner();
    case BannerStep::CopyGrant:
        return m_lockCommands->copyGrant()->trigger();
    case BannerStep::GoToKnown:
        return m_replay->seekKnown();
    case BannerStep::None:
        break;
    }
}

void MonitorPage::setPaused(bool on)
{
    m_livePicture->setPaused(on);
    showPause();
    if (!on)
        showBanner();
}

void MonitorPage::showPause()
{
    if (m_replay || !m_livePicture->isPaused())
        return m_pauseBanner->hide();
    const auto changed = static_cast<int>(m_livePicture->changedSince());
    QString detail =
        changed == 0
            ? tr("No lock has changed since then.")
            : tr("%1 lock(s) have changed since then.", nullptr, changed).arg(QLocale().toString(changed));
    if (m_livePicture->haveDeadlocksChanged())
        detail += u' ' + tr("The deadlocks have changed, too.");
    m_pauseBanner->setMessage(
        StatusColor::Held,
        tr("Paused at %1").arg(m_livePicture->pauseBegan().toString(QStringLiteral("HH:mm:ss"))), detail,
        tr("Continue"));
}

void MonitorPage::showEmptiness()
{
    if (m_livePicture && m_livePicture->isPaused())
        return;
    const bool isEmpty = m_locks->model().total() == 0;
    m_locks->setNothingFound(isEmpty);
    if (isEmpty && m_replay)
        showEmptyReplay(m_locks->emptyState(), facts(), replayFacts(), m_commands);
    else if (isEmpty)
        showEmptyTable(m_locks->emptyState(), facts(), m_patterns->all(), m_hasScanned, m_commands,
                       m_lockCommands->copyGrant());
}

void MonitorPage::showChosen()
{
    const WatchedLock *lock = m_locks->chosenLock();
    const QModelIndex row = !lock && m_locks->chosen() ? m_locks->model().indexOf(*m_locks->chosen())
                                                       : QModelIndex(); // of a lock that is gone
    if (row.isValid()) // the inspector may have shown another one since
        m_inspector->present(m_locks->chosen(), &m_locks->model().at(row.row()));
    m_inspector->present(m_locks->chosen(), lock,
                         lock ? waitsOfOwner(lock->lock, m_locks->model().waits(), m_notes.names())
                              : QString(),
                         deadlockOfChosen());
    m_waits->showChosen(m_locks->chosen());
    m_timeline->showChosen(m_locks->chosen());
    m_events->showChosen(m_locks->chosen());
    updateCommands();
}

QString MonitorPage::whyHidden() const
{
    const auto &key = m_locks->hiddenChoice();
    const WatchedLock *lock = key ? m_locks->model().find(*key) : nullptr;
    if (!lock)
        return {};
    const QString name = printable(key->bytes, 60);
    const bool mayBeNone = lockscope::isHidden(lock->lock) || isPossible(lock->lock);
    return mayBeNone && !m_locks->model().showsHidden()
               ? tr("%1 may be no lock and is hidden. Show hidden keys to select it.").arg(name)
               : tr("The filter hides %1. Clear it to select the lock.").arg(name);
}

OverviewFacts MonitorPage::overviewFacts() const
{
    const MonitorState &watched = m_source->watched();
    const ScanStats &scan = watched.scan();
    OverviewFacts facts{.whyNothing = whyHidden(),
                        .server = {productText(watched.status().server)},
                        .patterns = m_patterns->all(),
                        .outside = scan.outside,
                        .gaps = gapsInWords(scan),
                        .isWhole = watched.isRead() && scan.isWhole() && watched.permissions().isWhole(),
                        .canWatch = m_session != nullptr};
    if (watched.isReady() && !watched.feed().routes.isEmpty())
        facts.server << feedText(watched.feed().worst());
    if (scan.eviction)
        facts.server << describe(*scan.eviction);
    if (!watched.permissions().isWhole())
        facts.gaps << permissionTitle(watched.permissions());
    facts.server.removeAll(QString());
    return facts;
}

QStringList MonitorPage::deadlockOfChosen() const
{
    for (const Deadlock &deadlock : m_picture->deadlocks()) {
        const bool isIn = std::ranges::any_of(
            deadlock.cycle, [this](const WaitEdge &edge) { return edge.lock == m_locks->chosen(); });
        if (isIn)
            return m_picture->cycleText(deadlock);
    }
    return {};
}

/// Chooses a lock of another panel, which may be gone, hidden, or newer than the picture.
void MonitorPage::goTo(const LockKey &key)
{
    showSimulation(false);
    if (m_locks->model().find(key))
        m_locks->choose(key);
    else
        m_statusLine->flash(m_picture->isHeld() ? tr("This lock is not shown at this moment")
                                                : tr("This lock is not known now"));
}

void MonitorPage::chooseWhenFound(const LockKey &key)
{
    m_wanted = key;
    if (m_session)
        m_session->requestRead({key});
    chooseWanted();
}

void MonitorPage::showMoment(qint64 wallMs)
{
    if (m_replay && hasTime(m_replay->outline(), wallMs))
        m_wantedMs = wallMs;
    else if (m_replay)
        m_outcomes->add(StatusColor::Warning,
                        tr("The recording does not contain %1.").arg(exactTimeText(wallMs)));
    else if (wallMs < m_source->wallNow())
        m_outcomes->add(
            StatusColor::Warning,
            tr("The link is from %1. This window knows only what happens from now on. To see that "
               "moment, open a recording of it.")
                .arg(exactTimeText(wallMs)));
}

/// Chooses the wanted lock once it is known, or reports that a full scan or the recording's moment lacks it.
void MonitorPage::chooseWanted()
{
    if (!m_wanted || (m_livePicture && m_livePicture->isPaused()))
        return;
    const LockKey key = *m_wanted;
    if (m_locks->chosen()) {
        m_wanted.reset(); // the user has chosen another meanwhile
    } else if (m_locks->model().find(key)) {
        m_wanted.reset();
        m_locks->choose(key);
    } else if (m_replay ? m_replay->isPastTold() : m_hasScanned) {
        m_wanted.reset();
        const QString missing = m_replay ? tr("%1 is not among the locks of this moment.")
                                         : tr("%1 is not among the locks of these patterns.");
        m_outcomes->add(StatusColor::Warning, missing.arg(printable(key.bytes, 60)));
    }
}

void MonitorPage::showAge()
{
    showPause();
    if (m_session && m_session->unlockedFor() && !isReadOnly())
        emit standingChanged(); // its time runs
    m_statusLine->showAge(m_picture->age());
    if (!m_source->watched().isReady())
        showBanner();
}

void MonitorPage::updateCommands()
{
    m_lockCommands->update(m_established, m_recording && m_recording->isRecording());
}

void MonitorPage::connectCommands()
{
    const auto on = [this](QAction *action, auto &&slot) {
        connect(action, &QAction::triggered, this, slot);
    };
    // A command of the monitor shows the monitor.
    for (QAction *action : m_commands.panelsOfServer() +
                               QList{m_commands.showInspector, m_commands.focusInspector, m_commands.find,
                                     m_commands.filters, m_commands.columns, m_commands.restoreLayout})
        on(action, [this, isMine = action == m_commands.showSimulation](bool isChecked) {
            showSimulation(isMine && isChecked);
        });
    on(m_commands.find, [this] { m_locks->focusFilter(); });
    on(m_commands.filters, [this] { m_locks->openFilterMenu(); });
    on(m_commands.clear, [this] {
        if (m_pages->currentWidget() == m_docks)
            m_locks->clear();
        else if (!m_simulation->isRunning())
            showSimulation(false);
    });
    on(m_commands.focusInspector, [this] {
        m_docks->reveal(m_inspector);
        m_inspector->focusContents();
    });
    on(m_commands.restoreLayout, [this] { m_docks->restoreDefault(); });
    on(m_commands.columns, [this] { m_locks->chooseColumns(); });
    connect(m_commands.compactRows, &QAction::toggled, m_locks, &LocksPage::setCompact);
    m_locks->setCompact(m_commands.compactRows->isChecked());
}

} // namespace lockscope
