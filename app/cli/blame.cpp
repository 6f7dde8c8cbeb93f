// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/blame.h"

#include "app/cli/console.h"
#include "app/cli/eventlines.h"
#include "app/cli/json.h"
#include "app/cli/table.h"
#include "app/words.h"
#include "core/base/glob.h"
#include "core/base/printable.h"
#include "core/history/blame.h"
#include "core/recording/recordedhistory.h"
#include "core/recording/recording.h"
#include "core/words/blamemessages.h"
#include "core/words/durations.h"

#include <algorithm>
#include <ranges>

namespace lockscope {

namespace {

constexpr size_t mostRows = 20; ///< of a table; JSON has all

constexpr EnumNames kindName{Named<Blocker::Kind>{Blocker::Kind::Owner, "owner"},
                             Named<Blocker::Kind>{Blocker::Kind::Several, "several"},
                             Named<Blocker::Kind>{Blocker::Kind::Nobody, "nobody"},
                             Named<Blocker::Kind>{Blocker::Kind::DeadWaiter, "dead-waiter"},
                             Named<Blocker::Kind>{Blocker::Kind::Cycle, "deadlock"}};

class BlamePrinter
{
public:
    BlamePrinter(const Options &options, const LockHistory &history, Blame blame)
        : m_options(options), m_history(history), m_blame(std::move(blame))
    {
        if (!options.patterns.isEmpty())
            m_blame.keep([&](const LockKey &key) { return globMatchesAny(options.patterns, key.bytes); });
    }

    QByteArray json(qint64 fromMs, qint64 toMs) const
    {
        QJsonArray ranking, episodes;
        for (const BlameRow &row : m_blame.rankedBy(m_options.recording.blameBy))
            ranking.append(toJson(row));
        for (const WaitEpisode &episode : m_blame.episodes)
            episodes.append(toJson(episode));
        return jsonLine(
            {{QStringLiteral("from"), fromMs},
             {QStringLiteral("until"), toMs},
             {QStringLiteral("waited_ms"), qint64(m_blame.waited.count())},
             {QStringLiteral("at_least"), m_blame.isLowerBound()},
             {QStringLiteral("silent_locks"), m_blame.silent.size()},
             {QStringLiteral("by"), QString::fromLatin1(blameByName(m_options.recording.blameBy))},
             {QStringLiteral("ranking"), ranking},
             {QStringLiteral("episodes"), episodes}});
    }

    QString text(qint64 fromMs, qint64 toMs) const
    {
        QString text = summaryOf(m_blame, timeText(fromMs), timeText(toMs)).join(u'\n') + u'\n';
        if (m_blame.episodes.empty())
            return text;
        return text + u'\n' + ranking() + u'\n' + episodes();
    }

private:
    QString ranking() const
    {
        const BlameBy by = m_options.recording.blameBy;
        Table table({Words::tr("WAITED", "column of a table"), Words::tr("EPISODES", "column of a table"),
                     by == BlameBy::Lock ? Words::tr("LOCK", "column of a table")
                                         : Words::tr("BLOCKED BY", "column of a table")});
        const std::vector<BlameRow> rows = m_blame.rankedBy(by);
        for (const BlameRow &row : rows | std::views::take(mostRows))
            table.add({waitedText(row.waited, row.isAtLeast), grouped(row.episodes), describe(row, by)});
        return table.text(console::hasColor()) + restOf(rows.size());
    }

    QString episodes() const
    {
        Table table({Words::tr("WAITED", "column of a table"), Words::tr("FROM", "column of a table, a time"),
                     Words::tr("FOR", "column of a table"), Words::tr("WAITERS", "column of a table"),
                     Words::tr("LOCK", "column of a table"), Words::tr("BLOCKED BY", "column of a table")});
        for (const WaitEpisode &each : m_blame.episodes | std::views::take(mostRows))
            table.add({waitedText(each.waited, each.isAtLeast || each.isCut),
                       timeText(m_history.clock().wallAt(each.fromMs), Dates::No),
                       describe(milliseconds(each.toMs - each.fromMs)), grouped(each.mostWaiters),
                       printable(each.lock.bytes, 60), rootText(each)});
        return table.text(console::hasColor()) + restOf(m_blame.episodes.size());
    }

    static QString restOf(size_t rows)
    {
        return rows <= mostRows
                   ? QString()
                   : Words::tr("and %n more (--json prints all)", nullptr, plural(qint64(rows - mostRows))) +
                         u'\n';
    }

    static QJsonObject toJson(const Blocker &blocker)
    {
        QJsonObject object{{QStringLiteral("kind"), QString::fromLatin1(kindName(blocker.kind))}};
        insertBytes(object, QStringLiteral("lock"), blocker.lock.bytes);
        if (!blocker.owner.isEmpty())
            insertBytes(object, QStringLiteral("owner"), blocker.owner.bytes);
        return object;
    }

    QJsonObject toJson(const WaitEpisode &episode) const
    {
        QJsonArray chain;
        for (const Blocker &blocker : episode.chain)
            chain.append(toJson(blocker));
        QJsonObject object{{QStringLiteral("from"), m_history.clock().wallAt(episode.fromMs)},
                           {QStringLiteral("until"), m_history.clock().wallAt(episode.toMs)},
                           {QStringLiteral("waited_ms"), qint64(episode.waited.count())},
                           {QStringLiteral("root_waited_ms"), qint64(episode.byRoot.count())},
                           {QStringLiteral("at_least"), episode.isAtLeast},
                           {QStringLiteral("cut"), episode.isCut},
                           {QStringLiteral("most_waiters"), episode.mostWaiters},
                           {QStringLiteral("chain"), chain}};
        insertBytes(object, QStringLiteral("lock"), episode.lock.bytes);
        return object;
    }

    QJsonObject toJson(const BlameRow &row) const
    {
        QJsonObject object{{QStringLiteral("waited_ms"), qint64(row.waited.count())},
                           {QStringLiteral("episodes"), row.episodes},
                           {QStringLiteral("at_least"), row.isAtLeast}};
        if (m_options.recording.blameBy == BlameBy::Lock) {
            insertBytes(object, QStringLiteral("lock"), row.lock.bytes);
            return object;
        }
        object[QStringLiteral("kind")] = QString::fromLatin1(kindName(row.kind));
        if (!row.blocker.bytes.isEmpty())
            insertBytes(object, QStringLiteral("blocker"), row.blocker.bytes);
        if (!row.waiter.bytes.isEmpty())
            insertBytes(object, QStringLiteral("waiter"), row.waiter.bytes);
        return object;
    }

    const Options &m_options;
    const LockHistory &m_history;
    Blame m_blame;
};

} // namespace

ExitStatus printBlame(const Options &options, const Recording &recording, milliseconds from, milliseconds to)
{
    const LockHistory history = historyOf(recording, from, to);
    const qint64 fromMs = recording.wallAt(from), toMs = recording.wallAt(to);
    const BlamePrinter printer(options, history, blameIn(history, fromMs, history.clock().now(toMs)));
    return deliver(options.json ? printer.json(fromMs, toMs) : printer.text(fromMs, toMs).toUtf8(),
                   ExitStatus::Done);
}

} // namespace lockscope
