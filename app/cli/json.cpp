// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/json.h"

#include "core/family/registry.h"

#include "core/act/actionnames.h"
#include "core/base/printable.h"
#include "core/model/names.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace lockscope {

namespace {

QJsonObject toJson(const Found &found)
{
    QJsonObject object = foundJson(found);
    if (found.state == Found::State::Held)
        object[QStringLiteral("owners")] = ownerIdsJson(found.lock->owners, found.lock->family);
    if (found.lock && found.lock->ttl)
        object[QStringLiteral("ttl_ms")] = qint64(found.lock->ttl->count());
    return object;
}

QJsonObject toJson(const ServerResult &result)
{
    QJsonObject object{{QStringLiteral("address"), result.server}};
    if (result.outcome)
        object[QStringLiteral("outcome")] = QString::fromLatin1(outcomeName(*result.outcome));
    if (result.error)
        object[QStringLiteral("error")] = describe(*result.error, result.server);
    if (!result.message.isEmpty())
        object[QStringLiteral("message")] = lossless(result.message);
    if (result.found)
        object[QStringLiteral("found")] = toJson(*result.found);
    if (result.isTakenBack)
        object[QStringLiteral("released_again")] = true;
    return object;
}

} // namespace

QJsonObject toJson(const UnlistedNames &outside)
{
    QJsonArray patterns;
    for (const UnlistedPattern &each : outside.patterns) {
        QJsonObject pattern{{QStringLiteral("names"), each.names}};
        insertBytes(pattern, QStringLiteral("pattern"), each.pattern);
        patterns.append(pattern);
    }
    return {{QStringLiteral("names"), outside.names}, {QStringLiteral("patterns"), patterns}};
}

QJsonObject toJson(const ServerInfo &server, bool isBySentinels, const QJsonArray &nodes)
{
    QJsonObject object;
    if (!server.name.isEmpty())
        object[QStringLiteral("name")] = lossless(server.name);
    if (!server.version.isEmpty())
        object[QStringLiteral("version")] = lossless(server.version);
    if (isBySentinels)
        object[QStringLiteral("mode")] = QStringLiteral("sentinel");
    else if (server.mode == "standalone" && server.isReplica())
        object[QStringLiteral("mode")] = QStringLiteral("replica");
    else if (!server.mode.isEmpty())
        object[QStringLiteral("mode")] = lossless(server.mode);
    if (!nodes.isEmpty())
        object[QStringLiteral("nodes")] = nodes;
    return object;
}

QJsonObject toJson(const NodeStatus &node, qint64 locks)
{
    QJsonObject object{
        {QStringLiteral("address"), node.name},
        {QStringLiteral("role"), node.isReplica ? QStringLiteral("replica") : QStringLiteral("primary")},
        {QStringLiteral("state"), node.isReady() ? QStringLiteral("ready") : QStringLiteral("unavailable")}};
    if (node.isReady()) // else their number is not known
        object[QStringLiteral("locks")] = locks;
    else if (node.error.hasReason())
        object[QStringLiteral("error")] = lossless(node.error.text());
    if (node.replicaOf) {
        object[QStringLiteral("primary")] = node.replicaOf->primary.toDisplayString();
        object[QStringLiteral("link")] = node.replicaOf->isUp ? QStringLiteral("up") : QStringLiteral("down");
        if (const auto heard =
                node.replicaOf->isUp ? node.replicaOf->heardSeconds : node.replicaOf->downSeconds)
            object[node.replicaOf->isUp ? QStringLiteral("heard_s") : QStringLiteral("down_s")] = *heard;
    }
    return object;
}

QJsonObject toJson(const ScanStats &stats)
{
    return {
        {QStringLiteral("keys_scanned"), stats.areKeysKnown() ? QJsonValue(stats.keysScanned) : QJsonValue()},
        {QStringLiteral("commands"), stats.commands},
        {QStringLiteral("server_us"), qint64(stats.serverTime.count())},
        {QStringLiteral("wall_ms"),
         qint64(std::chrono::duration_cast<milliseconds>(stats.wallTime).count())}};
}

QJsonObject toJson(const Eviction &eviction)
{
    return {{QStringLiteral("policy"), lossless(eviction.policy)},
            {QStringLiteral("evicted"), eviction.evicted},
            {QStringLiteral("can_take_locks"), true}};
}

QJsonObject toJson(const ActionResult &report, const OwnerId &owner)
{
    QJsonObject object{{QStringLiteral("outcome"), QString::fromLatin1(outcomeName(report.outcome))}};
    insertBytes(object, QStringLiteral("key"), report.key.bytes);
    if (!owner.isEmpty())
        insertBytes(object, QStringLiteral("owner"), owner.bytes);
    if (report.holdCount)
        object[QStringLiteral("holds")] = *report.holdCount;
    if (report.ttl)
        object[QStringLiteral("ttl_ms")] = qint64(report.ttl->count());
    QStringList messages{report.outcome == Outcome::Unknown ? describe(report) : lossless(report.message)};
    for (const Phrase &note : report.outcome == Outcome::Unknown ? QList<Phrase>() : report.notes)
        messages.append(inWords(note));
    messages.removeAll(QString());
    if (!messages.isEmpty())
        object[QStringLiteral("message")] = messages.join(QStringLiteral("; "));
    if (report.found)
        object[QStringLiteral("found")] = toJson(*report.found);
    QJsonArray servers;
    for (const ServerResult &one : report.servers)
        servers.append(toJson(one));
    if (!servers.isEmpty())
        object[QStringLiteral("servers")] = servers;
    return object;
}

QJsonObject toJson(const LockEvent &event)
{
    QJsonObject object{{QStringLiteral("event"), QString::fromLatin1(eventName(event.kind))},
                       {QStringLiteral("at"), event.wallMs}};
    insertBytes(object, QStringLiteral("key"), event.address.key.bytes);
    if (!event.owners.isEmpty()) {
        insertBytes(object, QStringLiteral("owner"), event.owners.front().owner.bytes);
        if (event.owners.front().holdCount)
            object[QStringLiteral("holds")] = *event.owners.front().holdCount;
        if (event.owners.front().holdCount && specOf(event.family).clientMayCount)
            object[QStringLiteral("holds_at_least")] = true;
    }
    if (event.owners.size() > 1)
        object[QStringLiteral("owners")] = ownerIdsJson(event.owners, event.family);
    if (event.others > 0)
        object[QStringLiteral("others")] = event.others;
    if (event.ttl)
        object[QStringLiteral("ttl_ms")] = qint64(event.ttl->count());
    if (event.wasRenewed)
        object[QStringLiteral("renewed")] = true;
    const auto before = event.possible.single();
    if (event.kind == EventKind::OwnerChanged && before)
        object[QStringLiteral("how")] = QString::fromLatin1(eventName(*before));
    else if (event.kind == EventKind::OwnerChanged)
        object[QStringLiteral("unseen")] = true; // others may have held it between the two readings
    if (event.kind == EventKind::Vanished && !event.possible.isEmpty()) {
        QJsonArray possible;
        for (const EventKind end : event.possible.list())
            possible.append(QString::fromLatin1(eventName(end)));
        object[QStringLiteral("possible")] = possible;
    }
    if (event.kind ==
        EventKind::Forced) // another's end by force looks like any other end, and is told as that
        object[QStringLiteral("by")] = QStringLiteral("this-user");
    return object;
}

void insertHelp(QJsonObject &object, Family family)
{
    const FamilySpec &spec = specOf(family);
    for (const auto &[name, text] :
         {std::pair("runbook", spec.runbook), std::pair("contact", spec.contact)}) {
        if (text)
            object[QLatin1String(name)] = QString::fromUtf8(text);
    }
}

QByteArray jsonLine(const QJsonObject &object)
{
    return escapedJson(QJsonDocument(object).toJson(QJsonDocument::Compact)) + '\n';
}

} // namespace lockscope
