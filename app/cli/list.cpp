// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/locktable.h"
#include "app/cli/resultwriter.h"
#include "app/cli/sweep.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/read/channellocks.h"
#include "core/redis/whendone.h"
#include "core/state/lockstate.h"
#include "core/words/messages.h"
#include "core/words/quorummessages.h"

#include <QDateTime>
#include <QJsonArray>

#include <algorithm>
#include <vector>

namespace lockscope {

namespace {

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
    const QString listed = listedPatterns(patterns);
    return Words::tr("Patterns: %1. Find others with --pattern or search.")
        .arg(KeyNameFilter(patterns).discovers()
                 ? Words::tr("%1, lock-like names, and known families' names").arg(listed)
                 : listed);
}

class ListCommand : public SweepCommand
{
public:
    explicit ListCommand(Options options) : SweepCommand(std::move(options)) {}

private:
    void print(const ScanStats &stats) override
    {
        // A refusal would stand in the server's log each time: a user with a name may have no such right. In a cluster
        // each node would have to be asked.
        const bool isAsked = !incomplete() && options().server.user.isEmpty() && options().filter.isEmpty() &&
                             KeyNameFilter(patterns()).discovers() && !deployment().isGroup() &&
                             !watched().cluster().hasSeveral();
        if (!isAsked)
            return printAll(stats);
        whenDone(listener(), link().send({"CLIENT", "LIST", "TYPE", "pubsub"}),
                 [this, stats](const Result<Reply> &clients) {
                     confirm(channelLocksIn(clients ? clients->text : QByteArray()), stats);
                 });
    }

    /// A client may have such a name and subscribe to another channel.
    void confirm(const QList<ChannelLock> &locks, const ScanStats &stats)
    {
        if (locks.isEmpty())
            return printAll(stats);
        std::vector<QByteArrayView> command{"PUBSUB", "NUMSUB"};
        for (const ChannelLock &lock : locks)
            command.emplace_back(lock.channel);
        whenDone(listener(), link().send(command), [this, locks, stats](const Result<Reply> &told) {
            for (size_t i = 0; told && 2 * i + 1 < told->elements.size(); ++i) {
                if (told->elements[2 * i + 1].integer > 0)
                    m_channelLocks.append(locks.value(static_cast<qsizetype>(i)));
            }
            printAll(stats);
        });
    }

    void printAll(const ScanStats &stats)
    {
        const bool isUnknown =
            (incomplete() || stats.hasGaps()) && locks().isEmpty(); // that there are none is not known
        warnOfGaps(stats);
        ResultWriter out;
        if (options().json)
            writeJson(out, stats);
        else if (!isUnknown)
            writeText(out, stats);
        if (!incomplete())
            return finish(out.end(isWhole(stats) ? ExitStatus::Done : ExitStatus::Unavailable));
        const ExitStatus status = out.end(exitStatusOf(incomplete()->kind));
        console::printError(describe(*incomplete(), serverName()));
        finish(status);
    }

    void writeJson(ResultWriter &out, const ScanStats &stats) const
    {
        QJsonObject list{
            {QStringLiteral("server"), serverJson()},         {QStringLiteral("sweep"), toJson(stats)},
            {QStringLiteral("unreadable"), stats.unreadable}, {QStringLiteral("hidden"), hidden()},
            {QStringLiteral("possible"), possible()},         {QStringLiteral("locks"), QJsonArray()}};
        QJsonArray channels;
        for (const ChannelLock &lock : m_channelLocks) {
            QJsonObject object{{QStringLiteral("held_at_most_ms"), qint64(lock.connected.count())}};
            insertBytes(object, QStringLiteral("channel"), lock.channel);
            insertBytes(object, QStringLiteral("holder"), lock.holder);
            channels.append(object);
        }
        if (!channels.isEmpty())
            list[QStringLiteral("channel_locks")] = channels;
        if (stats.outside)
            list[QStringLiteral("outside")] = toJson(*stats.outside);
        if (stats.eviction)
            list[QStringLiteral("eviction")] = toJson(*stats.eviction);
        if (omitted() > 0)
            list[QStringLiteral("omitted")] = omitted();
        if (!isWhole(stats))
            list[QStringLiteral("complete")] = false;
        const QByteArray document = jsonLine(list);
        const QByteArray opening = "\"locks\":[";
        const qsizetype within =
            document.indexOf(opening + ']') + opening.size(); // in a string it would be escaped
        out.add(document.first(within));
        const TimePoint now = Clock::now();
        const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
        bool isFirst = true;
        eachListed(out, [&](const Lock &lock) {
            out.add(std::exchange(isFirst, false) ? QByteArray() : QByteArray(","));
            out.add(lockText(lock, now, wallMs));
        });
        out.add(document.sliced(within));
    }

    /// Asked for nothing else, possible locks are told as a number. JSON has all of them.
    bool isFolding() const { return !options().json && !options().all && options().filter.isEmpty(); }
    bool isFolded(const Lock &lock) const { return isFolding() && isPossible(lock); }

    /// How many locks --limit leaves out.
    qint64 omitted() const
    {
        const qint64 listed = locks().size() - (isFolding() ? possible() : 0);
        return std::max<qint64>(0, listed - options().limit.value_or(listed));
    }

    /// Calls `take` with each lock that is to be listed, until nobody reads `out` any more.
    template <typename Take>
    void eachListed(const ResultWriter &out, const Take &take) const
    {
        qint64 left = options().limit.value_or(locks().size());
        for (const Lock &lock : locks()) {
            if (left == 0 || out.isStopped())
                return;
            if (isFolded(lock))
                continue;
            take(lock);
            --left;
        }
    }

    /// In two passes: for the widths of the columns, and for the rows.
    void writeTable(ResultWriter &out) const
    {
        const TimePoint now = Clock::now();
        const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
        const bool hasColor = console::hasColor();
        Table table = emptyLockTable(deployment().isGroup(), haveWaiters());
        const auto eachRow = [&](const auto &take) {
            eachListed(out, [&](const Lock &lock) {
                take(lockRow(readOnce(lock, now, wallMs), now, haveWaiters()), bool(lock.problems));
            });
        };
        bool isEmpty = true;
        eachRow([&](const QStringList &row, bool) {
            isEmpty = false;
            table.measure(row);
        });
        if (isEmpty)
            return;
        fitToTerminal(table);
        out.add(table.headingLine(hasColor).toUtf8());
        eachRow([&](const QStringList &row, bool hasProblem) {
            out.add(table.line(row, hasProblem, hasColor).toUtf8());
        });
    }

    void writeText(ResultWriter &out, const ScanStats &stats) const
    {
        const QString keys = stats.areKeysKnown()
                                 ? keysInWords(stats.keysScanned)
                                 : Words::tr("an unknown number of keys", "Scanned %1 in %2.");
        const QString scanned =
            Words::tr("Scanned %1 in %2.")
                .arg(keys, describe(std::chrono::duration_cast<milliseconds>(stats.wallTime)));
        QStringList lines;
        if (!locks().isEmpty() || !m_channelLocks.isEmpty()) {
            writeTable(out);
            for (const ChannelLock &lock : m_channelLocks)
                out.add(Words::tr(
                            "Lock without a key (portalocker): channel %1, held by client %2 for at most %3.")
                            .arg(printable(lock.channel, 60), printable(lock.holder, 60),
                                 describe(lock.connected))
                            .toUtf8() +
                        '\n');
            const qint64 others = possible() + (options().all ? hidden() : 0) - m_channelLocks.size();
            lines << Words::tr("%1 (%2 with problems). %3")
                         .arg(locksInWords(locks().size() - others), grouped(problematic()), scanned);
            if (omitted() > 0)
                lines.last() += u' ' + Words::tr("Omitted by --limit: %1.").arg(grouped(omitted()));
            if (stats.unreadable > 0)
                lines.last() += u' ' + Words::tr("Unreadable keys: %1.").arg(grouped(stats.unreadable));
        } else if (filteredOut() > 0) {
            lines << Words::tr("No locks at %1 match the filter (other locks: %2). %3")
                         .arg(serverName(), grouped(filteredOut()), scanned);
        } else if (stats.unreadable > 0) {
            lines << Words::tr("No locks could be read at %1. Unreadable keys: %2. %3")
                         .arg(serverName(), grouped(stats.unreadable), scanned);
        } else if (unreadCompanions() > 0) {
            lines << Words::tr("No locks known at %1. Unreadable companion keys: %2. %3")
                         .arg(serverName(), keysInWords(unreadCompanions()), scanned);
        } else {
            lines << Words::tr("No locks at %1. %2").arg(serverName(), scanned)
                  << patternsInWords(patterns());
        }
        if (possible() > 0)
            lines << Words::tr("Possible locks: %1.").arg(grouped(possible())) +
                         (isFolding()
                              ? u' ' +
                                    Words::tr("Show with %1.").arg(QStringLiteral("--filter=state:possible"))
                              : QString());
        if (hidden() > 0)
            lines << Words::tr("Probably no locks: %1.").arg(keysInWords(hidden())) +
                         (options().all ? QString()
                                        : u' ' + Words::tr("Show with %1.").arg(QStringLiteral("--all")));
        if (stats.outside && stats.outside->names > 0)
            lines << outsideInWords(*stats.outside);
        out.addSummary(lines.join(u'\n') + u'\n');
    }

    QList<ChannelLock> m_channelLocks;
};

} // namespace

std::unique_ptr<Command> listCommand(const Options &options)
{
    return std::make_unique<ListCommand>(options);
}

} // namespace lockscope
