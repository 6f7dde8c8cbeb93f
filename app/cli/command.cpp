// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/words.h"
#include "core/redis/storedservers.h"
#include "core/state/lockstate.h"
#include "core/words/messages.h"
#include "core/words/permissionmessages.h"
#include "core/words/servermessages.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QTimer>

#include <algorithm>
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

ExitStatus exitStatusOf(const console::WriteResult &written, ExitStatus status)
{
    switch (written.how) {
    case console::WriteResult::Failed:
        console::printError(Words::tr("result not written: %1")
                                .arg(QString::fromLocal8Bit(std::strerror(written.systemError))));
        return ExitStatus::NotWritten;
    case console::WriteResult::Stopped:
        console::printError(Words::tr("interrupted: the output is incomplete"));
        return ExitStatus::NotWritten;
    default:
        return status;
    }
}

ExitStatus deliver(const QByteArray &text, ExitStatus status)
{
    const console::WriteResult written = console::out(text);
    return exitStatusOf(written.how == console::WriteResult::All ? console::settle() : written, status);
}

ExitStatus deliverNone(const Options &options, ExitStatus status, const QString &why)
{
    console::printError(why);
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
    return completedServer({{}, options.server, false, options.environment}).environment;
}

Command::Command(Options options) : m_options(std::move(options))
{
    connect(&m_interrupt, &Interrupt::interrupted, this, [this] {
        if (!m_finished)
            interrupted();
    });
}

QList<NodeStatus> Command::missingServers() const
{
    QList<NodeStatus> missing;
    for (const Shard *shard : deployment().shards()) {
        if (shard->state() == Link::State::Ready)
            continue;
        NodeStatus node;
        node.name = shard->nodeName();
        node.error = shard->lastError();
        missing.append(node);
    }
    return missing;
}

QList<Link *> Command::groupLinks() const
{
    QList<Link *> servers;
    for (Shard *shard : deployment().shards())
        servers.append(shard);
    return servers;
}

QStringList Command::groupServers() const
{
    QStringList names;
    if (deployment().isGroup()) {
        for (const Shard *shard : deployment().shards())
            names.append(shard->nodeName());
    }
    return names;
}

QByteArray Command::lockText(const Lock &lock, TimePoint now, qint64 wallMs) const
{
    const Shard *node = deployment().isCluster() ? deployment().shardOf(lock.key().bytes) : nullptr;
    return lockJsonText(readOnce(lock, now, wallMs), now, wallMs, groupServers(),
                        node ? node->nodeName() : QString());
}

QJsonObject Command::lockObject(const Lock &lock, TimePoint now, qint64 wallMs) const
{
    return QJsonDocument::fromJson(lockText(lock, now, wallMs)).object();
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
    console::printError(describe(why, serverName()));
    finish(status);
}

void Command::interrupted()
{
    console::printError(Words::tr("interrupted: no result"));
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
        console::printError(unreadableInWords(status.unreadable));
    if (unreadCompanions > 0)
        console::printError(unreadCompanionsText(unreadCompanions));
    for (const PermissionStatus::Missing &missing : std::as_const(reading.missing))
        console::printError(describe(missing));
    const int major = server().major;
    if (const QString ask = askForGrant(reading, m_options.server.user, major); !ask.isEmpty())
        console::printError(ask);
}

void Command::warnOfReplica()
{
    if (deployment().isGroup())
        return; // none of them is one
    const std::optional<ReplicaLink> &replicaOf = deployment().shards().first()->server().replicaOf;
    if (replicaOf && !deployment().isCluster())
        console::printError(replicaWarning(*replicaOf));
}

void Command::warnOfMissing(const QList<NodeStatus> &missing)
{
    constexpr qsizetype maxNamed = 20;
    for (const NodeStatus &node : missing.first(std::min(maxNamed, missing.size())))
        console::printError(
            Words::tr("locks of %1 missing: %2").arg(node.name, whyMissing(node, serverName())));
    if (missing.size() > maxNamed)
        console::printError(
            Words::tr("locks of %1 more servers missing").arg(grouped(missing.size() - maxNamed)));
}

} // namespace lockscope
