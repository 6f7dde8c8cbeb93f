// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/report.h"
#include "core/words/simulationmessages.h"

#include <QJsonArray>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

Report sampleReport()
{
    Report report;
    report.plan.algorithm.strategy = StrategyKind::TokenSet;
    report.plan.workers = 4;
    report.plan.seed = 7;
    report.keys = {"sim:run-1:1"};
    report.total.attempts = 12;
    report.total.acquired = 9;
    report.total.refused = 2;
    report.total.timedOut = 1;
    report.total.commands = 30;
    for (const int value : {100, 110, 120, 20'400, 3'000'000})
        report.total.wait.record(microseconds(value));
    report.total.hold.record(1ms);
    report.acquiredByWorker = {3, 3, 2, 1};
    report.findings.handoff.record(250us);
    report.duration = 5'000'600us;
    report.roundTrip = 80us;
    return report;
}

Violation overlap(OverlapCause explanation)
{
    Violation violation;
    violation.explanation = explanation;
    violation.holder = 2;
    violation.intruder = 3;
    violation.at = 1352ms;
    return violation;
}

} // namespace

class TestReport : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void talliesMerge();
    void roundsMerge();
    void computesFairness();
    void countsWinnersOfValidRounds();
    void jsonHasTheContract();
    void jsonLeavesOutWhatIsNotKnown();
    void textTellsFiguresAndHistograms();
    void textTellsFaultsOfTheServer();
    void textTellsViolations();
    void textTellsTheLogOfAScript();
    void textFitsItsWidth_data();
    void textFitsItsWidth();
};

void TestReport::talliesMerge()
{
    WorkerStats all = sampleReport().total;
    WorkerStats other;
    other.attempts = other.acquired = other.refused = other.timedOut = other.lost = 1;
    other.errors = other.crashes = other.pauses = other.commands = 2;
    other.wait.record(5s);
    all.merge(other);
    QCOMPARE(all.attempts, 13);
    QCOMPARE(all.acquired, 10);
    QCOMPARE(all.refused, 3);
    QCOMPARE(all.timedOut, 2);
    QCOMPARE(all.lost, 1);
    QCOMPARE(all.errors, 2);
    QCOMPARE(all.crashes, 2);
    QCOMPARE(all.pauses, 2);
    QCOMPARE(all.commands, 32);
    QCOMPARE(all.wait.count(), 6);
    QCOMPARE(all.wait.max(), 5s);
}

void TestReport::roundsMerge()
{
    Round round{3, 0, 0, 0us, 0us, false};
    round.merge({3, 2, 1, 500us, 900us, false});
    round.merge({3, 3, 0, 400us, 700us, true});
    round.merge({3, 0, 0, 0us, 0us, false}); // a process without a try knows no times
    QCOMPARE(round.number, 3);
    QCOMPARE(round.tried, 5);
    QCOMPARE(round.winners, 1);
    QCOMPARE(round.firstTry, 400us);
    QCOMPARE(round.lastTry, 900us);
    QVERIFY(round.voided);
}

void TestReport::computesFairness()
{
    Report report;
    QCOMPARE(report.fairness(), 0.0);
    QCOMPARE(report.commandsPerAcquisition(), 0.0);
    QCOMPARE(report.maxAcquired(), 0);
    report.acquiredByWorker = {5, 5, 5, 5};
    QCOMPARE(report.fairness(), 1.0);
    report.acquiredByWorker = {20, 0, 0, 0};
    QCOMPARE(report.fairness(), 0.25);
    QCOMPARE(report.fewestAcquired(), 0);
    QCOMPARE(report.maxAcquired(), 20);
}

void TestReport::countsWinnersOfValidRounds()
{
    Report report;
    QCOMPARE(report.fewestWinners(), 0);
    report.rounds = {{0, 4, 1, {}, {}, false}, {0, 4, 7, {}, {}, true}, {1, 4, 2, {}, {}, false}};
    QCOMPARE(report.validRounds(), 2);
    QCOMPARE(report.fewestWinners(), 1);
    QCOMPARE(report.maxWinners(), 2);
}

void TestReport::jsonHasTheContract()
{
    Report report = sampleReport();
    report.rounds = {{0, 4, 1, {}, {}, false}, {0, 4, 7, {}, {}, true}};
    report.findings.overlaps = 2;
    report.findings.unexplainedOverlaps = 1;
    report.findings.foreignReleases = 3;
    report.findings.examples = {overlap(OverlapCause::None)};
    const QJsonObject json = toJson(report);
    QCOMPARE(json[u"strategy"], QStringLiteral("token-set"));
    QCOMPARE(json[u"release"], QStringLiteral("compare-and-delete"));
    QCOMPARE(json[u"workers"], 4);
    QCOMPARE(json[u"processes"], 1);
    QCOMPARE(json[u"rounds"], 1);
    QCOMPARE(json[u"rounds_voided"], 1);
    QCOMPARE(json[u"seed"], 7);
    QCOMPARE(json[u"attempts"], 12);
    QCOMPARE(json[u"acquired"], 9);
    QCOMPARE(json[u"refused"], 2);
    QCOMPARE(json[u"timed_out"], 1);
    QCOMPARE(json[u"violations"], 2);
    QCOMPARE(json[u"unexplained_violations"], 1);
    QCOMPARE(json[u"foreign_releases"], 3);
    QCOMPARE(json[u"orphans"], 0);
    QCOMPARE(json[u"winners_per_round"],
             (QJsonObject{{QStringLiteral("min"), 1}, {QStringLiteral("max"), 1}}));
    QCOMPARE(json[u"wait_ms"][u"p50"], 0.12); // decimals below 10 ms, whole numbers above
    QCOMPARE(json[u"wait_ms"][u"max"], 3000);
    QCOMPARE(json[u"hold_ms"][u"p99"], 1);
    QCOMPARE(json[u"handoff_us"][u"p95"], 250);
    QCOMPARE(json[u"commands"], 30);
    QCOMPARE(json[u"commands_per_acquisition"], 3.333);
    QCOMPARE(json[u"fairness"], 0.8804);
    QCOMPARE(json[u"duration_ms"], 5001);
    QCOMPARE(json[u"acquired_per_worker"],
             (QJsonObject{{QStringLiteral("min"), 1}, {QStringLiteral("max"), 3}}));
    QCOMPARE(json[u"round_trip_us"], 80);
    QCOMPARE(json[u"stories"].toArray().size(), 1);
    QCOMPARE(json[u"stopped"], false);
    report.plan.serverFaults = {ServerFault::Pause, ServerFault::Restart, ServerFault::Pause};
    report.serverFaults = 2;
    QCOMPARE(toJson(report)[u"server_faults"], 2);
}

void TestReport::jsonLeavesOutWhatIsNotKnown()
{
    const QJsonObject json = toJson(Report());
    for (const char *name :
         {"winners_per_round", "wait_ms", "hold_ms", "handoff_us", "commands_per_acquisition", "fairness",
          "acquired_per_worker", "round_trip_us", "wake", "release", "server_faults"})
        QVERIFY2(!json.contains(QLatin1String(name)), name);
    QCOMPARE(json[u"acquired"], 0);
    QCOMPARE(json[u"rounds"], 0);
}

void TestReport::textTellsFiguresAndHistograms()
{
    const QString text = describe(sampleReport());
    for (const char *part :
         {"token-set", "seed 7", "9 of 12", "3.33", "0.880", "1 to 3", "80 µs", "Wait: p50 120 µs",
          "longest 3.00 s", "100 µs – 200 µs", "Handoff: p50 250 µs", "█", "No violations."})
        QVERIFY2(text.contains(QString::fromUtf8(part)), part);
    QVERIFY(!text.contains(u"Rounds"));
    QVERIFY(!describe(Report()).contains(u"Wait"));
}

void TestReport::textTellsFaultsOfTheServer()
{
    Report report = sampleReport();
    QVERIFY(!describe(report).contains(u"Server faults"));
    report.plan.serverFaults = {ServerFault::Pause, ServerFault::Restart, ServerFault::Pause};
    report.serverFaults = 2;
    const QString text = describe(report, 200);
    QVERIFY2(text.contains(QRegularExpression(QStringLiteral("Server faults +2 of 3"))), qPrintable(text));
}

void TestReport::textTellsViolations()
{
    Report report = sampleReport();
    report.findings.overlaps = 5;
    report.findings.unexplainedOverlaps = 4;
    report.findings.leaks = 1;
    report.findings.examples = QList<Violation>(5, overlap(OverlapCause::None));
    const QString text = describe(report, 200);
    QVERIFY(text.contains(u"Violations:"));
    QVERIFY(text.contains(u"4 × overlap before"));
    QVERIFY(text.contains(u"1 × overlap after"));
    QVERIFY(text.contains(u"1 × leaked lock"));
    QVERIFY(!text.contains(u"lock without expiry") && !text.contains(u"foreign release"));
    QCOMPARE(text.count(u"W4 entered"), 3); // three stories only
    // A sort that has not been told yet comes before more of the same.
    Violation removed = overlap(OverlapCause::None);
    removed.kind = ViolationKind::ForeignRelease;
    report.findings.examples.append(removed);
    const QString both = describe(report, 200);
    QCOMPARE(both.count(u"W4 entered"), 2);
    QCOMPARE(both.count(u"deleted the lock of"), 1);
}

void TestReport::textTellsTheLogOfAScript()
{
    Report report = sampleReport();
    report.log = {{LogLine::What::Tried, 0, 0, 1ms, 1'000}, {LogLine::What::Refused, 1, 1, 31ms, 1'030}};
    QVERIFY(!describe(report).contains(u"was refused"));
    report.plan.script = {{Iteration()}};
    const QString text = describe(report);
    QVERIFY2(text.contains(u"31 ms  W2  lock 2  was refused"), qPrintable(text));
    QVERIFY(text.contains(u".030")); // of the clock, to the millisecond
}

void TestReport::textFitsItsWidth_data()
{
    QTest::addColumn<int>("width");
    for (const int width : {60, 80, 100, 300})
        QTest::addRow("%d", width) << width;
}

void TestReport::textFitsItsWidth()
{
    QFETCH(int, width);
    Report report = sampleReport();
    report.keys = {QByteArray(200, 'k')};
    report.findings.overlaps = 1;
    report.findings.examples = {overlap(OverlapCause::LeaseEnded)};
    report.plan.script = {{Iteration()}};
    report.log = {{LogLine::What::Refused, 255, 999, 86'400s, 0},
                  {LogLine::What::TimedOut, 255, 999, 86'400s, 0}};
    report.plan.serverFaults = {ServerFault::Pause};
    const QString text = describe(report, width);
    QVERIFY(text.contains(u"W256"));
    for (const QString &line : text.split(u'\n')) {
        QVERIFY2(line.size() <= width, qPrintable(line));
        QVERIFY2(!line.endsWith(u' '), qPrintable(line));
    }
    QVERIFY(text.endsWith(u'\n'));
}

QTEST_GUILESS_MAIN(TestReport)
#include "tst_report.moc"
