// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/list.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>

namespace lockscope {

namespace {

QString hiddenInWords(qint64 number)
{
    return Words::tr("Hidden: %1, probably no locks. Show with --all.").arg(keysInWords(number));
}

QString stateOf(const Lock &lock)
{
    if (isHidden(lock))
        return Words::tr("no lock", "state");
    if (lock.quorum && !lock.quorum->isHeld && !lock.owners.isEmpty() &&
        !lock.problems) // whether anybody holds it
        return Words::tr("unknown", "state");
    return lock.problems ? Words::tr("problem", "state") : Words::tr("held", "state");
}

QString listedPatterns(const QList<QByteArray> &patterns)
{
    QStringList names;
    for (const QByteArray &pattern : patterns)
        names.append(printable(pattern, 60));
    return names.join(u' ');
}

/// What was looked for, and what finds the rest.
QString patternsInWords(const QList<QByteArray> &patterns)
{
    return Words::tr("Patterns used: %1. To find locks under other names, use --pattern or the verb search.")
               .arg(listedPatterns(patterns)) +
           u'\n';
}

QString outsideInWords(const Outside &outside)
{
    constexpr qsizetype patternsTold = 5;
    if (outside.names == 0)
        return {};
    QList<QByteArray> patterns;
    for (const OutsidePattern &each : outside.patterns.first(std::min(patternsTold, outside.patterns.size())))
        patterns.append(each.pattern);
    return Words::tr("%1 more key(s) look like locks but match no pattern. Patterns for them: %2", nullptr,
                     plural(outside.names))
               .arg(grouped(outside.names), listedPatterns(patterns)) +
           u'\n';
}

QString ttlInWords(const Lock &lock, TimePoint now)
{
    if (const auto ttl = ttlAt(lock, now))
        return describe(*ttl);
    return lock.leaseOf == LeaseOf::Unknown ? Words::tr("unknown", "TTL") : Words::tr("none", "no TTL");
}

QStringList rowOf(const Lock &lock, TimePoint now)
{
    const LockOwner first = lock.owners.value(0);
    QString owner = printable(first.owner.bytes, 60);
    if (lock.owners.size() > 1)
        owner = Words::tr("%1 and %n more", nullptr, static_cast<int>(lock.owners.size() - 1)).arg(owner);
    const QString holds =
        first.holdCount ? QString::number(*first.holdCount) : printable(first.rawHoldCount, 20);
    QStringList problems;
    for (const Problem problem : problemList(lock.problems))
        problems.append(QString::fromLatin1(problemName(problem)));
    QStringList row{stateOf(lock),
                    QString::fromLatin1(familyName(lock.family)),
                    printable(lock.key().bytes),
                    owner,
                    holds,
                    ttlInWords(lock, now)};
    if (lock.quorum)
        row.append(quorumText(*lock.quorum));
    row.append(problems.join(u' '));
    return row;
}

} // namespace

void ListCommand::print(const ScanStats &stats)
{
    const bool isUnknown =
        (incomplete() || stats.nodesMissing > 0) && locks().isEmpty(); // that there are none is not known
    const QByteArray result = options().json ? json(stats)
                              : isUnknown    ? QByteArray()
                                             : humanText(stats).toUtf8();
    warnOfGaps(stats);
    if (incomplete())
        finish(*incomplete(), result);
    else
        finish(isWhole(stats) ? ExitStatus::Done : ExitStatus::Unavailable, result);
}

QByteArray ListCommand::json(const ScanStats &stats) const
{
    const TimePoint now = Clock::now();
    const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
    QJsonArray array;
    for (const Lock &lock : locks())
        array.append(lockJson(lock, now, wallMs, groupServers()));
    QJsonObject list{{QStringLiteral("server"), serverJson()},
                     {QStringLiteral("sweep"), toJson(stats)},
                     {QStringLiteral("unreadable"), stats.unreadable},
                     {QStringLiteral("hidden"), hidden()},
                     {QStringLiteral("locks"), array}};
    if (stats.outside)
        list[QStringLiteral("outside")] = toJson(*stats.outside);
    if (!isWhole(stats))
        list[QStringLiteral("complete")] = false;
    return jsonLine(list);
}

QString ListCommand::humanText(const ScanStats &stats) const
{
    const QString keys = stats.areKeysKnown() ? keysInWords(stats.keysScanned)
                                              : Words::tr("a keyspace of unknown size", "Scanned %2 in %3.");
    const QString time = describe(std::chrono::duration_cast<milliseconds>(stats.wallTime));
    const QString more = (hidden() == 0 || options().all ? QString() : hiddenInWords(hidden()) + u'\n') +
                         (stats.outside ? outsideInWords(*stats.outside) : QString());
    if (locks().isEmpty() && stats.unreadable > 0)
        return Words::tr("No locks could be read at %1. Unreadable keys: %2. %3 scanned in %4.")
                   .arg(serverName(), grouped(stats.unreadable), keys, time) +
               u'\n' + more;
    if (locks().isEmpty() && unreadBeside() > 0)
        return Words::tr("No locks known at %1: the companion keys of %2 cannot be read. Scanned %3 in %4.")
                   .arg(serverName(), keysInWords(unreadBeside()), keys, time) +
               u'\n' + more;
    if (locks().isEmpty())
        return Words::tr("No locks at %1. Scanned %2 in %3.").arg(serverName(), keys, time) + u'\n' +
               patternsInWords(patterns()) + more;
    QStringList heading{Words::tr("STATE", "column of a table"), Words::tr("FAMILY", "column of a table"),
                        Words::tr("KEY", "column of a table"),   Words::tr("OWNER", "column of a table"),
                        Words::tr("HOLDS", "column of a table"), Words::tr("TTL", "column of a table")};
    if (deployment().isGroup())
        heading.append(Words::tr("SERVERS", "column of a table"));
    heading.append(Words::tr("PROBLEMS", "column of a table"));
    Table table(heading);
    for (const Lock &lock : locks())
        table.add(rowOf(lock, Clock::now()), bool(lock.problems));
    const auto errorOccurred =
        std::ranges::count_if(locks(), [](const Lock &lock) { return bool(lock.problems); });
    return table.text(console::hasColor()) +
           Words::tr("%1 (%2 with problems). Scanned %3 in %4.")
               .arg(locksInWords(locks().size()), grouped(errorOccurred), keys, time) +
           (stats.unreadable > 0 ? u' ' + Words::tr("Unreadable keys: %1.").arg(grouped(stats.unreadable))
                                 : QString()) +
           u'\n' + more;
}

} // namespace lockscope
