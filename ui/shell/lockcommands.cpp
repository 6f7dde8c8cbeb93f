// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/lockcommands.h"

#include "core/base/printable.h"
#include "core/monitor/session.h"
#include "core/recording/replay.h"
#include "core/redis/almostredis.h"
#include "core/redis/deployment/reachableaddress.h"
#include "core/redis/serverlink.h"
#include "core/words/permissionmessages.h"
#include "core/words/texts.h"
#include "ui/actions/mainactions.h"
#include "ui/connect/serverprofilecontroller.h"
#include "ui/events/eventspanel.h"
#include "ui/families/familiesdialog.h"
#include "ui/inspector/inspectorpanel.h"
#include "ui/inspector/rawvaluedialog.h"
#include "ui/inspector/rediscli.h"
#include "ui/locks/lockspage.h"
#include "ui/shell/displayedstate.h"
#include "ui/statistics/statisticspanel.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/fileexporter.h"

#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace lockscope {

namespace {

void copy(const QString &text)
{
    QGuiApplication::clipboard()->setText(text);
}

} // namespace

LockCommands::LockCommands(const Page &page)
    : QObject(page.widget),
      m_page(page),
      m_copyGrant(new QAction(Texts::tr("Copy ACL rule"), this)),
      m_exporter(new FileExporter(page.widget))
{
    connect(m_exporter, &FileExporter::exported, this, &LockCommands::flashed);
    const MainActions &commands = m_page.commands;
    connect(commands.exportLocks, &QAction::triggered, this, [this] { exportLocks(false); });
    connect(commands.exportSelected, &QAction::triggered, this, [this] { exportLocks(true); });
    connect(commands.exportEvents, &QAction::triggered, this, &LockCommands::exportEvents);
    connect(commands.nameProcess, &QAction::triggered, this,
            [this] { m_page.notes.nameProcess(m_page.locks.chosenLock(), m_page.widget); });
    connect(commands.families, &QAction::triggered, this, &LockCommands::showFamilies);
    connectCopies();
    if (m_page.session)
        connectSession();
}

void LockCommands::connectCopies()
{
    const auto on = [this](const QAction *action, auto &&slot) {
        connect(action, &QAction::triggered, this, slot);
    };
    const MainActions &commands = m_page.commands;
    LocksPage &locks = m_page.locks;
    on(commands.copyRow, [&locks] {
        const QString rows = locks.rowsText();
        copy(rows.isEmpty() && locks.chosen() ? lossless(locks.chosen()->bytes)
                                              : rows); // its row may have gone
    });
    on(commands.copyKey, [&locks] {
        QStringList keys;
        for (const LockKey &key : locks.selected())
            keys.append(lossless(key.bytes));
        copy(keys.isEmpty() && locks.chosen() ? lossless(locks.chosen()->bytes) : keys.join(u'\n'));
    });
    on(commands.copyOwner, [this] {
        const auto &lock = m_page.inspector.lastRead();
        if (lock && !lock->lock.owners.isEmpty())
            copy(lossless(lock->lock.owners.first().owner.bytes));
    });
    on(commands.copySummary, [this] { copySummary(m_page.inspector.summary(m_page.serverName)); });
    on(m_copyGrant, [this] {
        const MonitorState &watched = m_page.source.watched();
        copy(grantRule(watched.permissions(), m_page.session->address().user, watched.status().server.major));
        emit flashed(tr("ACL rule copied"));
    });
}

void LockCommands::connectSession()
{
    const MainActions &commands = m_page.commands;
    Session *session = m_page.session;
    connect(commands.unlock, &QAction::triggered, session,
            [this, session] { m_page.commands.offersUnlock() ? session->unlock() : session->lock(); });
    connect(commands.scan, &QAction::triggered, session, &Session::scanNow);
    connect(commands.rules, &QAction::triggered, this,
            [this] { m_page.notes.editRules(m_page.locks.chosenLock(), m_page.widget); });
    connect(&m_page.notes, &ServerProfileController::rulesChosen, session, &Session::setRules);
    connect(&m_page.notes, &ServerProfileController::undiscoveredChosen, session, &Session::setUndiscovered);
    connect(commands.rawValue, &QAction::triggered, this, &LockCommands::showRawValue);
    connect(commands.copyLink, &QAction::triggered, this, &LockCommands::copyLink);
    connect(commands.copyCli, &QAction::triggered, this, [this] {
        const MonitorState &watched = m_page.source.watched();
        const ServerInfo &server = watched.status().server;
        const int major = isRedis7(server) ? server.major : std::min(server.major, 6);
        if (const WatchedLock *lock = m_page.locks.chosenLock())
            copy(redisCliFor({serverToAsk(lock->lock.key()), watched.cluster().isCluster(), major},
                             lock->lock));
    });
}

void LockCommands::copyLink()
{
    const WatchedLock *lock = m_page.locks.chosenLock();
    if (!lock)
        return;
    const QByteArray link =
        ServerLink{m_page.session->address(), lock->key().bytes, m_page.source.wallNow()}.toText();
    if (link.isEmpty())
        return emit flashed(tr("No link: the address is local to the SSH host, or the key is too long"));
    copy(QString::fromLatin1(link));
    emit flashed(tr("Link copied"));
}

bool LockCommands::isReadOnly() const
{
    return !m_page.session || m_page.session->isReadOnly();
}

QString LockCommands::whyBlocked() const
{
    if (m_page.replay)
        return MainActions::recordingReason();
    if (isReadOnly() && m_page.session->unlockedFor())
        return MainActions::lockedReason();
    if (isReadOnly())
        return MainActions::readOnlyReason();
    const ClusterStatus &cluster = m_page.source.watched().cluster();
    if (cluster.hasSeveral() || cluster.nodes.isEmpty() || !cluster.nodes.first().isReplica)
        return {};
    const auto &replicaOf = cluster.nodes.first().replicaOf;
    return replicaOf
               ? tr("Replica: change locks at its primary, %1.").arg(replicaOf->primary.toDisplayString())
               : tr("Replica: change locks at its primary.");
}

void LockCommands::update(bool isEstablished, bool isRecording)
{
    MainActions &commands = m_page.commands;
    const LocksPage &locks = m_page.locks;
    const bool areInSight = !commands.showSimulation->isChecked();
    const WatchedLock *lock = areInSight ? locks.chosenLock() : nullptr;
    QList<const Lock *> selected;
    if (areInSight && locks.selectedCount() > 1) {
        for (const LockKey &key : locks.selected())
            selected.append(&locks.model().find(key)->lock);
    }
    commands.update(m_page.source.watched().isReady(), whyBlocked(), lock ? &lock->lock : nullptr, selected);
    if (const auto &last = m_page.inspector.lastRead(); last && areInSight && !lock && selected.isEmpty())
        commands.allowCopies(last->lock);
    commands.allowUnlock(isEstablished && m_page.session && m_page.session->unlockedFor(), isReadOnly());
    commands.allowSummary(locks.chosen().has_value());
    commands.allowRecording(isEstablished, isRecording);
    commands.allowReplay(m_page.replay != nullptr, isEstablished);
}

/// Returns false, with a message, while the moment is not fully read.
bool LockCommands::canExport()
{
    if (!m_page.replay || m_page.replay->isPastTold())
        return true;
    emit flashed(tr("Not exported: still reading the recording."));
    return false;
}

template <typename Export>
void LockCommands::write(Export picture)
{
    if (m_page.replay)
        picture.shownMs = m_page.source.wallNow();
    m_exporter->ask(fileExport(picture));
}

void LockCommands::exportLocks(bool areSelected)
{
    if (canExport())
        write(m_page.locks.exported(m_page.serverName, areSelected, m_page.picture.age()));
}

void LockCommands::copySummary(const std::optional<IncidentSummary> &summary)
{
    if (!summary)
        return;
    QGuiApplication::clipboard()->setMimeData(mimeDataOf(*summary));
    emit flashed(tr("Incident summary copied"));
}

void LockCommands::exportEvents()
{
    if (canExport())
        write(m_page.events.exported(m_page.serverName));
}

void LockCommands::exportStatistics(StatisticsPanel &statistics)
{
    if (canExport())
        write(statistics.exported(m_page.serverName));
}

void LockCommands::showRawValue()
{
    const WatchedLock *lock = m_page.locks.chosenLock();
    if (!lock)
        return;
    auto *dialog = new RawValueDialog( // NOLINT(cppcoreguidelines-owning-memory): deletes itself
        lock->lock, m_page.serverName,
        [session = m_page.session](const Lock &shown) { return session->readContents(shown); },
        m_page.widget);
    openDialog(dialog);
}

void LockCommands::showFamilies()
{
    LocksOfPage known;
    known.visit = [&locks = m_page.locks](const std::function<void(const Lock &)> &take) {
        locks.model().visitAll([&take](const WatchedLock &lock) { take(lock.lock); });
    };
    if (m_page.session)
        known.read = [session = m_page.session](const Lock &lock) { return session->readContents(lock); };
    const WatchedLock *chosen = m_page.locks.chosenLock();
    auto *dialog = new FamiliesDialog( // NOLINT(cppcoreguidelines-owning-memory): deletes itself
        std::move(known), chosen ? std::optional(chosen->lock) : std::nullopt,
        m_page.session ? std::optional(m_page.notes.undiscovered()) : std::nullopt, m_page.widget);
    connect(dialog, &FamiliesDialog::undiscoveredChosen, &m_page.notes,
            &ServerProfileController::setUndiscovered);
    openDialog(dialog);
}

/// Returns the server for redis-cli, which has no Sentinels or tunnels: the node of the key, or a group
/// member that has it.
ServerAddress LockCommands::serverToAsk(const LockKey &key) const
{
    ServerAddress server = m_page.session->address();
    if (server.isGroup()) {
        const WatchedLock *lock = m_page.locks.model().find(key);
        return server.member(
            server.members.value(lock && lock->lock.quorum ? lock->lock.quorum->shownMember : 0));
    }
    const ClusterStatus &cluster = m_page.source.watched().cluster();
    const NodeStatus *node = cluster.nodeOf(key);
    const bool followsByItself = cluster.isCluster() && server.sshHost.isEmpty(); // redis-cli -c
    if (!node || followsByItself || (!cluster.isCluster() && !server.isBySentinels()))
        return server;
    return reachableAddress(node->address, server, server);
}

} // namespace lockscope
