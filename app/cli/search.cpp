// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/verbs.h"

#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/keycommand.h"
#include "app/cli/resultwriter.h"
#include "app/cli/sweep.h"
#include "app/cli/table.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/monitor/contentsearch.h"
#include "core/monitor/patternadvice.h"
#include "core/monitor/scanguard.h"
#include "core/words/messages.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QMap>

#include <array>

namespace lockscope {

namespace {

constexpr qint64 silentMs = 1000; // a search that ends at once needs no progress

QString tableOf(const QList<Lock> &locks)
{
    Table table({Words::tr("FAMILY", "column of a table"), Words::tr("KEY", "column of a table"),
                 Words::tr("OWNER", "column of a table"), Texts::tr("TTL")});
    for (const Lock &lock : locks) {
        const auto ttl = ttlAt(lock, Clock::now());
        table.add({QString::fromLatin1(familyName(lock.family)), printable(lock.key().bytes),
                   lock.problems.testFlag(Problem::Orphaned)
                       ? Words::tr("none: orphaned queue")
                       : printable(lock.owners.value(0).owner.bytes, 60),
                   ttl ? describe(*ttl) : Texts::tr("none")});
    }
    table.fitToTerminal({{2, 9}, {0, 9}, {1, 20}});
    return table.text(console::hasColor());
}

bool isWhole(const SearchResult &end)
{
    return end.isComplete && end.progress.unreadable == 0 && end.unreadCompanions == 0;
}

class SearchCommand : public KeyCommand
{
public:
    explicit SearchCommand(Options options)
        : KeyCommand(std::move(options)),
          m_search(this->options().server, this->options().share.value_or(ContentSearch::defaultShare))
    {
        if (!this->options().patterns.isEmpty())
            m_search.setPatterns(this->options().patterns);
        connect(&m_search, &ContentSearch::found, this, [this](const QList<Lock> &locks) {
            for (const Lock &lock : locks)
                m_locks.insert(lock.key(), lock);
        });
        connect(&m_search, &ContentSearch::progressed, this, &SearchCommand::showProgress);
        connect(&m_search, &ContentSearch::ended, this, &SearchCommand::ended);
    }

private:
    void interrupted() override
    {
        if (m_running.isValid())
            m_search.cancel();
        else
            KeyCommand::interrupted();
    }

    void run() override
    {
        m_running.start();
        m_search.start();
    }

    void showProgress(const SearchProgress &progress)
    {
        if (m_running.elapsed() >= silentMs)
            console::progress(Words::tr("%1% of %2 keys, locks found: %3")
                                  .arg(QString::number(qRound(100 * progress.done)),
                                       grouped(progress.keyspace), grouped(progress.found)));
    }

    QList<PatternAdvice> advice() const { return suggestPatterns(m_locks.keys()); }

    void ended(const SearchResult &end)
    {
        console::progress({});
        if (end.error && !isIncomplete(end.error->kind))
            return fail(*end.error);
        warnOfUnread(end.permissions, end.unreadCompanions);
        if (!end.error)
            return finish(write(end, isWhole(end) ? ExitStatus::Done : ExitStatus::Unavailable));
        const ExitStatus status = write(end, exitStatusOf(end.error->kind));
        console::printError(describe(*end.error, serverName()));
        finish(status);
    }

    QByteArray json(const SearchResult &end) const
    {
        std::array<QJsonArray, 3> found;
        const TimePoint now = Clock::now();
        const qint64 wallMs = QDateTime::currentMSecsSinceEpoch();
        for (const Lock &lock : m_locks)
            found.at(static_cast<size_t>(certaintyOfFind(lock))).append(lockObject(lock, now, wallMs));
        QJsonArray patterns;
        for (const PatternAdvice &each : advice()) {
            QJsonObject object{{QStringLiteral("locks"), qint64(each.keys.size())}};
            insertBytes(object, QStringLiteral("pattern"), each.pattern);
            patterns.append(object);
        }
        QJsonObject document{{QStringLiteral("complete"), isWhole(end)},
                             {QStringLiteral("keys_scanned"), end.progress.scanned},
                             {QStringLiteral("unreadable"), end.progress.unreadable},
                             {QStringLiteral("locks"), found[0]},
                             {QStringLiteral("likely"), found[1]},
                             {QStringLiteral("ambiguous"), found[2]},
                             {QStringLiteral("patterns"), patterns}};
        if (options().patterns.isEmpty()) // else it was not looked for
            document[QStringLiteral("outside")] = toJson(end.outside);
        return jsonLine(document);
    }

    ExitStatus write(const SearchResult &end, ExitStatus status) const
    {
        if (options().json)
            return deliver(json(end), status);
        ResultWriter out;
        out.add(tables().toUtf8());
        out.addSummary(summary(end));
        return out.end(status);
    }

    QString tables() const
    {
        std::array<QList<Lock>, 3> found;
        for (const Lock &lock : m_locks)
            found.at(static_cast<size_t>(certaintyOfFind(lock))).append(lock);
        const auto &[certain, likely, ambiguous] = found;
        QStringList tables;
        if (!certain.isEmpty())
            tables << tableOf(certain);
        if (!likely.isEmpty())
            tables << Words::tr("Likely locks:") + u'\n' + tableOf(likely);
        if (!ambiguous.isEmpty())
            tables << Words::tr("Ambiguous:") + u'\n' + tableOf(ambiguous);
        QString text = tables.join(u'\n');
        if (!m_locks.isEmpty()) {
            Table patterns(
                {Words::tr("PATTERN", "column of a table"), Words::tr("LOCKS", "column of a table")});
            for (const PatternAdvice &each : advice())
                patterns.add({printable(each.pattern), grouped(each.keys.size())});
            text +=
                u'\n' + Words::tr("Patterns for these locks:") + u'\n' + patterns.text(console::hasColor());
        }
        return text;
    }

    QString summary(const SearchResult &end) const
    {
        const auto found = [this](Certainty certainty) {
            return grouped(std::ranges::count(m_locks, certainty, certaintyOfFind));
        };
        QStringList lines{Words::tr("Keys read: %1. Certain locks: %2. Likely locks: %3. Ambiguous: %4.")
                              .arg(grouped(end.progress.scanned), found(Certainty::Certain),
                                   found(Certainty::Likely), found(Certainty::Ambiguous))};
        if (end.progress.unreadable > 0)
            lines << Words::tr("Unreadable keys: %1.").arg(grouped(end.progress.unreadable));
        if (end.unreadCompanions > 0)
            lines << Words::tr("Keys with unreadable companion keys: %1.").arg(grouped(end.unreadCompanions));
        if (!end.isComplete)
            lines << Words::tr("The search ended early.");
        lines << Words::tr("Plain tokens cannot be found by content.");
        if (end.outside.names > 0)
            lines << outsideInWords(end.outside);
        return lines.join(u'\n') + u'\n';
    }

    ContentSearch m_search;
    QElapsedTimer m_running;
    QMap<LockKey, Lock> m_locks;
};

} // namespace

std::unique_ptr<Command> searchCommand(const Options &options)
{
    return std::make_unique<SearchCommand>(options);
}

} // namespace lockscope
