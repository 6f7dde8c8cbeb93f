// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/statisticsexport.h"

#include "core/base/csv.h"
#include "core/base/printable.h"
#include "core/family/registry.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QVariant>

#include <array>

namespace lockscope {

namespace {

struct StatisticsWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::StatisticsExport)
};

struct StatisticsField
{
    const char *name;
    QVariant (*value)(const LockStatistics &lock); ///< invalid: unknown
};

template <milliseconds LengthFigures::*Figure>
QVariant ofHolds(const LockStatistics &lock)
{
    return lock.holds.count > 0 ? QVariant(qint64((lock.holds.*Figure).count())) : QVariant();
}

template <milliseconds LengthFigures::*Figure>
QVariant ofWaits(const LockStatistics &lock)
{
    return lock.waits.count > 0 ? QVariant(qint64((lock.waits.*Figure).count())) : QVariant();
}

/// Times in ms. Names are read by programs: never translated, never changed.
constexpr std::array statisticsFields{
    StatisticsField{
        "family",
        [](const LockStatistics &lock) { return QVariant(QString::fromLatin1(familyName(lock.family))); }},
    StatisticsField{"observed_ms",
                    [](const LockStatistics &lock) { return QVariant(qint64(lock.observed.count())); }},
    StatisticsField{"unseen_ms",
                    [](const LockStatistics &lock) { return QVariant(qint64(lock.unseen.count())); }},
    StatisticsField{"counted_ms",
                    [](const LockStatistics &lock) { return QVariant(qint64(lock.counted.count())); }},
    StatisticsField{"acquisitions", [](const LockStatistics &lock) { return QVariant(lock.acquisitions); }},
    StatisticsField{"acquisitions_at_least",
                    [](const LockStatistics &lock) { return QVariant(lock.mayBeMore); }},
    StatisticsField{
        "contended_at_least",
        [](const LockStatistics &lock) { return lock.tellsWaiters ? QVariant(lock.contended) : QVariant(); }},
    StatisticsField{"reentries", [](const LockStatistics &lock) { return QVariant(lock.reentries); }},
    StatisticsField{"holds", [](const LockStatistics &lock) { return QVariant(lock.holds.count); }},
    StatisticsField{"holds_unsure", [](const LockStatistics &lock) { return QVariant(lock.holds.unsure); }},
    StatisticsField{"hold_p50_ms", ofHolds<&LengthFigures::p50>},
    StatisticsField{"hold_p95_ms", ofHolds<&LengthFigures::p95>},
    StatisticsField{"hold_max_ms", ofHolds<&LengthFigures::longest>},
    StatisticsField{
        "hold_seen_ms",
        [](const LockStatistics &lock) { return QVariant(qint64(lock.holds.longestSeen.count())); }},
    StatisticsField{"waits",
                    [](const LockStatistics &lock) {
                        return lock.tellsWaiters ? QVariant(lock.waits.count) : QVariant();
                    }},
    StatisticsField{"waits_unsure",
                    [](const LockStatistics &lock) {
                        return lock.tellsWaiters ? QVariant(lock.waits.unsure) : QVariant();
                    }},
    StatisticsField{"wait_p50_ms", ofWaits<&LengthFigures::p50>},
    StatisticsField{"wait_p95_ms", ofWaits<&LengthFigures::p95>},
    StatisticsField{"wait_max_ms", ofWaits<&LengthFigures::longest>},
    StatisticsField{"waited_at_least_ms",
                    [](const LockStatistics &lock) {
                        return lock.tellsWaiters ? QVariant(qint64(lock.waited.count())) : QVariant();
                    }},
};

QByteArray compactObject(const QJsonObject &object)
{
    return escapedJson(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QByteArray jsonOf(const LockStatistics &lock)
{
    QJsonObject object;
    insertBytes(object, QStringLiteral("key"), lock.key.bytes);
    for (const StatisticsField &field : statisticsFields)
        object.insert(QLatin1String(field.name), QJsonValue::fromVariant(field.value(lock)));
    return compactObject(object);
}

QByteArray recordOf(const StatisticsExport &data, const LockStatistics &lock)
{
    QStringList cells{printable(lock.key.bytes, lock.key.bytes.size())};
    for (const StatisticsField &field : statisticsFields)
        cells << field.value(lock).toString();
    return csv::record(cells + recordedCells(data.server, data.shownMs));
}

QByteArray csvHead(const StatisticsExport &data)
{
    QStringList names{QStringLiteral("key")};
    for (const StatisticsField &field : statisticsFields)
        names << QLatin1String(field.name);
    return csv::byteOrderMark + csv::record(names + recordedNames(data.shownMs));
}

QByteArray documentHead(const StatisticsExport &data)
{
    QJsonObject head{
        {QStringLiteral("server_label"), data.server}, {QStringLiteral("exported_at"), data.wallMs},
        {QStringLiteral("from"), data.fromMs},         {QStringLiteral("to"), data.toMs},
        {QStringLiteral("filter"), data.filter},       {QStringLiteral("count"), qint64(data.rows.size())}};
    if (data.shownMs)
        head[QStringLiteral("recorded_at")] = *data.shownMs;
    QByteArray text = compactObject(head);
    text.chop(1);
    return text;
}

} // namespace

void writeExport(const StatisticsExport &data, ExportFormat format, const ExportSink &write)
{
    const bool isJson = format == ExportFormat::Json;
    writeElements(
        format, isJson ? documentHead(data) : csvHead(data), "locks", std::ssize(data.rows),
        [&](qsizetype at) {
            const LockStatistics &lock = data.rows[size_t(at)];
            return isJson ? jsonOf(lock) : recordOf(data, lock);
        },
        write);
}

FileExport fileExport(const StatisticsExport &data)
{
    const auto locks = static_cast<int>(data.rows.size());
    return {StatisticsWords::tr("Export the statistics of %n lock(s)", nullptr, locks),
            suggestedName(QStringLiteral("statistics"), data.server, data.shownMs.value_or(data.wallMs)),
            StatisticsWords::tr("Statistics of %1 lock(s) written to %2", nullptr, locks)
                .arg(QLocale().toString(locks), QStringLiteral("%1")),
            [data](ExportFormat format, const ExportSink &write) { writeExport(data, format, write); }};
}

} // namespace lockscope
