// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/eventbacklog.h"
#include "app/cli/eventlines.h"
#include "app/cli/json.h"
#include "app/cli/sessioncommand.h"
#include "app/words.h"
#include "core/base/match.h"
#include "core/base/printable.h"
#include "core/model/names.h"
#include "core/monitor/scanguard.h"
#include "core/words/messages.h"
#include "core/words/permissionmessages.h"
#include "core/words/servermessages.h"
#include "core/words/textlayout.h"

#include <QDateTime>
#include <QJsonObject>
#include <QTimer>

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

constexpr int readerCheckMs = 500;
/// More events are printed in slices, with reading in between. A slice of usual lines fits a pipe with free
/// space.
constexpr qsizetype fewEvents = 500;
constexpr qsizetype slice = 20;
constexpr int fullPipeMs = 5;
constexpr std::chrono::milliseconds lastPatience{500}; // with a reader that may stand still

class WatchCommand : public SessionCommand
{
public:
    explicit WatchCommand(Options options) : SessionCommand(std::move(options), Kind::Stream)
    {
        connect(&m_readerCheck, &QTimer::timeout, this, [this] {
            if (console::readerIsGone())
                finish(ExitStatus::Done);
        });
        m_readerCheck.start(readerCheckMs);
        m_backlogTimer.setInterval(0);
        connect(&m_backlogTimer, &QTimer::timeout, this, [this] {
            const bool isReady = console::canWrite();
            if (isReady)
                printBacklog(slice);
            m_backlogTimer.setInterval(isReady ? 0 : fullPipeMs);
        });
        endInTime([this] { end(); });
        if (const auto duration = this->options().duration)
            console::waitNoLongerThan(Clock::now() + std::min(*duration, Deadline::horizon));
    }

private:
    void connectionLost(const Error &why) override { m_trouble = why; }
    void interrupted() override { end(); }

    void take(const MonitorReport &event) override
    {
        std::visit(Match{[this](const LockDiff &diff) { printChanges(diff); },
                         [this](const ScanStats &stats) {
                             if (stats.complete)
                                 takeScan(stats);
                         },
                         [this](const SourceEvent &moment) { takeMoment(moment); },
                         [this](const PermissionStatus &status) { takePermissions(status); },
                         [this](const ClusterStatus &) { printReplica(); }, [](const auto &) {}},
                   event);
    }

    void printChanges(const LockDiff &diff)
    {
        if (m_ready && diff.events.size() <= fewEvents) {
            QList<LockEvent> toTell;
            for (const LockEvent &event : diff.events) {
                toTell += m_backlog.take(event.address.key);
                toTell.append(event);
            }
            return printEvents(toTell);
        }
        for (const LockEvent &event : diff.events)
            m_backlog.add(event);
        if (m_ready)
            m_backlogTimer.start();
    }

    void printBacklog(qsizetype keys)
    {
        printEvents(m_backlog.takeSome(keys));
        if (m_backlog.isEmpty())
            m_backlogTimer.stop();
    }

    void printEvents(const QList<LockEvent> &events)
    {
        for (const LockEvent &event : events)
            print(eventLine(event, options().json));
    }

    void takeScan(const ScanStats &stats)
    {
        forgetTrouble();
        if (std::exchange(m_ready, true))
            return;
        const FeedStatus &feed = watched().feed();
        QJsonObject details = feedDetails(feed);
        details[QStringLiteral("locks")] = stats.locks;
        printMoment("ready", details,
                    Words::tr("locks: %1, at %2; %3", "how changes are heard")
                        .arg(QString::number(stats.locks), serverName(),
                             feedInWords(feed, monitorOptions().scanInterval)));
        printUnreadable();
        const ClusterStatus &cluster = watched().cluster();
        for (const NodeStatus &node : cluster.hasSeveral() ? cluster.missing() : QList<NodeStatus>()) {
            if (node.state != Link::State::Connecting) // else it is told once that has failed
                printNode("node-lost", node, whyMissing(node, serverName()));
        }
        m_backlogTimer.start();
    }

    void errorOccurred(const Error &why) override
    {
        if (!m_ready && (requiresUserAction(why.kind) || isIncomplete(why.kind)))
            return fail(why);
        m_trouble = why;
        SessionCommand::errorOccurred(why);
    }

    /// Before "ready", prints only lost and restored connections.
    void takeMoment(const SourceEvent &moment)
    {
        const FeedStatus &feed = watched().feed();
        const auto *node = std::get_if<NodeStatus>(&moment.what);
        switch (moment.kind) {
        case MonitorEventKind::Disconnected:
            return printMoment("disconnected", {}, describe(std::get<Error>(moment.what), serverName()));
        case MonitorEventKind::Reconnected:
            return printMoment("reconnected", {}, Words::tr("reading all locks again"));
        default:
            break;
        }
        if (!m_ready)
            return;
        switch (moment.kind) {
        case MonitorEventKind::FeedChanged:
            return printMoment("feed", feedDetails(feed), feedInWords(feed, monitorOptions().scanInterval));
        case MonitorEventKind::NodeLost:
            return printNode("node-lost", *node, whyMissing(*node, serverName()));
        case MonitorEventKind::NodeReady:
            return printNode("node-ready", *node, Words::tr("%1: reading all locks again").arg(node->name));
        case MonitorEventKind::NodeLeft:
            return printNode("node-left", *node, Words::tr("%1: no locks any more").arg(node->name));
        default:
            break;
        }
        if (const auto *reset = std::get_if<ServerReset>(&moment.what)) {
            const TextEvent text = momentOf(*reset);
            printMoment(text.event, text.details, text.text);
        }
    }

    void printNode(const char *event, const NodeStatus &node, const QString &text)
    {
        printMoment(event, {{QStringLiteral("node"), node.name}}, text);
    }

    void takePermissions(const PermissionStatus &status)
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

    void printPermission(const char *event, const PermissionStatus::Missing &missing)
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

    void printUnreadable()
    {
        if (std::exchange(m_toldUnreadable, m_permissions.unreadable) != m_permissions.unreadable)
            printMoment("unreadable", {{QStringLiteral("count"), m_permissions.unreadable}},
                        m_permissions.unreadable > 0
                            ? unreadableInWords(m_permissions.unreadable) + u' ' +
                                  askForGrant(m_permissions, options().server.user, server().major)
                            : Words::tr("All keys can be read."));
    }

    void printReplica()
    {
        const ClusterStatus &cluster = watched().cluster();
        if (!m_ready || cluster.hasSeveral() || cluster.nodes.isEmpty() || !cluster.nodes.first().replicaOf)
            return;
        const ReplicaLink &link = *cluster.nodes.first().replicaOf;
        const char *state = link.isSyncing ? "sync" : link.isUp ? "up" : "down";
        if (std::exchange(m_toldReplica, state) != state)
            printMoment("replica",
                        {{QStringLiteral("primary"), link.primary.toDisplayString()},
                         {QStringLiteral("link"), QLatin1String(state)}},
                        replicaWarning(link));
    }

    void printMoment(const char *event, QJsonObject details, const QString &text)
    {
        const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
        print(momentLine({event, std::move(details), text}, wallMs, options().json));
    }

    void print(const QByteArray &line)
    {
        if (isFinished())
            return;
        const console::WriteResult written = console::out(line);
        if (written.how == console::WriteResult::Failed)
            return finish(exitStatusOf(written, ExitStatus::Done));
        // Nobody reads, or a signal or the end of the time came while the reader stood still.
        if (written.how != console::WriteResult::All)
            finish(ExitStatus::Done);
    }

    /// Without "ready", reports that: silence would mean that nothing happened. Otherwise prints the
    /// postponed events.
    void end()
    {
        console::waitNoLongerThan(Clock::now() +
                                  lastPatience); // the signal that ends us ends no further waiting
        if (m_ready) {
            session().settleNow();
            printEvents(m_backlog.takeSome(std::numeric_limits<qsizetype>::max()));
            return finish(ExitStatus::Done, {});
        }
        const QString reason =
            m_trouble ? describe(*m_trouble, serverName()) : Words::tr("Give a longer --duration.");
        console::printError(
            Words::tr("No events: ended before the first reading was complete. %1").arg(reason));
        finish(ExitStatus::Unavailable);
    }

    QTimer m_readerCheck;   ///< notices a closed pipe while there are no events
    EventBacklog m_backlog; ///< initial scan, printed after "ready"; or bulk changes
    QTimer m_backlogTimer;
    bool m_ready = false;
    std::optional<Error> m_trouble;
    PermissionStatus m_permissions;
    qint64 m_toldUnreadable = 0;
    QByteArray m_toldReplica; ///< state of its link
};

} // namespace

std::unique_ptr<Command> watchCommand(const Options &options)
{
    return std::make_unique<WatchCommand>(options);
}

} // namespace lockscope
