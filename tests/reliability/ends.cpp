// SPDX-License-Identifier: GPL-3.0-or-later
// Locks of several libraries end, by causes that are known, on every kind of deployment and with every way to hear of changes,
// beside nothing and beside much else: what lockscope-cli says of it.
#include "tests/reliability/await.h"
#include "tests/reliability/endcauses.h"
#include "tests/reliability/row.h"

#include <QJsonArray>
#include <QMap>
#include <QRandomGenerator>

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

using Layout = EndStage::Layout;
using Rung = EndStage::Rung;

constexpr std::array surroundings{"quiet", "busy"};
constexpr auto mixed =
    "several at once"; // in no share of those that are open: nothing is quiet beside others
constexpr int mixedRounds = 5;

/// By surroundings, rung, and cause or layout.
using EndTable = QMap<QByteArray, std::array<std::array<EndTally, rungNames.size()>, surroundings.size()>>;

enum class Judgement : quint8 { Right, Open, Wrong, Untold };

QString eventOf(const QJsonObject &event)
{
    return event[QStringLiteral("event")].toString();
}

bool tellsAnEnd(const QString &event)
{
    static const QStringList ends{QStringLiteral("released"),    QStringLiteral("expired"),
                                  QStringLiteral("evicted"),     QStringLiteral("flushed"),
                                  QStringLiteral("overwritten"), QStringLiteral("renamed"),
                                  QStringLiteral("failover"),    QStringLiteral("forced"),
                                  QStringLiteral("vanished"),    QStringLiteral("owner-changed")};
    return ends.contains(event);
}

Judgement judged(const QJsonObject &event, const EndCause &cause)
{
    const QString truth = QLatin1String(cause.truth);
    const QString told = eventOf(event);
    if (told.isEmpty())
        return Judgement::Untold;
    if (told == QLatin1String("vanished")) {
        const QJsonArray possible = event[QStringLiteral("possible")].toArray();
        return possible.contains(truth) ? Judgement::Open : Judgement::Wrong;
    }
    if (told == QLatin1String("owner-changed")) {
        const QString how = event[QStringLiteral("how")].toString();
        return how.isEmpty() || how == truth ? Judgement::Right : Judgement::Wrong;
    }
    return told == truth ? Judgement::Right : Judgement::Wrong;
}

/// All causes on one deployment, with one way to hear.
class EndRun
{
public:
    EndRun(const Effort &effort, Layout layout, Rung rung, bool isBusy)
        : m_effort(effort),
          m_stage(layout, rung, isBusy, effort.seed),
          m_feed(m_stage, {QStringLiteral("watch")}),
          m_name(QByteArray(layoutNames[size_t(layout)]) + ", " + rungNames[size_t(rung)] + ", " +
                 surroundings[isBusy]),
          m_isBusy(isBusy)
    {
    }

    void run(EndTable &table, QByteArrayList &flaws)
    {
        const QString heard = m_feed.waitFor(QStringLiteral("ready"))[QStringLiteral("feed")].toString();
        if (heard != QLatin1String(rungNames[size_t(m_stage.rung())])) {
            flaws << m_name + ": heard by \"" + heard.toLatin1() + '"';
            return;
        }
        QList<EndCause> causes = endCauses();
        QRandomGenerator random(m_effort.seed);
        std::shuffle(causes.begin(), causes.end(), random);
        std::ranges::stable_partition(causes, [](const EndCause &cause) { return !cause.isLast; });
        QList<EndCause> byKey = causes;
        byKey.removeIf([this](const EndCause &cause) {
            return cause.deed || cause.kind == EndCause::Kind::Expires || !cause.isOn(m_stage.layout());
        });
        for (int round = 0; round < (m_effort.brief ? 1 : mixedRounds) && m_effort.wants(mixed); ++round) {
            std::shuffle(byKey.begin(), byKey.end(), random);
            runCauses(mixed, byKey, table, flaws);
        }
        for (const EndCause &cause : std::as_const(causes)) {
            if (cause.isOn(m_stage.layout()) && m_effort.wants(cause.name))
                runCauses(cause.name, {cause}, table, flaws);
        }
        tell(m_name + ": " + m_total.inWords() + " ends, open, wrong; " + m_stage.loadInWords());
    }

private:
    /// A lock of each form, each by one of the causes.
    void runCauses(const QByteArray &name, const QList<EndCause> &causes, EndTable &table,
                   QByteArrayList &flaws)
    {
        const EndCause &first = causes.first();
        const QByteArray what = m_name + ", " + name + ": ";
        if (!m_stage.waitUntilInSwing()) {
            flaws << what + "the load did not begin";
            return;
        }
        if (first.where == EndCause::OnGroup)
            m_stage.stopReplica();
        m_began = m_feed.events().size();
        QList<EndCase> locks = written(causes);
        const bool areSeen = runUntil([&] { return areAllTold(locks, &isBeginning); }, 20s);
        if (first.kind != EndCause::Kind::Expires)
            locks.removeIf([&](const EndCase &lock) { return !m_stage.exists(lock.key); });
        if (!areSeen || locks.isEmpty()) {
            flaws << what + "not all locks were seen";
            return;
        }
        if (!m_effort.brief && first.kind != EndCause::Kind::Expires)
            m_stage.waitUntilCounted();
        m_feed.take();
        m_began = m_feed.events().size();
        for (const EndCase &lock : std::as_const(locks)) {
            const EndCause &cause = causes[lock.cause];
            QByteArrayList lines = filledIn(cause.lines, lock, usualLease);
            if (cause.kind == EndCause::Kind::Handed)
                lines += filledIn(lock.form.writes, lock, usualLease, true);
            if (!lines.isEmpty() && !m_stage.write(lock.key, lines))
                flaws << what + "could not be done to " + lock.key;
        }
        if (first.deed)
            first.deed(m_stage, locks);
        std::ignore = runUntil([&] { return areAllTold(locks, &tellsAnEnd); }, first.isLast ? 90s : 20s);
        EndTally tally;
        for (const EndCase &lock : std::as_const(locks)) {
            const EndCause &cause = causes[lock.cause];
            const QJsonObject event = firstOf(lock, &tellsAnEnd);
            const Judgement judgement = judged(event, cause);
            ++tally.cases;
            tally.open += judgement == Judgement::Open;
            tally.wrong += judgement == Judgement::Wrong || judgement == Judgement::Untold;
            if (judgement == Judgement::Wrong || judgement == Judgement::Untold)
                flaws << what + lock.form.name + " was " + cause.truth + " (" + cause.name + ')' +
                             ", told: " + inFull(lock);
            else if (judgement == Judgement::Open && !m_isBusy && !m_effort.brief)
                tell(what + lock.form.name + " is open: " + inFull(lock));
        }
        table[name][m_isBusy][size_t(m_stage.rung())] += tally;
        table[QByteArray("on ") + layoutNames[size_t(m_stage.layout())]][m_isBusy][size_t(m_stage.rung())] +=
            tally;
        m_total += tally;
    }

    /// One of each form that one of the causes is for, under new names.
    QList<EndCase> written(const QList<EndCause> &causes)
    {
        const int lease = causes.first().kind != EndCause::Kind::Expires ? usualLease
                          : m_effort.brief                               ? 1000
                          : m_stage.rung() == Rung::Polling              ? 6000
                                                                         : 2000;
        QList<EndCase> locks;
        for (const EndForm &form : endForms()) {
            const qsizetype count = causes.size();
            qsizetype cause = locks.size() % count;
            for (qsizetype i = 0; i < count && !causes[cause].fits(form); ++i)
                cause = (cause + 1) % count;
            if (!causes[cause].fits(form))
                continue;
            locks.append({form, form.prefix + QByteArray::number(++m_serial), cause});
            m_stage.write(locks.last().key, filledIn(form.writes, locks.last(), lease));
        }
        return locks;
    }

    static bool isBeginning(const QString &event)
    {
        return event == QLatin1String("acquired") || event == QLatin1String("found");
    }

    QJsonObject firstOf(const EndCase &lock, bool (*isSuch)(const QString &)) const
    {
        for (qsizetype i = m_began; i < m_feed.events().size(); ++i) {
            const QJsonObject &event = m_feed.events()[i];
            if (isSuch(eventOf(event)) && event[QStringLiteral("key")].toString().toUtf8() == lock.key)
                return event;
        }
        return {};
    }

    bool areAllTold(const QList<EndCase> &locks, bool (*isSuch)(const QString &))
    {
        m_feed.take();
        return std::ranges::all_of(locks,
                                   [&](const EndCase &lock) { return !firstOf(lock, isSuch).isEmpty(); });
    }

    /// What was told of the lock.
    QByteArray inFull(const EndCase &lock) const
    {
        QByteArrayList told;
        for (qsizetype i = m_began; i < m_feed.events().size(); ++i) {
            const QJsonObject &event = m_feed.events()[i];
            if (event[QStringLiteral("key")].toString().toUtf8() != lock.key)
                continue;
            QByteArray text = eventOf(event).toLatin1();
            for (const QJsonValue &end : event[QStringLiteral("possible")].toArray())
                text += ' ' + end.toString().toLatin1();
            if (event.contains(QStringLiteral("how")))
                text += " (" + event[QStringLiteral("how")].toString().toLatin1() + ')';
            told << text;
        }
        return told.isEmpty() ? QByteArray("nothing") : told.join(", ");
    }

    static constexpr int usualLease = 600'000;

    const Effort &m_effort;
    EndStage m_stage;
    EndFeed m_feed;
    QByteArray m_name;
    bool m_isBusy;
    EndTally m_total;
    qsizetype m_began = 0; ///< of the events
    int m_serial = 0;
};

void tellTable(const EndTable &table)
{
    const auto cell = [](const QByteArray &text) { return text.leftJustified(16); };
    QByteArray head = QByteArray("ends/open/wrong").leftJustified(26);
    for (const char *around : surroundings) {
        for (const char *rung : rungNames)
            head += cell(QByteArray(around) + ' ' + QByteArray(rung).left(8));
    }
    tell(head);
    for (auto row = table.cbegin(); row != table.cend(); ++row) {
        QByteArray line = row.key().leftJustified(26);
        for (const auto &rungs : *row) {
            for (const EndTally &tally : rungs)
                line += cell(tally.cases == 0 ? QByteArray("-") : tally.inWords());
        }
        tell(line);
    }
}

} // namespace

Verdict runEnds(const Effort &effort)
{
    constexpr std::array maxOpen{0.10, 0.05, 1.0}; // of the ends on a quiet server, by rung
    // Of the names of one sort one has to be given, where any of that sort is.
    const auto wanted = [&](std::span<const char *const> names, size_t index) {
        return effort.wants(names[index]) ||
               std::ranges::none_of(names, [&](const char *name) { return effort.only.contains(name); });
    };
    Effort causes = effort;
    causes.only.removeIf([](const QByteArray &name) {
        return name != mixed &&
               std::ranges::none_of(endCauses(), [&](const EndCause &cause) { return name == cause.name; });
    });
    Verdict verdict;
    EndTable table;
    for (size_t around = 0; around < surroundings.size(); ++around) {
        for (size_t layout = 0; layout < layoutNames.size(); ++layout) {
            for (size_t rung = 0; rung < rungNames.size(); ++rung) {
                const bool isShort = effort.brief && (around > 0 || layout > 0 || rung > 1);
                if (!isShort && wanted(surroundings, around) && wanted(layoutNames, layout) &&
                    wanted(rungNames, rung))
                    EndRun(causes, Layout(layout), Rung(rung), around == 1).run(table, verdict.flaws);
            }
        }
    }
    tellTable(table);
    std::array<std::array<EndTally, rungNames.size()>, surroundings.size()> sums{};
    EndTally all;
    for (auto row = table.cbegin(); row != table.cend(); ++row) {
        if (row.key().startsWith("on "))
            continue;
        for (const auto &rungs : *row) {
            for (const EndTally &tally : rungs)
                all += tally;
        }
        if (row.key() == mixed)
            continue;
        for (size_t around = 0; around < surroundings.size(); ++around) {
            for (size_t rung = 0; rung < rungNames.size(); ++rung) {
                sums[around][rung] += (*row)[around][rung];
            }
        }
    }
    QByteArrayList shares;
    for (size_t around = 0; around < surroundings.size(); ++around) {
        for (size_t rung = 0; rung < rungNames.size(); ++rung) {
            const EndTally &sum = sums[around][rung];
            const double share = sum.cases > 0 ? double(sum.open) / sum.cases : 0;
            shares << QByteArray::number(share * 100, 'f', 1);
            if (around == 0 && !effort.brief && share > maxOpen[rung])
                verdict.flaws << QByteArray("too many are open: ") + rungNames[rung];
        }
    }
    verdict.met = verdict.flaws.isEmpty() && all.cases > 0;
    verdict.measured = QByteArray::number(all.cases) + " ends, " + QByteArray::number(all.wrong) +
                       " wrong, open " + shares.first(3).join('/') + " % quiet, " + shares.last(3).join('/') +
                       " % busy";
    return verdict;
}

} // namespace lockscope
