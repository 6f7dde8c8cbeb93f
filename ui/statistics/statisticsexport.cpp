// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/statisticsexport.h"

#include "core/family/registry.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>

namespace lockscope {

namespace {

struct StatisticsWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::StatisticsExport)
};

using Of = const LockStatistics &;

QVariant unless(bool isUnknown, qint64 value)
{
    return isUnknown ? QVariant::fromValue(nullptr) : QVariant(value);
}

template <milliseconds LengthFigures::*Figure>
QVariant ofHolds(Of lock)
{
    return unless(lock.holds.count == 0, (lock.holds.*Figure).count());
}

template <milliseconds LengthFigures::*Figure>
QVariant ofWaits(Of lock)
{
    return unless(lock.waits.count == 0, (lock.waits.*Figure).count());
}

/// Durations are in ms.
constexpr auto statisticsFields = std::to_array<ExportField<LockStatistics>>({
    {"key", [](Of lock) -> QVariant { return lock.key.bytes; }},
    {"family", [](Of lock) -> QVariant { return QString::fromLatin1(familyName(lock.family)); }},
    {"observed_ms", [](Of lock) -> QVariant { return qint64(lock.observed.count()); }},
    {"unseen_ms", [](Of lock) -> QVariant { return qint64(lock.unseen.count()); }},
    {"counted_ms", [](Of lock) -> QVariant { return qint64(lock.counted.count()); }},
    {"acquisitions", [](Of lock) -> QVariant { return lock.acquisitions; }},
    {"acquisitions_at_least", [](Of) -> QVariant { return true; }},
    {"contended_at_least", [](Of lock) { return unless(!lock.tellsWaiters, lock.contended); }},
    {"reentries", [](Of lock) -> QVariant { return lock.reentries; }},
    {"holds", [](Of lock) -> QVariant { return lock.holds.count; }},
    {"holds_unsure", [](Of lock) -> QVariant { return lock.holds.unsure; }},
    {"hold_p50_ms", ofHolds<&LengthFigures::p50>},
    {"hold_p95_ms", ofHolds<&LengthFigures::p95>},
    {"hold_max_ms", ofHolds<&LengthFigures::longest>},
    {"hold_seen_ms", [](Of lock) -> QVariant { return qint64(lock.holds.longestSeen.count()); }},
    {"waits", [](Of lock) { return unless(!lock.tellsWaiters, lock.waits.count); }},
    {"waits_unsure", [](Of lock) { return unless(!lock.tellsWaiters, lock.waits.unsure); }},
    {"wait_p50_ms", ofWaits<&LengthFigures::p50>},
    {"wait_p95_ms", ofWaits<&LengthFigures::p95>},
    {"wait_max_ms", ofWaits<&LengthFigures::longest>},
    {"waited_at_least_ms", [](Of lock) { return unless(!lock.tellsWaiters, lock.waited.count()); }},
});

} // namespace

void writeExport(const StatisticsExport &data, ExportFormat format, const ExportSink &write)
{
    const auto element = [&](qsizetype at) -> ExportElements::Element {
        return {valuesOf(statisticsFields, data.rows[size_t(at)], format), {}};
    };
    writeElements(data, {{QStringLiteral("from"), data.fromMs}, {QStringLiteral("to"), data.toMs}},
                  {"locks", namesOf(statisticsFields), std::ssize(data.rows), element}, format, write);
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
