// SPDX-License-Identifier: GPL-3.0-or-later
// Locks that stand for a reason that is known, on every kind of deployment and with every way to hear of changes: what
// lockscope-cli says of it, by one reading (list, get) and by many (a recording).
#include "tests/reliability/await.h"
#include "tests/reliability/endcauses.h"
#include "tests/reliability/row.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr int longLease = 600'000;
constexpr int renewedLease = 30'000;
constexpr auto renewsEvery = 400ms;
constexpr auto orphaned = "blocked-by-dead";
constexpr int leastRounds = 5;
constexpr int maxRounds = 75; // an orphan is looked at for some seconds before it is called one

/// A lock, and why it stands there.
struct StuckLock
{
    EndCase lock;
    QByteArray truth;
    bool renews = false;
};

QJsonObject lockNamed(const QJsonObject &list, const QByteArray &key)
{
    for (const QJsonValue &lock : list[QStringLiteral("locks")].toArray()) {
        if (lock[QStringLiteral("key")].toString().toUtf8() == key)
            return lock.toObject();
    }
    return {};
}

QByteArray whyOf(const QJsonObject &lock)
{
    return lock[QStringLiteral("verdict")][QStringLiteral("why")].toString().toLatin1();
}

/// "problem", "open" or "usual", as cli.md has it.
QByteArray levelOf(const QJsonObject &lock)
{
    if (lock[QStringLiteral("certainty")].toString() == QLatin1String("ambiguous"))
        return "open";
    const QString family = lock[QStringLiteral("family")].toString();
    return family == QLatin1String("python-redis-lock") || family == QLatin1String("redis-py") ? "usual"
                                                                                               : "problem";
}

QByteArrayList withoutLease(QByteArrayList lines)
{
    lines.removeIf([](const QByteArray &line) { return line.startsWith("PEXPIRE"); });
    for (QByteArray &line : lines)
        line.replace(" PX %L", "");
    return lines;
}

/// Writes them.
QList<StuckLock> stuckLocks(EndStage &stage)
{
    QList<StuckLock> locks;
    int serial = 0;
    const auto add = [&](const EndForm &form, const char *truth, const QByteArrayList &lines, int lease,
                         bool renews = false) {
        const EndCase lock{form, form.prefix + QByteArray(truth) + ':' + QByteArray::number(++serial)};
        stage.write(lock.key, filledIn(lines, lock, lease));
        locks.append({lock, truth, renews});
    };
    const QList<EndForm> forms = endForms();
    for (const EndForm &form : forms) {
        if (form.hasLease) {
            add(form, "renewed", form.writes, renewedLease, true);
            add(form, "lease-running", form.writes, longLease);
        }
        add(form, "never-ends", withoutLease(form.writes), 0);
        if (form.name != "redisson-fair")
            continue;
        add(form, orphaned, form.writes.mid(2), 0);
        // The second one is released without a word to those who wait.
        add(form, orphaned, form.writes, longLease);
    }
    add(forms[0], "unknown", {"SET %K 1 PX %L"}, longLease); // whoever holds it writes the same
    return locks;
}

using StuckTable = QMap<QByteArray, std::array<EndTally, rungNames.size()>>;

class StuckRun
{
public:
    StuckRun(EndStage::Layout layout, EndStage::Rung rung, bool isBusy, quint32 seed, QByteArray name)
        : m_stage(layout, rung, isBusy, seed), m_name(std::move(name))
    {
    }

    void run(StuckTable &table, QByteArrayList &flaws)
    {
        const QString file = m_stage.filePath(QStringLiteral("recording"));
        const QByteArray path = file.toUtf8();
        QList<StuckLock> locks;
        {
            EndFeed feed(m_stage, {QStringLiteral("record"), file});
            std::ignore = feed.waitFor(QStringLiteral("recording"));
            if (!m_stage.waitUntilInSwing())
                flaws << m_name + ": the load did not begin";
            locks = stuckLocks(m_stage);
            for (int round = 0; round < maxRounds; ++round) {
                runFor(renewsEvery);
                for (const StuckLock &each : std::as_const(locks)) {
                    if (each.renews)
                        m_stage.write(each.lock.key, filledIn({"PEXPIRE %K %L"}, each.lock, renewedLease));
                    else if (each.truth == orphaned && round == 1)
                        m_stage.write(each.lock.key, filledIn({"DEL %K"}, each.lock, 0));
                }
                const QJsonObject picture = lastPicture(path);
                const bool areOrphans = std::ranges::all_of(locks, [&](const StuckLock &each) {
                    return each.truth != orphaned || whyOf(lockNamed(picture, each.lock.key)) == orphaned;
                });
                if (round >= leastRounds && areOrphans)
                    break;
            }
        }
        const QJsonObject picture = lastPicture(path);
        const QJsonObject list = QJsonDocument::fromJson(m_stage.cli({"list"}).out).object();
        for (const StuckLock &each : std::as_const(locks)) {
            judge(each, lockNamed(picture, each.lock.key), each.truth, "recorded", table, flaws);
            if (each.truth == orphaned) // takes more than one reading
                continue;
            const QByteArray once = each.truth == "never-ends" ? each.truth : QByteArray("unknown");
            judge(each, lockNamed(list, each.lock.key), once, "listed", table, flaws);
            const QJsonObject got =
                QJsonDocument::fromJson(m_stage.cli({"get", each.lock.key, "--explain"}).out).object();
            judge(each, got, once, "got", table, flaws);
            const QJsonArray evidence = got[QStringLiteral("verdict")][QStringLiteral("evidence")].toArray();
            const QString sign =
                once == "never-ends" ? QStringLiteral("no-expiry") : QStringLiteral("one-reading");
            if (!evidence.contains(sign))
                flaws << m_name + ": " + each.lock.key + ": no evidence " + sign.toLatin1();
        }
    }

private:
    static QJsonObject lastPicture(const QByteArray &path)
    {
        const QJsonObject info = ran({"replay", path, "--info", "--json"});
        return ran({"replay", path, "--at", QByteArray::number(info[QStringLiteral("until")].toInteger()),
                    "--json"});
    }

    static QJsonObject ran(const QByteArrayList &words)
    {
        return QJsonDocument::fromJson(
                   runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"), words).out)
            .object();
    }

    void judge(const StuckLock &each, const QJsonObject &told, const QByteArray &truth, const char *by,
               StuckTable &table, QByteArrayList &flaws)
    {
        const QByteArray why = whyOf(told);
        const bool isOpen = why == "unknown" && truth != why;
        const QByteArray level = told[QStringLiteral("no_expiry")].toString().toLatin1();
        const bool isWrong = (why != truth && !isOpen) || (truth == "never-ends" && level != levelOf(told));
        EndTally &tally = table[truth + ", " + by][size_t(m_stage.rung())];
        ++tally.cases;
        tally.open += isOpen;
        tally.wrong += isWrong;
        const QByteArray what =
            m_name + ": " + each.lock.form.name + ", " + truth + ", " + by + ": \"" + why + "\" " + level;
        if (isWrong)
            flaws << what;
        else if (isOpen)
            tell(what);
    }

    EndStage m_stage;
    QByteArray m_name;
};

} // namespace

Verdict runStuck(const Effort &effort)
{
    Verdict verdict;
    StuckTable table;
    for (const bool isBusy : {false, true}) {
        for (size_t layout = 0; layout < layoutNames.size(); ++layout) {
            for (size_t rung = 0; rung < rungNames.size(); ++rung) {
                const bool isShort = effort.brief && (isBusy || layout + rung > 0);
                if (!isShort && (effort.wants(layoutNames[layout]) || effort.wants(rungNames[rung])))
                    StuckRun(EndStage::Layout(layout), EndStage::Rung(rung), isBusy, effort.seed,
                             QByteArray(layoutNames[layout]) + ", " + rungNames[rung] +
                                 (isBusy ? ", busy" : ", quiet"))
                        .run(table, verdict.flaws);
            }
        }
    }
    EndTally all;
    tell("stuck/open/wrong              tracking      notifications polling");
    for (auto row = table.cbegin(); row != table.cend(); ++row) {
        QByteArray line = row.key().leftJustified(30);
        for (const EndTally &tally : *row) {
            line += tally.inWords().leftJustified(14);
            all += tally;
        }
        tell(line);
    }
    verdict.met = verdict.flaws.isEmpty() && all.cases > 0;
    verdict.measured = QByteArray::number(all.cases) + " verdicts, " + QByteArray::number(all.wrong) +
                       " wrong, " + QByteArray::number(all.open) + " open";
    return verdict;
}

} // namespace lockscope
