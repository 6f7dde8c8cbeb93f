// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockexport.h"

#include "core/act/lockjson.h"
#include "core/base/csv.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/state/lockstate.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QLocale>

namespace lockscope {

namespace {

struct ExportWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::LockExport)
};

qint64 wallOf(const LockExport &data, TimePoint at)
{
    return data.wallMs - std::chrono::duration_cast<milliseconds>(data.madeAt - at).count();
}

QString nodeOf(const LockExport &data, const Lock &lock)
{
    const NodeStatus *node = data.cluster.isCluster() ? data.cluster.nodeOf(lock.key()) : nullptr;
    return node ? node->name : QString();
}

QStringList memberNames(const ClusterStatus &cluster)
{
    QStringList names;
    for (const NodeStatus &node : cluster.nodes)
        names.append(node.name);
    return names;
}

QByteArray compact(const QJsonObject &object)
{
    return escapedJson(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QJsonValue orNull(const std::optional<milliseconds> &time)
{
    return time ? QJsonValue(qint64(time->count())) : QJsonValue();
}

QJsonObject rowJson(const LockExport &data, const LockExport::Row &row, const QStringList &members)
{
    QJsonObject object =
        lockJson(row.lock, row.at, wallOf(data, row.at), members, nodeOf(data, row.lock.lock));
    for (const QString &name : {QStringLiteral("held_at_least_ms"), QStringLiteral("held_at_most_ms")}) {
        if (!object.contains(name))
            object[name] = QJsonValue();
    }
    // Of what is probably no lock, too.
    object[QStringLiteral("state")] = QString::fromLatin1(stateName(stateOf(row.lock, row.at)));
    return object;
}

/// The members besides the locks, without the brace that closes them.
QByteArray documentHead(const LockExport &data)
{
    QJsonObject head{
        {QStringLiteral("server_label"), data.server},     {QStringLiteral("exported_at"), data.wallMs},
        {QStringLiteral("data_age_ms"), orNull(data.age)}, {QStringLiteral("filter"), data.filter},
        {QStringLiteral("selection"), data.isSelection},   {QStringLiteral("count"), data.rows.size()}};
    if (data.shownMs)
        head[QStringLiteral("recorded_at")] = *data.shownMs;
    QByteArray text = compact(head);
    text.chop(1);
    return text;
}

QStringList csvHead()
{
    return {QStringLiteral("key"),
            QStringLiteral("state"),
            QStringLiteral("family"),
            QStringLiteral("certainty"),
            QStringLiteral("owner"),
            QStringLiteral("owners"),
            QStringLiteral("holds"),
            QStringLiteral("waiters"),
            QStringLiteral("waiters_certainty"),
            QStringLiteral("expires"),
            QStringLiteral("ttl_ms"),
            QStringLiteral("held_at_least_ms"),
            QStringLiteral("held_at_most_ms"),
            QStringLiteral("problems"),
            QStringLiteral("node"),
            QStringLiteral("db")};
}

QString exactText(const QByteArray &bytes)
{
    return printable(bytes, bytes.size());
}

QString number(const std::optional<milliseconds> &time)
{
    return time ? QString::number(time->count()) : QString();
}

QStringList csvCells(const LockExport &data, const LockExport::Row &row)
{
    const Lock &lock = row.lock.lock;
    const QList<LockOwner> owners = isHidden(lock) ? QList<LockOwner>() : lock.owners;
    const LockOwner first = owners.value(0);
    const auto ttl = ttlAt(lock, row.at);
    const bool isExpiryKnown =
        !row.lock.problems().testFlag(Problem::Unreadable) && (ttl || lock.leaseOf != LeaseOf::Unknown);
    const Waiters &waiters = lock.beside->waiters;
    const bool areWaitersKnown = waiters.certainty != WaiterCertainty::Unknown;
    const HeldTime held = heldTime(row.lock, row.at, wallOf(data, row.at));
    QByteArrayList problems;
    for (const Problem problem : problemList(row.lock.problems()))
        problems.append(problemName(problem));
    return {exactText(lock.key().bytes),
            QString::fromLatin1(stateName(stateOf(row.lock, row.at))),
            QString::fromLatin1(familyName(lock.family)),
            QString::fromLatin1(certaintyName(certaintyOf(row.lock))),
            exactText(first.owner.bytes),
            QString::number(owners.size()),
            first.holdCount ? QString::number(*first.holdCount) : exactText(first.rawHoldCount),
            areWaitersKnown ? QString::number(waiters.count) : QString(),
            !areWaitersKnown                              ? QString()
            : waiters.certainty == WaiterCertainty::Exact ? QStringLiteral("exact")
                                                          : QStringLiteral("at-least"),
            !isExpiryKnown ? QStringLiteral("unknown")
            : ttl          ? QStringLiteral("yes")
                           : QStringLiteral("no"),
            isExpiryKnown ? number(ttl) : QString(),
            number(held.atLeast),
            number(held.atMost),
            QString::fromLatin1(problems.join(' ')),
            nodeOf(data, lock),
            QString::number(lock.address.database)};
}

} // namespace

void writeExport(const LockExport &data, ExportFormat format, const ExportSink &write)
{
    const bool isJson = format == ExportFormat::Json;
    const QStringList recorded = recordedCells(data.server, data.shownMs);
    const QStringList members = data.cluster.isGroup ? memberNames(data.cluster) : QStringList();
    writeElements(
        format,
        isJson ? documentHead(data)
               : csv::byteOrderMark + csv::record(csvHead() + recordedNames(data.shownMs)),
        "locks", data.rows.size(),
        [&](qsizetype at) {
            return isJson ? compact(rowJson(data, data.rows[at], members))
                          : csv::record(csvCells(data, data.rows[at]) + recorded);
        },
        write);
}

FileExport fileExport(const LockExport &data)
{
    const auto locks = static_cast<int>(data.rows.size());
    return {ExportWords::tr("Export %n lock(s)", nullptr, locks),
            suggestedName(QStringLiteral("locks"), data.server, data.shownMs.value_or(data.wallMs)),
            ExportWords::tr("%1 lock(s) written to %2", nullptr, locks)
                .arg(QLocale().toString(locks), QStringLiteral("%1")),
            [data](ExportFormat format, const ExportSink &write) { writeExport(data, format, write); }};
}

} // namespace lockscope
