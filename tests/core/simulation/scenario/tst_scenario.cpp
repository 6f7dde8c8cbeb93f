// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/strategyspec.h"
#include "core/simulation/scenario/scenario.h"
#include "core/words/phrases.h"
#include "core/words/simulationmessages.h"

#include <QJsonArray>
#include <QtTest>

#include <functional>

using namespace lockscope;
using namespace std::chrono_literals;
using What = LogLine::What;
using Change = std::function<void(QList<Report> &)>;

namespace {

const Scenario &named(QByteArrayView name)
{
    const Scenario *scenario = scenarioFromName(name);
    if (!scenario)
        qFatal("no such scenario");
    return *scenario;
}

LogLine line(What what, int worker, microseconds at, int lock = 0)
{
    return {what, worker, lock, at, 0};
}

/// As an act that went as expected: nothing found yet.
QList<Report> emptyReports(const Scenario &scenario)
{
    QList<Report> reports;
    for (const ScenarioPhase &act : scenario.acts({})) {
        Report report;
        report.plan = act.plan;
        reports.append(report);
    }
    return reports;
}

void fillOneWinner(Report &report)
{
    for (int i = 0; i < 50; ++i)
        report.rounds.append({i, 40, 1, {}, {}, false});
    report.rounds.append({3, 40, 2, {}, {}, true});
}

void fillSequence(Report &report)
{
    report.log = {line(What::Tried, 0, 1ms),     line(What::Got, 0, 2ms),       line(What::Tried, 1, 31ms),
                  line(What::Refused, 1, 32ms),  line(What::Tried, 2, 61ms),    line(What::Got, 2, 103ms),
                  line(What::Tried, 3, 152ms),   line(What::NotHeld, 0, 202ms), line(What::Got, 3, 204ms),
                  line(What::Released, 3, 404ms)};
    report.findings.overlaps = 2;
}

void fillFiveProcesses(Report &report)
{
    for (int worker = 0; worker < 5; ++worker) {
        for (const int lock : {0, 1})
            report.log.append(line(What::Tried, worker, 1ms, lock));
    }
    for (const int lock : {0, 1}) {
        report.log.append(line(What::Got, lock, 2ms, lock));
        report.log.append(line(What::Released, lock, 2003ms, lock));
    }
}

void fillOrphan(QList<Report> &reports)
{
    reports[0].findings.orphans = 1;
    for (int worker = 1; worker <= 3; ++worker) {
        reports[1].log.append(line(What::Tried, worker, 100ms));
        reports[1].log.append(line(What::Got, worker, 1100ms + worker * 30ms));
    }
}

void fillDeadlock(QList<Report> &reports)
{
    for (const int worker : {0, 1}) {
        reports[1].log.append(line(What::Tried, worker, 0ms, worker));
        reports[1].log.append(line(What::Got, worker, 3003ms, 1 - worker));
    }
    reports[2].total.timedOut = 1;
}

void fillContest(QList<Report> &reports)
{
    reports[0].total.acquired = reports[1].total.acquired = 1000;
    reports[0].total.commands = 40'000;
    reports[1].total.commands = 3000;
    reports[0].findings.handoff.record(800us);
    reports[1].findings.handoff.record(40us);
    reports[0].acquiredByWorker = {20, 80};
    reports[1].acquiredByWorker = {50, 51};
}

/// Reports of a run in which everything went as it should.
QList<Report> goodReports(const Scenario &scenario)
{
    QList<Report> reports = emptyReports(scenario);
    const QByteArrayView name = scenario.name;
    if (name == "one-winner") {
        for (Report &report : reports)
            fillOneWinner(report);
    } else if (name == "sequence") {
        for (Report &report : reports)
            fillSequence(report);
    } else if (name == "five-processes") {
        fillFiveProcesses(reports[0]);
    } else if (name == "orphan") {
        fillOrphan(reports);
    } else if (name == "foreign-release") {
        reports[0].findings.foreignReleases = reports[0].findings.unexplainedOverlaps = 1;
    } else if (name == "paused-holder") {
        reports[0].findings.overlaps = reports[1].findings.overlaps = 1;
        reports[0].findings.staleWrites = reports[1].findings.rejectedWrites = 1;
    } else if (name == "crash") {
        reports[0].log = {line(What::Tried, 0, 0ms), line(What::Got, 0, 1ms), line(What::Crashed, 0, 50ms),
                          line(What::Got, 2, 1002ms)};
        reports[1].total.crashes = 5;
    } else if (name == "watchdog") {
        reports[0].log = {line(What::Got, 0, 1ms), line(What::Got, 1, 2003ms)};
        reports[1].findings.overlaps = 1;
    } else if (name == "convoy") {
        reports[0].total.pauses = 9;
        reports[0].total.hold.record(1ms);
        reports[0].total.wait.record(220ms);
    } else if (name == "herd" || name == "fair-vs-unfair") {
        fillContest(reports);
    } else if (name == "deadlock") {
        fillDeadlock(reports);
    } else if (name == "reentrancy") {
        for (Report &report : reports) {
            const bool counts = specOf(report.plan.algorithm.strategy).isReentrant;
            report.log = QList<LogLine>(counts ? 3 : 1, line(What::Released, 0, 1ms));
            if (!counts)
                report.log.append(line(What::TimedOut, 0, 300ms));
        }
    } else if (name == "gap-in-release") {
        for (Report &report : reports)
            report.total.pauses = 1;
        reports[0].findings.foreignReleases = reports[0].findings.unexplainedOverlaps = 1;
        reports[1].total.execsRefused = 1;
    } else if (name == "lost-reply") {
        reports[0].findings.leaks = 1;
        for (Report &report : reports)
            report.total.acquired = 1;
    }
    return reports;
}

/// What was found of each point, a line each.
QString reported(const Verdict &verdict)
{
    QStringList lines;
    for (const Phrase &finding : verdict.findings)
        lines << finding.inEnglish();
    return lines.join(u'\n');
}

} // namespace

class TestScenario : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void allAreThere();
    void actsCanRun();
    void settingsAreUsed();
    void publishedTestsTakeEveryRelease();
    void actsAreNamedAfterTheirAlgorithm();
    void meetsExpectations_data();
    void meetsExpectations();
    void noticesWhatWentWrong_data();
    void noticesWhatWentWrong();
    void nothingMeetsNothing();
    void slippedStartsAreVoid();
    void tellsTheVerdict();
    void stoppedOnesHaveNoVerdict();
};

void TestScenario::allAreThere()
{
    QList<QByteArray> names;
    for (const Scenario &scenario : scenarios()) {
        names.append(scenario.name.toByteArray());
        QVERIFY(!inWords(scenario.title).isEmpty() && !inWords(scenario.purpose).isEmpty() &&
                !inWords(scenario.expectation).isEmpty());
    }
    QCOMPARE(names.join(' '),
             "one-winner sequence five-processes orphan foreign-release paused-holder crash watchdog "
             "convoy herd deadlock fair-vs-unfair reentrancy lost-reply gap-in-release");
    QVERIFY(!scenarioFromName("") && !scenarioFromName("Herd"));
}

void TestScenario::actsCanRun()
{
    for (const Scenario &scenario : scenarios()) {
        const QList<ScenarioPhase> acts = scenario.acts({});
        QVERIFY(!acts.isEmpty());
        for (const ScenarioPhase &act : acts) {
            QVERIFY2(!act.plan.validationError(),
                     qPrintable(act.plan.validationError().value_or(Phrase()).inEnglish()));
            QCOMPARE(act.title.isEmpty(), acts.size() == 1);
            QVERIFY(act.plan.name == scenario.name);
            QVERIFY(act.plan.keys.isEmpty() && act.plan.serverFaults.isEmpty());
        }
    }
}

void TestScenario::settingsAreUsed()
{
    ScenarioSettings settings;
    settings.workers = 7;
    settings.rounds = 3;
    settings.seed = 99;
    Algorithm setnx;
    setnx.strategy = StrategyKind::TokenSetnx;
    settings.algorithm = setnx;
    const QList<ScenarioPhase> acts = named("one-winner").acts(settings);
    QCOMPARE(acts.size(), 1);
    QCOMPARE(acts[0].plan.workers, 7);
    QCOMPARE(acts[0].plan.rounds, 3);
    QCOMPARE(acts[0].plan.seed, 99U);
    QCOMPARE(acts[0].plan.lease, 1000ms); // whole seconds
    settings.duration = 1234ms;
    QCOMPARE(named("herd").acts(settings)[1].plan.duration, 1234ms);
    for (const Scenario &scenario : scenarios()) {
        for (const ScenarioPhase &act : scenario.acts(settings)) {
            QVERIFY2(!act.plan.validationError(), scenario.name.constData());
            QCOMPARE(act.plan.seed, 99U);
        }
    }
}

/// Each of the published tests, with each release that a token can have.
void TestScenario::publishedTestsTakeEveryRelease()
{
    for (const char *name : {"one-winner", "sequence", "five-processes"}) {
        QCOMPARE(named(name).freedom == ConfigurablePart::Fixed, false);
        for (const ReleaseMethod form : {ReleaseMethod::CheckThenDelete, ReleaseMethod::CompareAndDelete,
                                         ReleaseMethod::CompareAndDeleteDone,
                                         ReleaseMethod::WatchedTransaction, ReleaseMethod::UncheckedDelete}) {
            ScenarioSettings settings;
            settings.release = form;
            const QList<ScenarioPhase> acts = named(name).acts(settings);
            QCOMPARE(acts.size(), named(name).acts({}).size());
            for (const ScenarioPhase &act : acts) {
                QVERIFY2(!act.plan.validationError(),
                         qPrintable(act.plan.validationError().value_or(Phrase()).inEnglish()));
                for (const Algorithm &algorithm : algorithmsOf(act.plan))
                    QCOMPARE(algorithm.release, form);
            }
        }
    }
}

/// What is under test, not what helps in it: a report tells of the act that it belongs to.
void TestScenario::actsAreNamedAfterTheirAlgorithm()
{
    for (const char *name : {"one-winner", "sequence", "reentrancy"}) {
        for (const ScenarioPhase &act : named(name).acts({})) {
            QCOMPARE(act.title.inEnglish(), QString::fromLatin1(nameOf(act.plan.algorithm.strategy)));
            Report report;
            report.plan = act.plan;
            QCOMPARE(toJson(report)[u"strategy"].toString(), act.title.inEnglish());
            QVERIFY2(describe(report).startsWith(inWords(act.title)), qPrintable(describe(report)));
        }
    }
    Report both;
    both.plan = named("five-processes").acts({})[0].plan;
    QVERIFY2(describe(both).startsWith(QStringLiteral("token-lua and token-set")),
             qPrintable(describe(both)));
}

void TestScenario::meetsExpectations_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const Scenario &scenario : scenarios())
        QTest::newRow(scenario.name.constData()) << scenario.name.toByteArray();
}

void TestScenario::meetsExpectations()
{
    QFETCH(QByteArray, name);
    const Verdict verdict = named(name).judge(goodReports(named(name)));
    QVERIFY2(verdict.met, qPrintable(reported(verdict)));
    QVERIFY(!verdict.findings.isEmpty());
}

void TestScenario::noticesWhatWentWrong_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<Change>("change");

    const auto row = [](const char *name, const char *what, const Change &change) {
        QTest::addRow("%s: %s", name, what) << QByteArray(name) << change;
    };
    row("one-winner", "two winners", [](auto &r) { r[1].rounds[7].winners = 2; });
    row("one-winner", "no winner", [](auto &r) { r[0].rounds[0].winners = 0; });
    row("one-winner", "a round is missing", [](auto &r) { r[0].rounds[4].voided = true; });
    row("sequence", "B got it", [](auto &r) { r[0].log[3].what = What::Got; });
    row("sequence", "C gave up", [](auto &r) { r[1].log[5].what = What::TimedOut; });
    row("sequence", "a late release freed it", [](auto &r) { r[1].findings.foreignReleases = 1; });
    row("sequence", "an overlap without reason", [](auto &r) { r[0].findings.unexplainedOverlaps = 1; });
    row("sequence", "D started late", [](auto &r) { r[0].log[6].at += 20ms; });
    row("five-processes", "an overlap", [](auto &r) { r[0].findings.overlaps = 1; });
    row("five-processes", "a lock nobody got", [](auto &r) { r[0].log.removeLast(), r[0].log.removeLast(); });
    row("five-processes", "a lock not released", [](auto &r) { r[0].log.removeLast(); });
    row("five-processes", "a process without a try", [](auto &r) { r[0].log.removeFirst(); });
    row("orphan", "none", [](auto &r) { r[0].findings.orphans = 0; });
    row("orphan", "too early", [](auto &r) { r[1].log[1].at = 900ms; });
    row("orphan", "stuck", [](auto &r) { r[1].log.removeLast(); });
    row("foreign-release", "harmless", [](auto &r) { r[0].findings.foreignReleases = 0; });
    row("foreign-release", "no third one", [](auto &r) { r[0].findings.unexplainedOverlaps = 0; });
    row("foreign-release", "compared, and yet", [](auto &r) { r[1].findings.foreignReleases = 1; });
    row("foreign-release", "unexplained", [](auto &r) { r[1].findings.unexplainedOverlaps = 1; });
    row("paused-holder", "no overlap", [](auto &r) { r[0].findings.overlaps = 0; });
    row("paused-holder", "unexplained", [](auto &r) { r[1].findings.unexplainedOverlaps = 1; });
    row("paused-holder", "not written", [](auto &r) { r[0].findings.staleWrites = 0; });
    row("paused-holder", "accepted despite its token", [](auto &r) { r[1].findings.staleWrites = 1; });
    row("paused-holder", "not rejected", [](auto &r) { r[1].findings.rejectedWrites = 0; });
    row("crash", "too early", [](auto &r) { r[0].log[3].at = 990ms; });
    row("crash", "too late", [](auto &r) { r[0].log[3].at = 2500ms; });
    row("crash", "never", [](auto &r) { r[0].log.removeLast(); });
    row("crash", "nobody died", [](auto &r) { r[1].total.crashes = 0; });
    row("crash", "unexplained", [](auto &r) { r[1].findings.unexplainedOverlaps = 1; });
    row("crash", "one slept on", [](auto &r) { r[1].findings.lostWakeUps = 1; });
    row("watchdog", "not renewed", [](auto &r) { r[0].findings.overlaps = 1; });
    row("watchdog", "the other never entered", [](auto &r) { r[0].log.removeLast(); });
    row("watchdog", "renewed though stopped", [](auto &r) { r[1].findings.overlaps = 0; });
    row("watchdog", "unexplained", [](auto &r) { r[1].findings.unexplainedOverlaps = 1; });
    row("convoy", "nobody slow", [](auto &r) { r[0].total.pauses = 0; });
    row("convoy", "short waits", [](auto &r) { r[0].total.wait = {}, r[0].total.wait.record(10ms); });
    row("convoy", "an overlap", [](auto &r) { r[0].findings.overlaps = 1; });
    row("herd", "few commands", [](auto &r) { r[0].total.commands = 8000; });
    row("herd", "a quick herd",
        [](auto &r) { r[0].findings.handoff = {}, r[0].findings.handoff.record(20us); });
    row("herd", "an overlap", [](auto &r) { r[1].findings.overlaps = 1; });
    row("deadlock", "one after the other waits", [](auto &r) { r[0].total.timedOut = 1; });
    row("deadlock", "none", [](auto &r) { r[1].log[1].at = 400ms; });
    row("deadlock", "without an end", [](auto &r) { r[1].log.removeLast(); });
    row("deadlock", "nobody gives up", [](auto &r) { r[2].total.timedOut = 0; });
    row("deadlock", "a late end", [](auto &r) { r[2].log = {line(What::Released, 0, 3100ms)}; });
    row("deadlock", "waits in the same order", [](auto &r) { r[3].total.timedOut = 1; });
    row("fair-vs-unfair", "an unfair hand-off", [](auto &r) { r[1].acquiredByWorker = {50, 56}; });
    row("fair-vs-unfair", "a starving one", [](auto &r) { r[1].acquiredByWorker = {0, 0}; });
    row("fair-vs-unfair", "fair polling", [](auto &r) { r[0].acquiredByWorker = {50, 50}; });
    row("reentrancy", "a level is missing", [](auto &r) { r[2].log.removeLast(); });
    row("reentrancy", "a level timed out", [](auto &r) { r[1].log.append(line(What::TimedOut, 0, 1ms)); });
    row("reentrancy", "a token re-entered", [](auto &r) { r[4].log.removeLast(); });
    row("gap-in-release", "harmless", [](auto &r) { r[0].findings.foreignReleases = 0; });
    row("gap-in-release", "no third one", [](auto &r) { r[0].findings.unexplainedOverlaps = 0; });
    row("gap-in-release", "nobody paused", [](auto &r) { r[1].total.pauses = 0; });
    row("gap-in-release", "nobody paused before the script", [](auto &r) { r[2].total.pauses = 0; });
    row("gap-in-release", "watched, and yet", [](auto &r) { r[1].findings.foreignReleases = 1; });
    row("gap-in-release", "EXEC went through", [](auto &r) { r[1].total.execsRefused = 0; });
    row("gap-in-release", "watched, and two inside", [](auto &r) { r[1].findings.unexplainedOverlaps = 1; });
    row("gap-in-release", "compared, and yet", [](auto &r) { r[2].findings.foreignReleases = 1; });
    row("lost-reply", "no leak", [](auto &r) { r[0].findings.leaks = 0; });
    row("lost-reply", "a leak after a look", [](auto &r) { r[1].findings.leaks = 1; });
    row("lost-reply", "a leak by hand-off", [](auto &r) { r[2].findings.leaks = 1; });
    row("lost-reply", "not acquired", [](auto &r) { r[2].total.acquired = 0; });
}

void TestScenario::noticesWhatWentWrong()
{
    QFETCH(QByteArray, name);
    QFETCH(Change, change);
    QList<Report> reports = goodReports(named(name));
    change(reports);
    const Verdict verdict = named(name).judge(reports);
    QVERIFY(!verdict.met);
    QVERIFY(reported(verdict).contains(QStringLiteral("NOT met")));
}

void TestScenario::nothingMeetsNothing()
{
    for (const Scenario &scenario : scenarios())
        QVERIFY2(!scenario.judge(emptyReports(scenario)).met, scenario.name.constData());
}

void TestScenario::slippedStartsAreVoid()
{
    const ScenarioPhase act = named("sequence").acts({})[0];
    Report report = goodReports(named("sequence"))[0];
    QVERIFY(!isVoid(act, report));
    for (LogLine &each : report.log)
        each.at += 100ms; // all together: no slip
    QVERIFY(!isVoid(act, report));
    report.log[2].at += 14ms;
    QVERIFY(!isVoid(act, report));
    report.log[2].at += 3ms;
    QVERIFY(isVoid(act, report));
    report.stopped = true; // not to be repeated
    QVERIFY(!isVoid(act, report));
    ScenarioPhase other = act;
    other.slip.reset();
    report.stopped = false;
    QVERIFY(!isVoid(other, report));
}

void TestScenario::tellsTheVerdict()
{
    ScenarioReport report;
    report.scenario = &named("foreign-release");
    report.acts = report.scenario->acts({});
    report.reports = goodReports(*report.scenario);
    report.verdict = report.scenario->judge(report.reports);
    const QJsonObject json = toJson(report);
    QCOMPARE(json[u"scenario"], QStringLiteral("foreign-release"));
    QCOMPARE(json[u"met"], true);
    QCOMPARE(json[u"strategy"], QStringLiteral("token-set"));
    QCOMPARE(json[u"acts"].toArray().size(), 2);
    QCOMPARE(json[u"acts"].toArray()[1][u"title"], QStringLiteral("compare-and-delete"));
    QCOMPARE(json[u"foreign_releases"], 1); // of the first act
    QCOMPARE(json[u"findings"].toArray().size(), report.verdict.findings.size());
    QVERIFY(!json[u"expectation"].toString().isEmpty());

    const QString text = describe(report);
    QVERIFY(text.startsWith(scenarioCaption(*report.scenario) + u'\n'));
    QVERIFY(scenarioCaption(*report.scenario).startsWith(QStringLiteral("foreign-release")));
    QVERIFY(text.contains(u"== compare-and-delete =="));
    QVERIFY(text.contains(u"The expectation was met."));
    report.verdict.met = false;
    QVERIFY(describe(report).contains(u"The expectation was NOT met."));
    QCOMPARE(toJson(report)[u"met"], false);
}

void TestScenario::stoppedOnesHaveNoVerdict()
{
    ScenarioReport report;
    report.scenario = &named("herd");
    report.acts = report.scenario->acts({});
    report.stopped = true;
    QVERIFY(!toJson(report).contains(QStringLiteral("met")));
    QVERIFY(describe(report).contains(u"Stopped early"));
}

QTEST_GUILESS_MAIN(TestScenario)
#include "tst_scenario.moc"
