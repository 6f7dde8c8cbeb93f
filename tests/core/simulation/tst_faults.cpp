// SPDX-License-Identifier: GPL-3.0-or-later
// Every strategy and release on a real server: what goes wrong with it, and who notices.
#include "tests/core/simulation/runner.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(lockscope::Algorithm)

namespace {

const QList<Algorithm> &safeAlgorithms()
{
    using enum StrategyKind;
    using enum ReleaseForm;
    static const QList<Algorithm> all{
        {Reentrant, Usual},
        {Reentrant, Usual, WakeForm::BackOff},
        {Reentrant, Usual, WakeForm::Subscription},
        {TokenSet, CompareAndDelete},
        {TokenSet, CompareAndDeleteDone},
        {TokenSet, WatchedTransaction},
        {TokenSet, CompareAndDelete, WakeForm::Subscription},
        {TokenLua, CompareAndDelete},
        {TokenSetnx, CompareAndDelete},
        {Redisson, Usual},
        {Handoff, Usual},
    };
    return all;
}

QByteArray nameOf(const Algorithm &algorithm)
{
    return strategyName(algorithm.strategy) + ' ' + releaseName(algorithm.release) + ' ' +
           wakeName(algorithm.wake);
}

} // namespace

class TestFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void safeStrategiesAreFoundSafe_data();
    void safeStrategiesAreFoundSafe();
    void aHolderThatOverrunsItsLease_data();
    void aHolderThatOverrunsItsLease();
    void aPauseBetweenCheckAndDelete_data();
    void aPauseBetweenCheckAndDelete();
    void aCountThatNeverAsksTheServer();
    void aCrashBeforeTheExpiryLeavesAnOrphan();
    void aReleaseThatWakesNobody();
    void aLostReplyLeaks_data();
    void aLostReplyLeaks();
    void crashesDelayButNeverOverlap_data();
    void crashesDelayButNeverOverlap();
    void watchdogs_data();
    void watchdogs();
    void serverFaults_data();
    void serverFaults();

private:
    Bench m_bench;
};

void TestFaults::initTestCase()
{
    const Result<void> opened = m_bench.open();
    QVERIFY2(opened, opened ? "" : opened.error().detail.constData());
}

void TestFaults::safeStrategiesAreFoundSafe_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    for (const Algorithm &algorithm : safeAlgorithms())
        QTest::newRow(nameOf(algorithm).constData()) << algorithm;
}

void TestFaults::safeStrategiesAreFoundSafe()
{
    QFETCH(Algorithm, algorithm);
    Plan plan = contention(algorithm);
    plan.locks = 2;
    RUN(report, plan);
    QVERIFY(report->total.acquired > 20);
    QCOMPARE(report->total.acquired, report->total.attempts);
    QCOMPARE(report->findings.overlaps, 0);
    QVERIFY2(report->findings.isClean(), "nothing else either");
    QVERIFY(report->total.wait.count() == report->total.acquired);
    QVERIFY(report->total.commands >= 2 * report->total.acquired);
    QVERIFY(report->roundTrip > 0us);
}

/// The lease ends under the first holder, who then releases.
void TestFaults::aHolderThatOverrunsItsLease_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<bool>("deletesForeign");
    using enum StrategyKind;
    using enum ReleaseForm;
    const auto row = [](const Algorithm &algorithm, bool foreign) {
        QTest::newRow(nameOf(algorithm).constData()) << algorithm << foreign;
    };
    row({TokenSet, UncheckedDelete}, true);
    row({Reentrant, UncheckedDelete}, true);
    row({TokenCounted, Usual}, true);
    row({TokenSet, CheckThenDelete}, false); // unsafe too, but not here
    for (const ReleaseForm form : {CompareAndDelete, CompareAndDeleteDone, WatchedTransaction})
        row({TokenSet, form}, false);
    row({TokenSetnx, CompareAndDelete}, false);
    row({Reentrant, Usual}, false);
    row({Redisson, Usual}, false);
    row({Handoff, Usual}, false);
}

void TestFaults::aHolderThatOverrunsItsLease()
{
    QFETCH(Algorithm, algorithm);
    QFETCH(bool, deletesForeign);
    const milliseconds lease = hasWholeSecondLease(algorithm.strategy) ? 1000ms : 150ms;
    Plan plan = contention(algorithm, 6s);
    plan.workers = 2;
    Visit first;
    first.startAt = 0ms;
    first.lease = lease;
    first.hold = lease + 250ms;
    Visit second;
    second.startAt = 30ms;
    second.lease = 5s;
    second.hold = 800ms;
    plan.script = {{first}, {second}};
    RUN(report, plan);
    QCOMPARE(report->total.acquired, 2);
    QCOMPARE(report->findings.overlaps, 1);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
    QCOMPARE(report->findings.stories[0].explanation, Explanation::LeaseEnded);
    QCOMPARE(report->findings.foreignReleases, deletesForeign ? 1 : 0);
    const bool fenced = algorithm.strategy == StrategyKind::Handoff;
    QCOMPARE(report->findings.staleWrites, fenced ? 0 : 1);
    QCOMPARE(report->findings.rejectedWrites, fenced ? 1 : 0);
}

void TestFaults::aPauseBetweenCheckAndDelete_data()
{
    QTest::addColumn<ReleaseForm>("release");
    QTest::addColumn<bool>("deletesForeign");
    QTest::newRow("check-then-delete") << ReleaseForm::CheckThenDelete << true;
    QTest::newRow("compare-and-delete") << ReleaseForm::CompareAndDelete << false;
    QTest::newRow("watched-transaction") << ReleaseForm::WatchedTransaction << false;
}

void TestFaults::aPauseBetweenCheckAndDelete()
{
    QFETCH(ReleaseForm, release);
    QFETCH(bool, deletesForeign);
    Plan plan = contention({StrategyKind::TokenSet, release}, 6s);
    plan.workers = 2;
    Visit first;
    first.startAt = 0ms;
    first.lease = 250ms;
    first.hold = 50ms;
    first.fault = Fault::PauseInRelease;
    first.pause = 500ms;
    Visit second;
    second.startAt = 30ms;
    second.hold = 700ms;
    plan.script = {{first}, {second}};
    RUN(report, plan);
    QCOMPARE(report->findings.foreignReleases, deletesForeign ? 1 : 0);
    QCOMPARE(report->findings.overlaps, 0); // it had left its critical section in time
}

/// token-counted re-enters a lock that has expired, without noticing.
void TestFaults::aCountThatNeverAsksTheServer()
{
    Plan plan = contention({StrategyKind::TokenCounted}, 8s);
    plan.workers = 2;
    Visit first;
    first.startAt = 0ms;
    first.lease = 1s;
    first.levels = 2;
    first.step = 1300ms;
    first.hold = 300ms;
    Visit second;
    second.startAt = 50ms;
    second.lease = 5s;
    second.hold = 3s;
    plan.script = {{first}, {second}};
    RUN(report, plan);
    QCOMPARE(report->findings.overlaps, 1);
    QCOMPARE(report->findings.foreignReleases, 1);
}

void TestFaults::aCrashBeforeTheExpiryLeavesAnOrphan()
{
    Plan plan = contention({StrategyKind::TokenSetnx}, 600ms);
    plan.workers = 1;
    Visit visit;
    visit.lease = 1s;
    visit.fault = Fault::CrashBeforeExpiry;
    plan.script = {{visit}};
    RUN(alone, plan);
    QCOMPARE(alone->findings.orphans, 1);
    QCOMPARE(alone->total.crashes, 1);

    // A contender gives it an end, and has it after that.
    plan.workers = 2;
    plan.duration = 5s;
    Visit contender;
    contender.startAt = 300ms;
    contender.lease = 1s;
    plan.script = {{visit}, {contender}};
    RUN(repaired, plan);
    QCOMPARE(repaired->total.acquired, 1);
    QVERIFY(repaired->total.wait.max() >= 900ms);
}

/// A delete that bypasses the algorithm's own release leaves its waiters asleep until their timers end.
void TestFaults::aReleaseThatWakesNobody()
{
    for (const StrategyKind kind : {StrategyKind::Redisson, StrategyKind::Handoff}) {
        Plan plan = contention({kind, ReleaseForm::UncheckedDelete}, 8s);
        plan.workers = 2;
        Visit first;
        first.startAt = 0ms;
        first.lease = 1500ms;
        first.hold = 200ms;
        Visit second = first;
        second.startAt = 50ms;
        plan.script = {{first}, {second}};
        RUN(report, plan);
        QCOMPARE(report->findings.lostWakeUps, 1);
        QCOMPARE(report->findings.stories[0].intruder, 1);
        QVERIFY(report->findings.stories[0].since > 700ms);
    }
}

void TestFaults::aLostReplyLeaks_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<int>("leaks");
    Algorithm blind{StrategyKind::Reentrant};
    blind.blindRetry = true;
    QTest::newRow("reentrant, again without a look") << blind << 1;
    QTest::newRow("reentrant, after a look") << Algorithm{StrategyKind::Reentrant} << 0;
    blind.strategy = StrategyKind::Handoff;
    QTest::newRow("handoff, again without a look") << blind << 0; // asks for a level, not for one more
    QTest::newRow("token-set, after a look") << Algorithm{StrategyKind::TokenSet} << 0;
    QTest::newRow("redisson, after a look") << Algorithm{StrategyKind::Redisson} << 0;
}

void TestFaults::aLostReplyLeaks()
{
    QFETCH(Algorithm, algorithm);
    QFETCH(int, leaks);
    for (const Fault fault : {Fault::AcquireReplyLost, Fault::ReleaseReplyLost}) {
        Plan plan = contention(algorithm, 6s);
        plan.workers = 1;
        Visit visit;
        visit.lease = 1s;
        visit.fault = fault;
        plan.script = {{visit}};
        RUN(report, plan);
        QCOMPARE(report->total.acquired, 1);
        QCOMPARE(report->total.errors, 1);
        QCOMPARE(report->findings.leaks, fault == Fault::AcquireReplyLost ? leaks : 0);
        QCOMPARE(report->findings.overlaps, 0);
    }
}

void TestFaults::crashesDelayButNeverOverlap_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    for (const Algorithm &algorithm : safeAlgorithms()) {
        if (!hasWholeSecondLease(algorithm.strategy))
            QTest::newRow(nameOf(algorithm).constData()) << algorithm;
    }
}

void TestFaults::crashesDelayButNeverOverlap()
{
    QFETCH(Algorithm, algorithm);
    Plan plan = contention(algorithm, 1500ms);
    plan.lease = 150ms;
    plan.hold.low = plan.hold.high = 2ms;
    plan.crashRate = 0.05;
    RUN(report, plan);
    QVERIFY(report->total.crashes > 0);
    QCOMPARE(report->findings.overlaps, 0);
    QCOMPARE(report->findings.lostWakeUps, 0);
    QVERIFY(report->fewestAcquired() > 0);
    // A dead holder delays the others by its lease, and by little more.
    QVERIFY(report->total.wait.max() >= 75ms);
}

void TestFaults::watchdogs_data()
{
    QTest::addColumn<StrategyKind>("strategy");
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::TokenSet, StrategyKind::TokenLua,
                                    StrategyKind::Redisson, StrategyKind::Handoff})
        QTest::newRow(strategyName(kind).constData()) << kind;
}

void TestFaults::watchdogs()
{
    QFETCH(StrategyKind, strategy);
    Plan plan = contention({strategy}, 6s);
    plan.workers = 2;
    Visit first;
    first.startAt = 0ms;
    first.lease = 300ms;
    first.renew = 100ms;
    first.hold = 900ms;
    Visit second = first;
    second.startAt = 50ms;
    second.hold = 50ms;
    plan.script = {{first}, {second}};
    RUN(renewed, plan);
    QCOMPARE(renewed->findings.overlaps, 0);
    QCOMPARE(renewed->total.lost, 0);
    plan.script[0][0].fault = Fault::WatchdogStopped;
    RUN(stopped, plan);
    QCOMPARE(stopped->findings.overlaps, 1);
    QCOMPARE(stopped->findings.unexplainedOverlaps, 0);
}

void TestFaults::serverFaults_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<ServerFault>("fault");
    for (const auto &[name, fault] :
         {std::pair("pause", ServerFault::Pause), std::pair("restart", ServerFault::Restart),
          std::pair("flush", ServerFault::FlushAll)}) {
        for (const StrategyKind kind :
             {StrategyKind::Reentrant, StrategyKind::Redisson, StrategyKind::Handoff})
            QTest::addRow("%s %s", name, strategyName(kind).constData()) << Algorithm{kind} << fault;
    }
}

void TestFaults::serverFaults()
{
    QFETCH(Algorithm, algorithm);
    QFETCH(ServerFault, fault);
    Plan plan = contention(algorithm, 2500ms);
    plan.lease = 700ms;
    plan.hold.low = plan.hold.high = 5ms;
    plan.pause = 300ms;
    plan.serverFaults = {fault, fault};
    RUN(report, plan);
    QVERIFY(report->fewestAcquired() > 0);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
    QCOMPARE(report->findings.fenceViolations, 0);
    QCOMPARE(report->findings.orphans, 0);
    // Everyone was served after the last fault too.
    QVERIFY(report->total.acquired > 100);
}

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
