// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/strategyspec.h"
#include "tests/core/simulation/model/unusualplan.h"

#include <QtTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace lockscope;
using Change = std::function<void(Plan &)>;

namespace {

QList<StrategyKind> allStrategies()
{
    QList<StrategyKind> kinds;
    for (const StrategySpec *spec : strategySpecs())
        kinds.append(spec->kind);
    return kinds;
}

} // namespace

class TestPlan : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void everyStrategyIsDescribedOnce();
    void namesGoBothWays();
    void formsFit();
    void parsesHoldTimes_data();
    void parsesHoldTimes();
    void refusesHoldTimes_data();
    void refusesHoldTimes();
    void drawsHoldTimes();
    void drawsTheSameEverywhere();
    void defaultsCanRun();
    void findsFlaws_data();
    void findsFlaws();
};

void TestPlan::everyStrategyIsDescribedOnce()
{
    QCOMPARE(allStrategies().size(), 8);
    QSet<QByteArray> names;
    QSet<QByteArray> meanings;
    for (const StrategySpec *spec : strategySpecs()) {
        QCOMPARE(specOf(spec->kind).name, spec->name);
        QVERIFY(spec->make);
        names.insert(spec->name.toByteArray());
        meanings.insert(spec->meaning);
    }
    QCOMPARE(names.size(), 8);
    QCOMPARE(meanings.size(), 8);
}

void TestPlan::namesGoBothWays()
{
    for (const StrategyKind kind : allStrategies())
        QCOMPARE(fromName<StrategyKind>(nameOf(kind)), kind);
    QCOMPARE(nameOf(StrategyKind::TokenCounted), "token-counted");
    for (const ReleaseMethod form : {ReleaseMethod::CheckThenDelete, ReleaseMethod::CompareAndDelete,
                                     ReleaseMethod::CompareAndDeleteDone, ReleaseMethod::WatchedTransaction,
                                     ReleaseMethod::UncheckedDelete})
        QCOMPARE(fromName<ReleaseMethod>(nameOf(form)), form);
    for (const WakeMethod form : {WakeMethod::Poll, WakeMethod::Backoff, WakeMethod::Subscription})
        QCOMPARE(fromName<WakeMethod>(nameOf(form)), form);
    for (const WaitMode mode : {WaitMode::Try, WaitMode::Timeout, WaitMode::Block})
        QCOMPARE(fromName<WaitMode>(nameOf(mode)), mode);
    QVERIFY(nameOf(ReleaseMethod::Usual).isEmpty() && nameOf(WakeMethod::Usual).isEmpty());
    QVERIFY(!fromName<ReleaseMethod>("") && !fromName<WakeMethod>("") && !fromName<StrategyKind>("Handoff") &&
            !fromName<WaitMode>("tr"));
}

void TestPlan::formsFit()
{
    for (const StrategyKind kind : allStrategies()) {
        const bool token = nameOf(kind).startsWith("token");
        QVERIFY(releaseFits(kind, ReleaseMethod::Usual) && releaseFits(kind, ReleaseMethod::UncheckedDelete));
        QVERIFY(releaseFits(kind, specOf(kind).usualRelease) && wakeFits(kind, WakeMethod::Usual));
        for (const ReleaseMethod form :
             {ReleaseMethod::CheckThenDelete, ReleaseMethod::CompareAndDelete,
              ReleaseMethod::CompareAndDeleteDone, ReleaseMethod::WatchedTransaction})
            QCOMPARE(releaseFits(kind, form), token);
        QCOMPARE(specOf(kind).usualRelease == ReleaseMethod::Usual, !token);
        const bool waitsItself = kind == StrategyKind::Handoff || kind == StrategyKind::Redisson;
        QCOMPARE(wakeFits(kind, WakeMethod::Poll), !waitsItself);
        QCOMPARE(wakeFits(kind, WakeMethod::Subscription), !waitsItself);
        QCOMPARE(wakeFits(kind, WakeMethod::Backoff), kind != StrategyKind::Handoff);
        QCOMPARE(specOf(kind).isReentrant, !token || kind == StrategyKind::TokenCounted);
        QCOMPARE(specOf(kind).inWholeSeconds,
                 kind == StrategyKind::TokenSetnx || kind == StrategyKind::TokenCounted);
    }
}

void TestPlan::parsesHoldTimes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("shape");
    QTest::addColumn<int>("low");
    QTest::addColumn<int>("high");

    const auto row = [](const char *text, HoldTime::Shape shape, int low, int high) {
        QTest::newRow(text) << QByteArray(text) << static_cast<int>(shape) << low << high;
    };
    row("5", HoldTime::Shape::Fixed, 5000, 5000);
    row("0", HoldTime::Shape::Fixed, 0, 0);
    row("0.5", HoldTime::Shape::Fixed, 500, 500);
    row("0.001", HoldTime::Shape::Fixed, 1, 1);
    row("1234567.891", HoldTime::Shape::Fixed, 1'234'567'891, 1'234'567'891);
    row("uniform:1..20", HoldTime::Shape::Uniform, 1000, 20'000);
    row("uniform:0.5..0.5", HoldTime::Shape::Uniform, 500, 500);
    row("exp:5", HoldTime::Shape::Exponential, 5000, 5000);
}

void TestPlan::parsesHoldTimes()
{
    QFETCH(QByteArray, text);
    QFETCH(int, shape);
    QFETCH(int, low);
    QFETCH(int, high);
    const auto hold = HoldTime::parse(text);
    QVERIFY(hold);
    QCOMPARE(static_cast<int>(hold->shape), shape);
    QCOMPARE(hold->low, microseconds(low));
    QCOMPARE(hold->high, microseconds(high));
    QCOMPARE(hold->toText(), text);
}

void TestPlan::refusesHoldTimes_data()
{
    QTest::addColumn<QByteArray>("text");

    for (const char *text :
         {"", ".", "-1", "1e3", "nan", "inf", "abc", " 1", "1,5", "9999999999999", "uniform:", "uniform:5",
          "uniform:20..1", "uniform:..", "exp:", "exp:0", "exp:-1", "EXP:1"})
        QTest::newRow(text) << QByteArray(text);
}

void TestPlan::refusesHoldTimes()
{
    QFETCH(QByteArray, text);
    QVERIFY(!HoldTime::parse(text));
}

void TestPlan::drawsHoldTimes()
{
    std::mt19937 random(7);
    QCOMPARE(HoldTime::parse("5")->draw(random), microseconds(5000));

    const HoldTime uniform = *HoldTime::parse("uniform:1..3");
    const HoldTime exponential = *HoldTime::parse("exp:2");
    double uniformSum = 0;
    double exponentialSum = 0;
    constexpr int draws = 10'000;
    for (int i = 0; i < draws; ++i) {
        const microseconds one = uniform.draw(random);
        QVERIFY(one >= microseconds(1000) && one <= microseconds(3000));
        const microseconds other = exponential.draw(random);
        QVERIFY(other >= microseconds(0) && other <= microseconds(20'000));
        uniformSum += static_cast<double>(one.count());
        exponentialSum += static_cast<double>(other.count());
    }
    QVERIFY(std::abs(uniformSum / draws - 2000) < 50);
    QVERIFY(std::abs(exponentialSum / draws - 2000) < 100);

    std::mt19937 first(3);
    std::mt19937 second(3);
    QCOMPARE(exponential.draw(first), exponential.draw(second));
}

/// The generator is defined to the bit, and nothing else has a part in it.
void TestPlan::drawsTheSameEverywhere()
{
    std::mt19937 random;
    QCOMPARE(drawShare(random), 3'499'211'612.0 / 4'294'967'296.0);
    random.discard(9998);
    QCOMPARE(drawShare(random), 4'123'659'995.0 / 4'294'967'296.0);
}

void TestPlan::defaultsCanRun()
{
    QCOMPARE(Plan().validationError(), std::nullopt);
    Plan unusual = unusualPlan();
    unusual.rounds.reset();
    QCOMPARE(unusual.validationError(), std::nullopt);
    unusual = unusualPlan();
    unusual.serverFaults.clear();
    QCOMPARE(unusual.validationError(), std::nullopt);
}

void TestPlan::findsFlaws_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("flaw");

    const auto row = [](const char *name, const Change &change, const char *flaw) {
        QTest::newRow(name) << change << QString::fromLatin1(flaw);
    };
    row(
        "no name", [](Plan &p) { p.name.clear(); }, "name");
    row(
        "a bad name", [](Plan &p) { p.name = "a:b"; }, "name");
    row(
        "no workers", [](Plan &p) { p.workers = 0; }, "Workers: choose 1 to 256");
    row(
        "257 workers", [](Plan &p) { p.workers = 257; }, "Workers: choose 1 to 256");
    row(
        "no processes", [](Plan &p) { p.processes = 0; }, "1 to 8 processes");
    row(
        "more processes than workers", [](Plan &p) { p.processes = 9; }, "1 to 8 processes");
    row(
        "65 processes", [](Plan &p) { p.workers = p.processes = 65; }, "1 to 64 processes");
    row(
        "no locks", [](Plan &p) { p.locks = 0; }, "Locks: choose 1 to 1,000.");
    row(
        "1001 locks", [](Plan &p) { p.locks = 1001; }, "Locks: choose 1 to 1,000.");
    row(
        "no rounds", [](Plan &p) { p.rounds = 0; }, "Rounds: choose 1 to 10,000.");
    row(
        "10001 rounds", [](Plan &p) { p.rounds = 10'001; }, "Rounds: choose 1 to 10,000.");
    row(
        "no time", [](Plan &p) { p.duration = milliseconds(0); }, "Duration: choose");
    row(
        "a day and more", [](Plan &p) { p.duration = milliseconds(86'400'001); }, "Duration: choose");
    row(
        "two keys for a lock",
        [](Plan &p) {
            p.keys = {"a", "b"};
        },
        "key of its own");
    row(
        "an empty key", [](Plan &p) { p.keys = {""}; }, "key of its own");
    row(
        "a key twice",
        [](Plan &p) {
            p.locks = 2, p.keys = {"a", "a"};
        },
        "key of its own");
    row(
        "a release that does not fit", [](Plan &p) { p.algorithm.release = ReleaseMethod::CompareAndDelete; },
        "The strategy reentrant does not support compare-and-delete");
    row(
        "a wake that does not fit",
        [](Plan &p) { p.algorithm = {.strategy = StrategyKind::Handoff, .wake = WakeMethod::Poll}; },
        "The strategy handoff does not support poll");
    row(
        "polls without end", [](Plan &p) { p.algorithm.poll = milliseconds(0); }, "Poll interval: choose");
    row(
        "lease too short", [](Plan &p) { p.lease = milliseconds(9); }, "Lease: choose 10 ms to ");
    row(
        "lease of a part of a second",
        [](Plan &p) { p.algorithm.strategy = StrategyKind::TokenCounted, p.lease = milliseconds(1500); },
        "token-counted needs a lease in whole seconds");
    row(
        "hold too long", [](Plan &p) { p.hold.low = p.hold.high = std::chrono::hours(2); },
        "Hold time: choose");
    row(
        "negative hold", [](Plan &p) { p.hold.low = microseconds(-1); }, "Hold time: choose");
    row(
        "negative rest", [](Plan &p) { p.rest = milliseconds(-1); }, "Think time: choose");
    row(
        "negative pause", [](Plan &p) { p.pause = milliseconds(-1); }, "Pause length: choose");
    row(
        "negative timeout", [](Plan &p) { p.timeout = milliseconds(-1); }, "Wait timeout: choose");
    row(
        "no level", [](Plan &p) { p.reentry = 0; }, "Re-entry: choose 1 to 64.");
    row(
        "65 levels", [](Plan &p) { p.reentry = 65; }, "Re-entry: choose 1 to 64.");
    row(
        "re-enters a token", [](Plan &p) { p.reentry = 2, p.algorithm.strategy = StrategyKind::TokenSet; },
        "token-set can't be re-entered");
    row(
        "rate above 1", [](Plan &p) { p.crashRate = 1.01; }, "from 0 to 1");
    row(
        "rate below 0", [](Plan &p) { p.replyLossRate = -0.01; }, "from 0 to 1");
    row(
        "no number", [](Plan &p) { p.pauseRate = std::numeric_limits<double>::quiet_NaN(); }, "from 0 to 1");
    row(
        "rates above 1 together", [](Plan &p) { p.crashRate = p.pauseRate = 0.6; }, "must not exceed 1");
    row(
        "rounds and faults of the server",
        [](Plan &p) { p.rounds = 1, p.serverFaults = {ServerFault::Pause}; },
        "need a duration instead of rounds");
    row(
        "split crash elsewhere", [](Plan &p) { p.splitCrashRate = 0.1; }, "Only token-setnx");
    row(
        "no watchdog to stop", [](Plan &p) { p.watchdogStopRate = 0.1; }, "watchdog");
    row(
        "a script for too few", [](Plan &p) { p.script = {{}}; }, "Invalid script: number of workers");
    const auto visitRow = [&](const char *name, void (*change)(Iteration &), const char *flaw) {
        const auto play = [change](Plan &plan) {
            plan.workers = 1;
            plan.script = {{Iteration()}};
            change(plan.script[0][0]);
        };
        row(name, play, flaw);
    };
    visitRow(
        "a visit to no lock", [](Iteration &v) { v.locks.clear(); }, "Invalid script: locks of an iteration");
    visitRow(
        "a visit to another's lock", [](Iteration &v) { v.locks = {1}; },
        "Invalid script: locks of an iteration");
    visitRow(
        "a lock twice",
        [](Iteration &v) {
            v.locks = {0, 0};
        },
        "Invalid script: locks of an iteration");
    visitRow(
        "a visit before the start", [](Iteration &v) { v.startAt = milliseconds(-1); },
        "Invalid script: times of an iteration");
    visitRow(
        "a visit's lease", [](Iteration &v) { v.lease = milliseconds(0); }, "Lease: choose");
    visitRow(
        "a visit's levels", [](Iteration &v) { v.levels = 65; }, "Re-entry: choose 1 to 64.");
    visitRow(
        "a visit's algorithm",
        [](Iteration &v) { v.algorithm = Algorithm{.release = ReleaseMethod::WatchedTransaction}; },
        "does not support");
}

void TestPlan::findsFlaws()
{
    QFETCH(Change, change);
    QFETCH(QString, flaw);
    Plan plan;
    change(plan);
    const auto found = plan.validationError();
    QVERIFY(found);
    QVERIFY2(found->inEnglish().contains(flaw), qPrintable(found->inEnglish()));
}

QTEST_GUILESS_MAIN(TestPlan)
#include "tst_plan.moc"
