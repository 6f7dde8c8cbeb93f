// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/act/auditrecord.h"

#include "core/act/actionnames.h"
#include "core/base/printable.h"
#include "core/family/family.h"

#include <QJsonArray>

namespace lockscope {

namespace {

constexpr qsizetype longestText = 1024;

QString asRecorded(const Error &why)
{
    return lossless(why.text().left(longestText));
}

QJsonArray holdersJson(const QList<LockOwner> &owners)
{
    QJsonArray array;
    for (const LockOwner &holder : owners) {
        QJsonObject object;
        insertBytes(object, QStringLiteral("owner"), holder.owner.bytes);
        if (holder.holdCount)
            object[QStringLiteral("holds")] = *holder.holdCount;
        else if (!holder.rawHoldCount.isEmpty())
            insertBytes(object, QStringLiteral("count"), holder.rawHoldCount);
        if (holder.mode != HoldMode::Exclusive)
            object[QStringLiteral("mode")] =
                holder.mode == HoldMode::Read ? QStringLiteral("read") : QStringLiteral("write");
        array.append(object);
    }
    return array;
}

QJsonObject lockJson(const Lock &lock)
{
    QJsonObject object{{QStringLiteral("family"), QString::fromLatin1(familyName(lock.family))},
                       {QStringLiteral("owners"), holdersJson(lock.owners)}};
    if (lock.ttl)
        object[QStringLiteral("ttl_ms")] = qint64(lock.ttl->count());
    return object;
}

QJsonObject foundJson(const Found &found)
{
    QJsonObject object = found.lock ? lockJson(*found.lock) : QJsonObject();
    object[QStringLiteral("state")] = QString::fromLatin1(foundName(found.state));
    if (found.looksLikeNoLock)
        object[QStringLiteral("looks_like_lock")] = false;
    if (!found.attachedTo.isEmpty())
        insertBytes(object, QStringLiteral("attached_to"), found.attachedTo.bytes);
    if (found.why && found.why->hasReason())
        object[QStringLiteral("why")] = asRecorded(*found.why);
    return object;
}

} // namespace

QJsonObject sentRecord(const ActionRequest &request, const Connection &connection)
{
    QJsonObject object{{QStringLiteral("action"), QString::fromLatin1(actionName(request.action))},
                       {QStringLiteral("server"), connection.address().toDisplayString()},
                       {QStringLiteral("run_id"), QString::fromUtf8(connection.server().runId)},
                       {QStringLiteral("db"), connection.address().database},
                       {QStringLiteral("family"), QString::fromLatin1(familyName(request.family))}};
    insertBytes(object, QStringLiteral("key"), request.key.bytes);
    if (request.action == Action::ForceExpire)
        object[QStringLiteral("expected")] = holdersJson(request.expected);
    else
        insertBytes(object, QStringLiteral("owner"), request.owner.bytes);
    if (request.lease)
        object[QStringLiteral("lease_ms")] = qint64(request.lease->value().count());
    if (request.grace)
        object[QStringLiteral("grace_ms")] = qint64(request.grace->count());
    if (request.allLevels)
        object[QStringLiteral("all_levels")] = true;
    if (request.onlyExpected)
        object[QStringLiteral("only_expected")] = true;
    if (request.seen)
        object[QStringLiteral("seen")] = lockJson(*request.seen);
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
        object[QStringLiteral("found")] = foundJson(*report->found);
    return object;
}

} // namespace lockscope
