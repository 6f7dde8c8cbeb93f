// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/auditrecord.h"

#include "core/act/actionnames.h"
#include "core/act/lockjson.h"
#include "core/base/printable.h"
#include "core/family/registry.h"

#include <QJsonArray>

namespace lockscope {

namespace {

constexpr qsizetype longestText = 1024;

QString asRecorded(const Error &why)
{
    return lossless(why.text().left(longestText));
}

QJsonArray ownersJson(const QList<LockOwner> &owners)
{
    QJsonArray array;
    for (const LockOwner &owner : owners) {
        QJsonObject object = ownerJson(owner, QStringLiteral("owner"));
        if (!owner.holdCount && !owner.rawHoldCount.isEmpty())
            insertBytes(object, QStringLiteral("count"), owner.rawHoldCount);
        array.append(object);
    }
    return array;
}

void insertLock(QJsonObject &object, const Lock &lock)
{
    object[QStringLiteral("family")] = QString::fromLatin1(familyName(lock.family));
    object[QStringLiteral("owners")] = ownersJson(lock.owners);
    if (lock.ttl)
        object[QStringLiteral("ttl_ms")] = qint64(lock.ttl->count());
}

/// The state found, with the recorded parts of the lock, or why it could not be read.
QJsonObject foundRecord(const Found &found)
{
    QJsonObject object = foundJson(found);
    if (found.lock)
        insertLock(object, *found.lock);
    if (found.why && found.why->hasReason())
        object[QStringLiteral("why")] = asRecorded(*found.why);
    return object;
}

QJsonObject begunRecord(const QByteArray &action, Family family, const LockKey &key, const Link &connection)
{
    QJsonObject object{{QStringLiteral("action"), QString::fromLatin1(action)},
                       {QStringLiteral("server"), connection.address().toDisplayString()},
                       {QStringLiteral("run_id"), QString::fromUtf8(connection.server().runId)},
                       {QStringLiteral("db"), connection.address().database},
                       {QStringLiteral("family"), QString::fromLatin1(familyName(family))}};
    insertBytes(object, QStringLiteral("key"), key.bytes);
    return object;
}

} // namespace

QJsonObject sentRecord(const ActionRequest &request, const Link &connection)
{
    QJsonObject object = begunRecord(actionName(request.action), request.family, request.key, connection);
    if (request.action == Action::ForceExpire)
        object[QStringLiteral("expected")] = ownersJson(request.expected);
    else if (!request.owner.isEmpty())
        insertBytes(object, QStringLiteral("owner"), request.owner.bytes);
    if (request.lease)
        object[QStringLiteral("lease_ms")] = qint64(request.lease->value().count());
    if (request.grace)
        object[QStringLiteral("grace_ms")] = qint64(request.grace->count());
    if (request.allLevels)
        object[QStringLiteral("all_levels")] = true;
    if (request.onlyExpected)
        object[QStringLiteral("only_expected")] = true;
    if (request.orphanSince && request.seen) {
        QJsonArray gone;
        for (const GoneHolder &holder : request.seen->companions->heartbeat.gone) {
            QJsonObject each;
            insertBytes(each, QStringLiteral("holder"), holder.owner.bytes);
            if (holder.untilMs)
                each[QStringLiteral("heartbeat_ended")] = *holder.untilMs;
            gone.append(each);
        }
        object[QStringLiteral("gone")] = gone;
    }
    if (request.seen) {
        QJsonObject seen;
        insertLock(seen, *request.seen);
        QJsonArray fields;
        if (request.action == Action::ForceExpire && !request.seen->owners.isEmpty()) {
            for (const auto &[field, value] : request.seen->owners.front().recorded->allFields)
                fields.append(QJsonArray{lossless(field), lossless(value.left(longestText))});
        }
        if (!fields.isEmpty())
            seen[QStringLiteral("fields")] = fields;
        object[QStringLiteral("seen")] = seen;
    }
    return object;
}

QJsonObject completedRecord(const Result<ActionResult> &report)
{
    if (!report)
        return {{QStringLiteral("outcome"), QStringLiteral("refused")},
                {QStringLiteral("error"), asRecorded(report.error())}};
    QJsonObject object{{QStringLiteral("outcome"), QString::fromLatin1(outcomeName(report->outcome))}};
    if (report->holdCount)
        object[QStringLiteral("holds")] = *report->holdCount;
    if (report->ttl)
        object[QStringLiteral("ttl_ms")] = qint64(report->ttl->count());
    if (!report->message.isEmpty())
        object[QStringLiteral("message")] = lossless(report->message.left(longestText));
    else if (report->cause.note.source())
        object[QStringLiteral("message")] = report->cause.note.inEnglish();
    if (report->found)
        object[QStringLiteral("found")] = foundRecord(*report->found);
    return object;
}

QJsonObject sentRecord(const ProbeRequest &request, const Link &connection)
{
    QJsonObject object = begunRecord("probe", request.family, request.lock.key, connection);
    insertBytes(object, QStringLiteral("owner"), request.owner.bytes);
    object[QStringLiteral("command")] = request.command();
    return object;
}

QJsonObject completedRecord(const ProbeAnswer &answer)
{
    QJsonObject object{{QStringLiteral("outcome"), QString::fromLatin1(probeEndName(answer.end))}};
    if (answer.end == ProbeEnd::Exited)
        object[QStringLiteral("exit_status")] = answer.exitStatus;
    if (!answer.line.isEmpty())
        object[QStringLiteral("message")] = lossless(answer.line);
    return object;
}

} // namespace lockscope
