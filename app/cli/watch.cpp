// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/watch.h"

#include "app/cli/console.h"
#include "app/cli/eventlines.h"
#include "app/cli/json.h"
#include "app/cli/sweep.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/model/names.h"
#include "core/monitor/scanguard.h"
#include "core/words/messages.h"
#include "core/words/permissionmessages.h"
#include "core/words/servermessages.h"
#include "core/words/textlayout.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

constexpr int readerCheckMs = 500;
/// More events at once than these are told in slices, between which changes are read. A pipe with room takes a slice of
/// usual lines without making us wait for its reader.
constexpr qsizetype fewEvents = 500;
constexpr qsizetype slice = 20;
constexpr int fullPipeMs = 5;
constexpr std::chrono::milliseconds lastPatience{500}; // with a reader that may stand still

} // namespace

WatchCommand::WatchCommand(Options options)
    : Command(std::move(options), true),
      m_monitor(deployment(), monitorOptions(this->options())),
      m_forcedEnds({}, [this](const LockKey &key) { return link().forKey(key.bytes).server().runId; })
{
    connect(&m_monitor, &DeploymentMonitor::changed, this, &WatchCommand::printChanges);
    connect(&m_monitor, &DeploymentMonitor::scanFinished, this, &WatchCommand::scanFinished);
    connect(&m_monitor, &DeploymentMonitor::errorOccurred, this, &WatchCommand::errorOccurred);
    connect(&m_monitor, &DeploymentMonitor::feedChanged, this, &WatchCommand::feedChanged);
    connect(&m_monitor, &DeploymentMonitor::permissionsChanged, this, &WatchCommand::permissionsChanged);
    connect(&m_monitor, &DeploymentMonitor::clusterChanged, this, &WatchCommand::clusterChanged);
    connect(&m_readerCheck, &QTimer::timeout, this, [this] {
        if (console::readerIsGone())
            finish(ExitStatus::Done);
    });
    m_readerCheck.start(readerCheckMs);
    connect(&m_monitor, &DeploymentMonitor::serverReset, this, &WatchCommand::serverReset);
    m_backlogTimer.setInterval(0);
    connect(&m_backlogTimer, &QTimer::timeout, this, [this] {
        const bool isReady = console::canWrite();
        if (isReady)
            printBacklog(slice);
        m_backlogTimer.setInterval(isReady ? 0 : fullPipeMs);
    });
    connect(&m_forcedEnds, &ForcedEnds::settled, this, &WatchCommand::printEvents);
    connect(&link(), &Link::ready, this, [this] {
        if (!std::exchange(m_connected, true))
            printMoment("reconnected", {}, Words::tr("reading all locks again"));
    });
    endInTime([this] { end(); });
    if (const auto duration = this->options().duration)
        console::waitNoLongerThan(Clock::now() + std::min(*duration, Deadline::horizon));
}

void WatchCommand::run()
{
    if (isFullSpeed(options()))
        m_monitor.scanNow();
    m_monitor.start();
}

void WatchCommand::connectionLost(const Error &why)
{
    if (link().state() != Link::State::Backoff)
        return fail(why); // no further tries
    m_trouble = why;
    if (std::exchange(m_connected, false))
        printMoment("disconnected", {}, describe(why, serverName()));
}

void WatchCommand::printChanges(const LockDiff &diff)
{
    if (m_ready && diff.events.size() <= fewEvents) {
        QList<LockEvent> toTell;
        for (const LockEvent &event : diff.events) {
            toTell += m_backlog.take(event.address.key);
            toTell.append(event);
        }
        return printEvents(m_forcedEnds.settle(toTell));
    }
    for (const LockEvent &event : diff.events)
        m_backlog.add(event);
    if (m_ready)
        m_backlogTimer.start();
}

void WatchCommand::printBacklog(qsizetype keys)
{
    printEvents(m_forcedEnds.settle(m_backlog.takeSome(keys)));
    if (m_backlog.isEmpty())
        m_backlogTimer.stop();
}

void WatchCommand::serverReset(const ServerReset &reset)
{
    if (!m_ready) // what was found and has vanished is told after it
        return;
    const TextMoment moment = momentOf(reset);
    printMoment(moment.event, moment.details, moment.text);
}

void WatchCommand::printEvents(const QList<LockEvent> &events)
{
    for (const LockEvent &event : events)
        printEvent(event);
}

void WatchCommand::scanFinished(const ScanStats &stats)
{
    m_toldTrouble = ErrorKind::Canceled;
    if (std::exchange(m_ready, true))
        return;
    printMoment("ready",
                {{QStringLiteral("locks"), stats.locks},
                 {QStringLiteral("feed"), feedName(m_feed)},
                 {QStringLiteral("feeds"), feedsOf(m_feed)}},
                Words::tr("locks: %1, at %2; %3", "how changes are heard")
                    .arg(QString::number(stats.locks), serverName(),
                         feedInWords(m_feed, m_monitor.options().scanInterval)));
    printUnreadable();
    m_backlogTimer.start();
}

void WatchCommand::errorOccurred(const Error &why)
{
    if (!m_ready && (requiresUserAction(why.kind) || isIncomplete(why.kind)))
        return fail(why);
    m_trouble = why;
    if (!isFinished() && std::exchange(m_toldTrouble, why.kind) != why.kind)
        console::setFieldError(describe(why, serverName()));
}

void WatchCommand::permissionsChanged(const PermissionStatus &status)
{
    const PermissionStatus before = std::exchange(m_permissions, status);
    if (!m_ready)
        return;
    using Missing = PermissionStatus::Missing;
    const auto has = [](const QList<Missing> &list, const Missing &missing) {
        return std::ranges::any_of(list, [&](const Missing &other) {
            return other.use == missing.use && other.refusal == missing.refusal &&
                   other.wasRevoked >= missing.wasRevoked;
        });
    };
    for (const Missing &missing : status.missing) {
        if (missing.wasRevoked && !has(before.missing, missing))
            printPermission("forbidden", missing);
    }
    for (const Missing &missing : before.missing) {
        const bool isNeeded =
            missing.use == PermissionStatus::Use::Read || missing.use == PermissionStatus::Use::Scan;
        if ((missing.wasRevoked || isNeeded) && !has(status.missing, missing))
            printPermission("permitted", missing);
    }
    printUnreadable();
}

void WatchCommand::printPermission(const char *event, const PermissionStatus::Missing &missing)
{
    const Refusal &refusal = missing.refusal;
    printMoment(
        event,
        {{QStringLiteral("command"), QString::fromLatin1(refusal.command)},
         {QStringLiteral("what"), QString::fromLatin1(refusalName(refusal.about))}},
        QLatin1String(event) == QLatin1String("forbidden")
            ? describe(missing)
            : Words::tr("permitted again: %1", "a permission").arg(QString::fromLatin1(refusal.command)));
}

void WatchCommand::printUnreadable()
{
    if (std::exchange(m_toldUnreadable, m_permissions.unreadable) != m_permissions.unreadable)
        printMoment("unreadable", {{QStringLiteral("count"), m_permissions.unreadable}},
                    m_permissions.unreadable > 0
                        ? unreadableInWords(m_permissions.unreadable) + u' ' +
                              askForGrant(m_permissions, options().server.user, server().major)
                        : Words::tr("All keys can be read."));
}

void WatchCommand::feedChanged(const FeedStatus &status)
{
    const FeedStatus before = std::exchange(m_feed, status);
    if (m_ready && m_feed.routes != before.routes)
        printMoment("feed",
                    {{QStringLiteral("feed"), feedName(m_feed)}, {QStringLiteral("feeds"), feedsOf(m_feed)}},
                    feedInWords(m_feed, m_monitor.options().scanInterval));
}

void WatchCommand::tellReplica(const ReplicaLink &link)
{
    const char *state = link.isSyncing ? "sync" : link.isUp ? "up" : "down";
    if (m_ready && std::exchange(m_toldReplica, state) != state)
        printMoment("replica",
                    {{QStringLiteral("primary"), link.primary.toDisplayString()},
                     {QStringLiteral("link"), QLatin1String(state)}},
                    replicaWarning(link));
}

/// Of a node that is lost nothing is heard until it is ready again.
void WatchCommand::clusterChanged(const ClusterStatus &status)
{
    if (!status.hasSeveral() && !status.nodes.isEmpty() && status.nodes.first().replicaOf)
        tellReplica(*status.nodes.first().replicaOf);
    QSet<QString> missing;
    const QList<NodeStatus> nodes = status.hasSeveral() ? status.missing() : QList<NodeStatus>();
    for (const NodeStatus &node : nodes) {
        missing.insert(node.name);
        if (m_ready && node.state != Link::State::Connecting && !m_toldMissing.contains(node.name)) {
            m_toldMissing.insert(node.name);
            printMoment("node-lost", {{QStringLiteral("node"), node.name}}, whyMissing(node, serverName()));
        }
    }
    const QSet<QString> told = m_toldMissing;
    for (const QString &name : told) {
        const bool isThere = std::ranges::any_of(
            status.nodes, [&](const NodeStatus &node) { return node.name == name && node.isReady(); });
        if (missing.contains(name))
            continue;
        m_toldMissing.remove(name);
        printMoment(isThere ? "node-ready" : "node-left", {{QStringLiteral("node"), name}},
                    isThere ? Words::tr("%1 is ready: reading its locks again").arg(name)
                            : Words::tr("%1 keeps no locks any more").arg(name));
    }
}

void WatchCommand::printEvent(const LockEvent &event)
{
    print(eventLine(event, options().json));
}

void WatchCommand::printMoment(const char *event, QJsonObject details, const QString &text)
{
    const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
    print(momentLine({event, std::move(details), text}, wallMs, options().json));
}

void WatchCommand::print(const QByteArray &line)
{
    if (isFinished())
        return;
    const console::Written written = console::out(line);
    if (written.how == console::Written::Failed)
        return finish(exitStatusOf(written, ExitStatus::Done));
    // Nobody reads, or a signal or the end of the time came while the reader stood still.
    if (written.how != console::Written::All)
        finish(ExitStatus::Done);
}

/// Who waits for "ready" must not take silence for quiet. Of a feed what waits to be told is told; its events are written,
/// but a file may tell its errors last.
void WatchCommand::end()
{
    console::waitNoLongerThan(Clock::now() + lastPatience); // the signal that ends us ends no further waiting
    if (m_ready) {
        printEvents(m_forcedEnds.takeWaiting());
        printEvents(m_backlog.takeSome(std::numeric_limits<qsizetype>::max()));
        return finish(ExitStatus::Done, {});
    }
    const QString reason = m_trouble
                               ? describe(*m_trouble, serverName())
                               : Words::tr("Not all locks were read in that time. Give a longer --duration.");
    console::setFieldError(
        Words::tr("Watching ended before the first reading was complete, so no event was printed. %1")
            .arg(reason));
    finish(ExitStatus::Unavailable);
}

} // namespace lockscope
