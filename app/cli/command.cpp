// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/monitor/companionpermissions.h"
#include "core/read/companions.h"
#include "core/read/groupreading.h"
#include "core/read/inspector.h"
#include "core/redis/storedservers.h"
#include "core/redis/whendone.h"
#include "core/state/lockstate.h"
#include "core/words/messages.h"
#include "core/words/permissionmessages.h"
#include "core/words/servermessages.h"

#include <QCoreApplication>
#include <QTimer>

#include <cstring>
#include <limits>
#include <utility>

namespace lockscope {

ExitStatus exitStatusOf(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::ReadOnlyMode:
    case ErrorKind::NotAgreed:
        return ExitStatus::RefusedByReadOnly;
    case ErrorKind::InvalidArgument:
        return ExitStatus::WrongUsage;
    default:
        return ExitStatus::Unavailable;
    }
}

ExitStatus exitStatusOf(const console::Written &written, ExitStatus status)
{
    switch (written.how) {
    case console::Written::Failed:
        console::setFieldError(Words::tr("the result could not be written: %1")
                                   .arg(QString::fromLocal8Bit(std::strerror(written.systemError))));
        return ExitStatus::NotWritten;
    case console::Written::Stopped:
        console::setFieldError(Words::tr("interrupted while writing the result: the output is cut off"));
        return ExitStatus::NotWritten;
    default:
        return status;
    }
}

ExitStatus deliver(const QByteArray &text, ExitStatus status)
{
    const console::Written written = console::out(text);
    return exitStatusOf(written.how == console::Written::All ? console::settle() : written, status);
}

ExitStatus deliverNone(const Options &options, ExitStatus status, const QString &why)
{
    console::setFieldError(why);
    if (!options.json || options.verb == Verb::Watch || options.verb == Verb::Alert ||
        status == ExitStatus::WrongUsage)
        return status;
    QJsonObject document{{QStringLiteral("error"), why}};
    if (!options.key.isEmpty())
        insertBytes(document, QStringLiteral("key"), options.key.bytes);
    return deliver(jsonLine(document), status);
}

Environment environmentOf(const Options &options)
{
    return options.environment != Environment::Unset ? options.environment
                                                     : completedServer({{}, options.server}).environment;
}

Command::Command(Options options, bool reconnect)
    : m_options(std::move(options)),
      m_deployment(m_options.server, Connection::Options{.clientName = "lockscope-cli",
                                                         .readOnly = m_options.readOnly,
                                                         .reconnect = reconnect})
{
    connect(&m_interrupt, &Interrupt::interrupted, this, [this] {
        if (!m_finished)
            interrupted();
    });
    connect(&link(), &Link::ready, this, [this] {
        if (!std::exchange(m_running, true))
            run();
    });
    const auto lost = [this](const Error &why) {
        if (m_finished)
            return;
        if (m_running)
            connectionLost(why);
        else
            fail(why);
    };
    connect(&link(), &Link::connectionLost, this, lost);
    connect(&link(), &Link::connectionRefused, this, lost);
}

void Command::start()
{
    m_deployment.open();
}

void Command::readFailed(const Error &why)
{
    // A lost connection tells its own cause; that a mere look "may have been carried out" is no news. One of a Redlock group that
    // is lost is no end of the connection.
    if (m_deployment.isGroup() && why.kind == ErrorKind::OutcomeUnknown)
        fail(Error(ErrorKind::NotConnected, why));
    else if (why.kind != ErrorKind::OutcomeUnknown)
        fail(why);
}

void Command::lookBeside(Link &server, const Lock &lock, const std::function<void(const LookedAt &)> &then)
{
    whenDone(listener(), companions::inspect(server, {lock}),
             [this, then](const Result<companions::Seen> &seen) {
                 if (!seen)
                     return readFailed(seen.error());
                 Lock found = seen->locks.first();
                 if (isHidden(found)) // a document is no owner
                     found.owners.clear();
                 then({found, missingCompanions(seen->forbidden)});
             });
}

void Command::lookInGroup(const LockKey &key, const std::function<void(const LookedAt &)> &then)
{
    const QList<Link *> servers = groupLinks();
    whenDone(listener(), GroupReading::start(servers, key, listener()),
             [this, key, then, servers](const GroupReading::Answer &found) {
                 if (!found)
                     return readFailed(found.error());
                 if (found->lock)
                     return lookBeside(*servers[found->lock->quorum->shownMember], *found->lock, then);
                 if (found->unknown == 0)
                     return then({});
                 warnOfMissing(missingServers());
                 finishWithout(ExitStatus::Unavailable,
                               Words::tr("no lock at %1 on %2 of %3 servers; the others were not read")
                                   .arg(printable(key.bytes))
                                   .arg(servers.size() - found->unknown)
                                   .arg(servers.size()));
             });
}

Link &Command::serverOf(const Lock &lock)
{
    return serverThatHas(m_deployment, lock);
}

QList<NodeStatus> Command::missingServers() const
{
    QList<NodeStatus> missing;
    for (const Shard *shard : m_deployment.shards()) {
        if (shard->state() == Link::State::Ready)
            continue;
        NodeStatus node;
        node.name = shard->nodeName();
        node.error = shard->lastError();
        missing.append(node);
    }
    return missing;
}

QList<Link *> Command::groupLinks()
{
    QList<Link *> servers;
    for (Shard *shard : m_deployment.shards())
        servers.append(shard);
    return servers;
}

QStringList Command::groupServers() const
{
    QStringList names;
    if (m_deployment.isGroup()) {
        for (const Shard *shard : m_deployment.shards())
            names.append(shard->nodeName());
    }
    return names;
}

QJsonObject Command::lockObject(const Lock &lock, TimePoint now, qint64 wallMs) const
{
    const Shard *node = m_deployment.isCluster() ? m_deployment.shardOf(lock.key().bytes) : nullptr;
    return lockJson(readOnce(lock, now, wallMs), now, wallMs, groupServers(),
                    node ? node->nodeName() : QString());
}

void Command::look(const LockKey &key, std::function<void(const LookedAt &)> then)
{
    if (m_deployment.isGroup())
        return lookInGroup(key, then);
    whenDone(listener(), inspector::inspect(link().forKey(key.bytes), key),
             [this, key, then](const Result<Inspection> &inspection) {
                 if (!inspection)
                     return readFailed(inspection.error());
                 if (!inspection->lock)
                     return then({});
                 lookBeside(link().forKey(key.bytes), *inspection->lock, then);
             });
}

void Command::endInTime(const std::function<void()> &end)
{
    if (const auto duration = m_options.duration)
        endIn(*duration, end);
}

void Command::endIn(milliseconds left, const std::function<void()> &end)
{
    const milliseconds longest(std::numeric_limits<int>::max()); // a QTimer takes no more: 24 days
    if (left <= longest)
        QTimer::singleShot(left, this, end);
    else
        QTimer::singleShot(longest, this, [this, left, longest, end] { endIn(left - longest, end); });
}

void Command::finish(ExitStatus status)
{
    if (!std::exchange(m_finished, true))
        QCoreApplication::exit(static_cast<int>(status));
}

void Command::finish(ExitStatus status, const QByteArray &result)
{
    if (!m_finished)
        finish(deliver(result, status));
}

void Command::finish(const Error &why, const QByteArray &result)
{
    if (m_finished)
        return;
    const ExitStatus status = deliver(result, exitStatusOf(why.kind));
    console::setFieldError(describe(why, serverName()));
    finish(status);
}

void Command::interrupted()
{
    console::setFieldError(Words::tr("interrupted before the result was ready: nothing is printed"));
    finish(ExitStatus::Unavailable);
}

void Command::fail(const Error &why)
{
    finishWithout(exitStatusOf(why.kind), describe(why, serverName()));
}

void Command::finishWithout(ExitStatus status, const QString &why)
{
    if (!m_finished)
        finish(deliverNone(m_options, status, why));
}

void Command::warnOfUnread(const PermissionStatus &status, qint64 unreadCompanions)
{
    using Use = PermissionStatus::Use;
    PermissionStatus reading = status;
    reading.missing.removeIf([&](const PermissionStatus::Missing &missing) {
        return (missing.use != Use::Read || status.unreadable == 0) &&
               (missing.use != Use::Companions || unreadCompanions == 0);
    });
    if (status.unreadable > 0)
        console::setFieldError(unreadableInWords(status.unreadable));
    if (unreadCompanions > 0)
        console::setFieldError(unreadCompanionsText(unreadCompanions));
    for (const PermissionStatus::Missing &missing : std::as_const(reading.missing))
        console::setFieldError(describe(missing));
    const int major = server().major;
    if (const QString ask = askForGrant(reading, m_options.server.user, major); !ask.isEmpty())
        console::setFieldError(ask);
}

void Command::warnOfUnread(const LookedAt &seen)
{
    PermissionStatus status;
    status.missing = seen.missing;
    warnOfUnread(status, seen.isWhole() ? 0 : 1);
}

void Command::warnOfReplica()
{
    if (m_deployment.isGroup())
        return; // none of them is one
    const std::optional<ReplicaLink> &replicaOf = m_deployment.shards().first()->server().replicaOf;
    if (replicaOf && !m_deployment.isCluster())
        console::setFieldError(replicaWarning(*replicaOf));
}

void Command::warnOfMissing(const QList<NodeStatus> &missing)
{
    for (const NodeStatus &node : missing)
        console::setFieldError(
            Words::tr("the locks of %1 are missing: %2").arg(node.name, whyMissing(node, serverName())));
}

} // namespace lockscope
