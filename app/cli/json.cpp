// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/json.h"

#include "core/act/actionnames.h"
#include "core/act/lockjson.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/model/names.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <limits>

namespace lockscope {

namespace {

QJsonArray ownersOf(const QList<LockOwner> &list)
{
    QJsonArray owners;
    for (const LockOwner &owner : list)
        owners.append(ownerJson(owner, QStringLiteral("id")));
    return owners;
}

QJsonObject toJson(const Waiters &waiters)
{
    QJsonObject object{{QStringLiteral("count"), waiters.count},
                       {QStringLiteral("certainty"), waiters.certainty == WaiterCertainty::Exact
                                                         ? QStringLiteral("exact")
                                                         : QStringLiteral("at-least")}};
    if (waiters.certainty != WaiterCertainty::Exact)
        return object;
    // Each as text, and all of them exactly where one is no text.
    QJsonArray ids;
    QJsonArray exact;
    bool isText = true;
    for (const Waiter &waiter : waiters.queue) {
        isText = isText && isValidUtf8(waiter.id.bytes);
        ids.append(lossless(waiter.id.bytes));
        exact.append(QString::fromLatin1(waiter.id.bytes.toBase64()));
    }
    object[QStringLiteral("ids")] = ids;
    if (!isText)
        object[QStringLiteral("ids_base64")] = exact;
    return object;
}

QJsonArray arrayOf(const QByteArrayList &names)
{
    QJsonArray array;
    for (const QByteArray &name : names)
        array.append(QString::fromLatin1(name));
    return array;
}

QJsonArray namesOf(EvidenceSet evidence)
{
    QJsonArray names;
    for (const Evidence one : evidenceList(evidence))
        names.append(QString::fromLatin1(evidenceName(one)));
    return names;
}

QJsonArray namesOf(Problems problems)
{
    QJsonArray names;
    for (const Problem problem : problemList(problems))
        names.append(QString::fromLatin1(problemName(problem)));
    return names;
}

QJsonObject toJson(const Found &found)
{
    QJsonObject object = foundJson(found);
    if (found.state == Found::State::Held)
        object[QStringLiteral("owners")] = ownersOf(found.lock->owners);
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

qint64 saturatedSum(qint64 a, qint64 b)
{
    return b > std::numeric_limits<qint64>::max() - a ? std::numeric_limits<qint64>::max() : a + b;
}

} // namespace

std::optional<milliseconds> ttlAt(const Lock &lock, TimePoint now)
{
    if (!lock.ttl)
        return std::nullopt;
    const auto age = std::chrono::duration_cast<milliseconds>(now - lock.readAt);
    return std::max(milliseconds(0), *lock.ttl - std::max(milliseconds(0), age));
}

namespace {

QString stateName(MemberReading::State state)
{
    constexpr std::array<const char *, 4> names{"held", "absent", "no-lock", "unknown"};
    return QLatin1String(names.at(static_cast<size_t>(state)));
}

QJsonObject toJson(const Quorum &quorum, milliseconds lease, TimePoint now, const QStringList &servers)
{
    QJsonArray members;
    for (qsizetype i = 0; i < quorum.members.size(); ++i) {
        const MemberReading &reading = quorum.members[i];
        QJsonObject member{{QStringLiteral("address"), servers.value(i)},
                           {QStringLiteral("state"), stateName(reading.state)}};
        if (reading.state == MemberReading::State::Held) {
            member[QStringLiteral("owners")] = ownersOf(reading.owners);
            member[QStringLiteral("ttl_ms")] =
                reading.deadline ? QJsonValue(qint64(reading.deadline->remaining(now).count()))
                                 : QJsonValue(QJsonValue::Null);
        }
        members.append(member);
    }
    QJsonObject object{{QStringLiteral("held"), quorum.isHeld     ? QJsonValue(true)
                                                : quorum.isLost() ? QJsonValue(false)
                                                                  : QJsonValue(QJsonValue::Null)},
                       {QStringLiteral("agreeing"), quorum.agreeing},
                       {QStringLiteral("unknown"), quorum.unknown},
                       {QStringLiteral("needed"), quorum.needed()},
                       {QStringLiteral("of"), quorum.members.size()},
                       {QStringLiteral("servers"), members}};
    if (const auto validity = validityOf(quorum, lease, now))
        object[QStringLiteral("validity_ms")] = qint64(validity->count());
    return object;
}

} // namespace

QJsonObject toJson(const Lock &lock, TimePoint now, qint64 wallMs, const QStringList &servers)
{
    QJsonObject object{
        {QStringLiteral("family"), QString::fromLatin1(familyName(lock.family))},
        {QStringLiteral("owners"), ownersOf(isHidden(lock) ? QList<LockOwner>() : lock.owners)},
        {QStringLiteral("problems"), namesOf(lock.problems)},
        {QStringLiteral("db"), lock.address.database}};
    insertBytes(object, QStringLiteral("key"), lock.key().bytes);
    const Certainty certainty = certaintyOf(lock);
    object[QStringLiteral("certainty")] = QString::fromLatin1(certaintyName(certainty));
    object[QStringLiteral("evidence")] = namesOf(lock.evidence);
    if (certainty == Certainty::Ambiguous) {
        if (const QByteArrayList candidates = candidateNames(lock); !candidates.isEmpty())
            object[QStringLiteral("candidates")] = arrayOf(candidates);
    }
    if (weakTokenOf(lock) != WeakToken::No && !isHidden(lock))
        object[QStringLiteral("weak_token")] = true;
    if (lock.beside->waiters.certainty != WaiterCertainty::Unknown)
        object[QStringLiteral("waiters")] = toJson(lock.beside->waiters);
    if (!lock.beside->fencingToken.isEmpty())
        insertBytes(object, QStringLiteral("fencing_token"), lock.beside->fencingToken);
    if (lock.quorum)
        object[QStringLiteral("quorum")] =
            toJson(*lock.quorum, lock.ttl.value_or(milliseconds(0)), now, servers);
    if (const auto ttl = ttlAt(lock, now)) {
        object[QStringLiteral("ttl_ms")] = qint64(ttl->count());
        object[QStringLiteral("deadline_ms")] = saturatedSum(wallMs, ttl->count());
    } else if (lock.leaseOf != LeaseOf::Unknown) {
        object[QStringLiteral("ttl_ms")] = QJsonValue::Null;
        object[QStringLiteral("deadline_ms")] = QJsonValue::Null;
    }
    return object;
}

QJsonObject toJson(const Outside &outside)
{
    QJsonArray patterns;
    for (const OutsidePattern &each : outside.patterns) {
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
    const QString message = report.outcome == Outcome::Unknown ? describe(report) : lossless(report.message);
    if (!message.isEmpty())
        object[QStringLiteral("message")] = message;
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
    }
    if (event.owners.size() > 1)
        object[QStringLiteral("owners")] = ownersOf(event.owners);
    if (event.others > 0)
        object[QStringLiteral("others")] = event.others;
    if (event.ttl)
        object[QStringLiteral("ttl_ms")] = qint64(event.ttl->count());
    if (event.kind ==
        EventKind::Forced) // another's end by force looks like any other end, and is told as that
        object[QStringLiteral("by")] = QStringLiteral("this-user");
    return object;
}

QByteArray jsonLine(const QJsonObject &object)
{
    return escapedJson(QJsonDocument(object).toJson(QJsonDocument::Compact)) + '\n';
}

} // namespace lockscope
