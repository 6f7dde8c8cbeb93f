// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario.h"

#include "core/simulation/scenario/parts.h"
#include "core/simulation/textlayout.h"

#include <QJsonArray>

#include <algorithm>
#include <array>

namespace lockscope {

using scenario::Words;

namespace {

constexpr std::array table{
    Scenario{"one-winner", QT_TRANSLATE_NOOP("lockscope::scenario", "One winner"),
             QT_TRANSLATE_NOOP("lockscope::scenario",
                               "Forty workers try once at the same moment for the same lock, fifty times."),
             QT_TRANSLATE_NOOP("lockscope::scenario", "In every round exactly one of them gets it."),
             Freedom::Algorithm, scenario::oneWinner, scenario::judgeOneWinner},
    Scenario{"sequence", QT_TRANSLATE_NOOP("lockscope::scenario", "Four in sequence"),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "Each of four workers works twice as long as its lease. A tries at once, B after 30 "
                 "ms, C from 60 ms for 101 ms, D blocks from 150 ms."),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "A gets the lock, B does not, C gets it when A's lease has ended, then D. Their work "
                 "overlaps, and no late release frees another's lock."),
             Freedom::Release, scenario::sequence, scenario::judgeSequence},
    Scenario{"five-processes", QT_TRANSLATE_NOOP("lockscope::scenario", "Five processes, two locks"),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "Five processes wake at the same moment, and each tries once for the first lock and "
                 "then for the second one."),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "Each lock has one holder at any time; who comes late may take a lock just released."),
             Freedom::Release, scenario::fiveProcesses, scenario::judgeFiveProcesses},
    Scenario{"orphan", QT_TRANSLATE_NOOP("lockscope::scenario", "A lock without expiry"),
             QT_TRANSLATE_NOOP("lockscope::scenario", "A client dies between SETNX and EXPIRE."),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "Alone it leaves a lock for ever. Contenders find that it has no expiry and set one, "
                 "and go on when that has passed."),
             Freedom::Fixed, scenario::orphan, scenario::judgeOrphan},
    Scenario{
        "foreign-release", QT_TRANSLATE_NOOP("lockscope::scenario", "Another's lock deleted"),
        QT_TRANSLATE_NOOP(
            "lockscope::scenario",
            "A holder works longer than its lease and then deletes the lock, which another has by "
            "now; a third one waits."),
        QT_TRANSLATE_NOOP("lockscope::scenario",
                          "An unchecked delete lets the third one in beside the second, whose lease has not "
                          "ended. A delete that compares the owner does not."),
        Freedom::Fixed, scenario::foreignRelease, scenario::judgeForeignRelease},
    Scenario{
        "paused-holder", QT_TRANSLATE_NOOP("lockscope::scenario", "A holder stands still"),
        QT_TRANSLATE_NOOP("lockscope::scenario",
                          "A holder stands still beyond its lease, as in a long garbage collection, and then "
                          "writes as though it still had the lock."),
        QT_TRANSLATE_NOOP(
            "lockscope::scenario",
            "Two are inside at once. Without fencing tokens the late write is accepted, with them "
            "it is rejected."),
        Freedom::Fixed, scenario::pausedHolder, scenario::judgePausedHolder},
    Scenario{
        "crash", QT_TRANSLATE_NOOP("lockscope::scenario", "A holder dies"),
        QT_TRANSLATE_NOOP("lockscope::scenario", "Workers die while they hold the lock."),
        QT_TRANSLATE_NOOP("lockscope::scenario",
                          "Nobody enters before the dead one's lease has ended, and somebody soon after it."),
        Freedom::Algorithm, scenario::crash, scenario::judgeCrash},
    Scenario{"watchdog", QT_TRANSLATE_NOOP("lockscope::scenario", "Work longer than the lease"),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "A worker needs more than three leases for its work, once with a watchdog that renews "
                 "the lease, once with one that has stopped."),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "With its watchdog it is alone; without it another enters when the lease has ended."),
             Freedom::Fixed, scenario::watchdog, scenario::judgeWatchdog},
    Scenario{
        "convoy", QT_TRANSLATE_NOOP("lockscope::scenario", "A slow holder now and then"),
        QT_TRANSLATE_NOOP("lockscope::scenario",
                          "Twenty workers hold the lock for 1 ms each; one visit in a hundred takes 200 ms."),
        QT_TRANSLATE_NOOP(
            "lockscope::scenario",
            "The few slow ones decide how long everybody waits: the longest percent of the waits "
            "is a multiple of the usual hold."),
        Freedom::Algorithm, scenario::convoy, scenario::judgeConvoy},
    Scenario{"herd", QT_TRANSLATE_NOOP("lockscope::scenario", "All are woken for one"),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "The same load twice: once each release wakes every waiter, once it hands the lock to "
                 "the next one."),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "The herd costs at least three times as many commands for each acquisition, and the "
                 "lock comes later to the next one."),
             Freedom::Fixed, scenario::herd, scenario::judgeHerd},
    Scenario{"deadlock", QT_TRANSLATE_NOOP("lockscope::scenario", "Two locks in opposite order"),
             QT_TRANSLATE_NOOP("lockscope::scenario",
                               "Two workers take the same two locks, each begins with another one."),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "Each waits for the other until a lease ends; a timeout ends it sooner. In the same "
                 "order none of that happens."),
             Freedom::Fixed, scenario::deadlock, scenario::judgeDeadlock},
    Scenario{
        "fair-vs-unfair", QT_TRANSLATE_NOOP("lockscope::scenario", "Fair and unfair"),
        QT_TRANSLATE_NOOP("lockscope::scenario",
                          "The same load twice: once waiters poll every 10 ms, once they stand in a line."),
        QT_TRANSLATE_NOOP(
            "lockscope::scenario",
            "In the line all get the lock equally often, within a tenth; those who poll do not."),
        Freedom::Fixed, scenario::fairVsUnfair, scenario::judgeFairVsUnfair},
    Scenario{"reentrancy", QT_TRANSLATE_NOOP("lockscope::scenario", "Three levels"),
             QT_TRANSLATE_NOOP("lockscope::scenario",
                               "A worker acquires the lock that it holds already, three levels deep."),
             QT_TRANSLATE_NOOP(
                 "lockscope::scenario",
                 "Re-entrant locks count each level and are unwound level by level. A plain token lock "
                 "waits for itself until its timeout."),
             Freedom::Fixed, scenario::reentrancy, scenario::judgeReentrancy},
    Scenario{
        "lost-reply", QT_TRANSLATE_NOOP("lockscope::scenario", "An answer that never came"),
        QT_TRANSLATE_NOOP("lockscope::scenario",
                          "The server acquires the lock for a worker, and the connection breaks before the "
                          "worker knows."),
        QT_TRANSLATE_NOOP(
            "lockscope::scenario",
            "Trying again blindly counts twice and leaves the lock held after the release. Looking "
            "first, or a request that is safe to repeat, does not."),
        Freedom::Fixed, scenario::lostReply, scenario::judgeLostReply},
    Scenario{
        "gap-in-release", QT_TRANSLATE_NOOP("lockscope::scenario", "A pause in the release"),
        QT_TRANSLATE_NOOP("lockscope::scenario",
                          "A holder pauses in its release until its lease has expired and another owner has "
                          "the lock; a third worker waits. Once between check and delete, once in a watched "
                          "transaction, once before a script, which leaves no gap to pause in."),
        QT_TRANSLATE_NOOP(
            "lockscope::scenario",
            "Check-then-delete deletes the other owner's lock. The watched transaction is refused by EXEC, "
            "and the script finds another owner: neither deletes anything."),
        Freedom::Fixed, scenario::gapInRelease, scenario::judgeGapInRelease},
};

/// When each worker's first try was late, compared with the earliest.
microseconds slipOf(const Report &report)
{
    std::optional<microseconds> earliest;
    std::optional<microseconds> latest;
    for (int worker = 0; worker < report.plan.script.size(); ++worker) {
        const Visit first = report.plan.script[worker].value(0);
        const auto tried = scenario::firstTime(report, LogLine::What::Tried, worker, first.locks.value(0));
        if (!tried)
            return microseconds::max();
        const microseconds late = *tried - first.startAt.value_or(milliseconds(0));
        earliest = earliest ? std::min(*earliest, late) : late;
        latest = latest ? std::max(*latest, late) : late;
    }
    return earliest ? *latest - *earliest : microseconds(0);
}

QJsonArray actsOf(const ScenarioReport &report)
{
    QJsonArray acts;
    for (qsizetype i = 0; i < report.reports.size(); ++i) {
        QJsonObject act = toJson(report.reports[i]);
        act[QStringLiteral("title")] = report.acts[i].title;
        acts.append(act);
    }
    return acts;
}

QStringList verdictLines(const ScenarioReport &report, int width)
{
    if (report.stopped)
        return wrapped(Words::tr("Stopped before its end: nothing is said about the expectation."), width, 2);
    QStringList lines{report.verdict.met ? Words::tr("The expectation was met.")
                                         : Words::tr("The expectation was NOT met.")};
    for (const QString &finding : report.verdict.findings)
        lines += wrapped(QStringLiteral("  ") + finding, width, 4);
    return lines;
}

} // namespace

std::span<const Scenario> scenarios()
{
    return table;
}

const Scenario *scenarioFromName(QByteArrayView name)
{
    const auto row = std::ranges::find(table, name, &Scenario::name);
    return row == table.end() ? nullptr : &*row;
}

QString scenarioCaption(const Scenario &scenario)
{
    return QString::fromLatin1(scenario.name.toByteArray()) + QStringLiteral(" – ") + scenarioTitle(scenario);
}

QString scenarioTitle(const Scenario &scenario)
{
    return Words::tr(scenario.title);
}

QString scenarioPurpose(const Scenario &scenario)
{
    return Words::tr(scenario.purpose);
}

QString scenarioExpectation(const Scenario &scenario)
{
    return Words::tr(scenario.expectation);
}

bool differ(const Scenario &scenario, const ScenarioSettings &one, const ScenarioSettings &other)
{
    const QList<Act> first = scenario.acts(one);
    const QList<Act> second = scenario.acts(other);
    return !std::ranges::equal(first, second,
                               [](const Act &a, const Act &b) { return a.plan.toJson() == b.plan.toJson(); });
}

bool isVoid(const Act &act, const Report &report)
{
    return act.slip && !report.stopped && slipOf(report) > *act.slip;
}

QJsonObject toJson(const ScenarioReport &report)
{
    QJsonObject object = report.reports.isEmpty() ? QJsonObject() : toJson(report.reports.front());
    object[QStringLiteral("scenario")] = QString::fromLatin1(report.scenario->name.toByteArray());
    object[QStringLiteral("expectation")] = scenarioExpectation(*report.scenario);
    object[QStringLiteral("stopped")] = report.stopped;
    if (!report.stopped)
        object[QStringLiteral("met")] = report.verdict.met;
    object[QStringLiteral("findings")] = QJsonArray::fromStringList(report.verdict.findings);
    if (report.acts.size() > 1)
        object[QStringLiteral("acts")] = actsOf(report);
    return object;
}

QString describe(const ScenarioReport &report, int width)
{
    width = std::max(width, narrowest);
    QStringList lines{scenarioCaption(*report.scenario)};
    lines += wrapped(scenarioPurpose(*report.scenario), width, 0);
    lines += wrapped(Words::tr("Expected: %1").arg(scenarioExpectation(*report.scenario)), width, 2);
    for (qsizetype i = 0; i < report.reports.size(); ++i) {
        lines.append(QString());
        if (!report.acts[i].title.isEmpty())
            lines.append(Words::tr("== %1 ==").arg(report.acts[i].title));
        lines.append(describe(report.reports[i], width).trimmed());
    }
    lines.append(QString());
    lines += verdictLines(report, width);
    return lines.join(u'\n') + u'\n';
}

} // namespace lockscope
