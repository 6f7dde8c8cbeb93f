// SPDX-License-Identifier: GPL-3.0-or-later
// Every strategy and release on a real server: what goes wrong with it, and who notices.
#include "core/simulation/model/strategyspec.h"
#include "tests/core/simulation/run/runner.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QList<Algorithm> &safeAlgorithms()
{
    using enum StrategyKind;
    using enum ReleaseMethod;
    static const QList<Algorithm> all{
        {Reentrant, Usual},
        {Reentrant, Usual, WakeMethod::Backoff},
        {Reentrant, Usual, WakeMethod::Subscription},
        {TokenSet, CompareAndDelete},
        {TokenSet, CompareAndDeleteDone},
        {TokenSet, WatchedTransaction},
        {TokenSet, CompareAndDelete, WakeMethod::Subscription},
        {TokenLua, CompareAndDelete},
        {TokenSetnx, CompareAndDelete},
        {Redisson, Usual},
        {Handoff, Usual},
    };
    return all;
}

QByteArray nameOf(const Algorithm &algorithm)
{
    return nameOf(algorithm.strategy) + ' ' + nameOf(algorithm.release) + ' ' + nameOf(algorithm.wake);
}

void rowsOf(const QList<StrategyKind> &strategies)
{
    QTest::addColumn<StrategyKind>("strategy");
    for (const StrategyKind kind : strategies)
        QTest::newRow(nameOf(kind).constData()) << kind;
}

} // namespace

class TestFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QCOMPARE(m_bench.open(), QByteArray()); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void safeStrategiesAreFoundSafe_data();
    void safeStrategiesAreFoundSafe();
    void aHolderThatOverrunsItsLease_data();
    void aHolderThatOverrunsItsLease();
    void aPauseBetweenCheckAndDelete_data();
    void aPauseBetweenCheckAndDelete();
    void aCountThatNeverAsksTheServer();
    void aCrashBeforeTheExpiryLeavesAnOrphan();
    void anOrphanAmongAThousandLocks();
    void lostRepliesLeaveNoOrphan();
    void aReleaseThatWakesNobody();
    void aLostReplyLeaks_data();
    void aLostReplyLeaks();
    void aPauseInTheCriticalSection_data();
    void aPauseInTheCriticalSection();
    void timeouts_data();
    void timeouts();
    void aDeadHolderDelaysByItsLeaseAlone_data();
    void aDeadHolderDelaysByItsLeaseAlone();
    void crashesDelayButNeverOverlap_data();
    void crashesDelayButNeverOverlap();

private:
    Bench m_bench;
};

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
    QVERIFY(report->total.acquired > 0);
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
    using enum ReleaseMethod;
    const auto row = [](const Algorithm &algorithm, bool foreign) {
        QTest::newRow(nameOf(algorithm).constData()) << algorithm << foreign;
    };
    row({TokenSet, UncheckedDelete}, true);
    row({Reentrant, UncheckedDelete}, true);
    row({TokenCounted, Usual}, true);
    row({TokenSet, CheckThenDelete}, false); // unsafe too, but not here
    for (const ReleaseMethod form : {CompareAndDelete, CompareAndDeleteDone, WatchedTransaction})
        row({TokenSet, form}, false);
    row({TokenSetnx, CompareAndDelete}, false);
    row({TokenFenced, Usual}, false);
    row({Reentrant, Usual}, false);
    row({Redisson, Usual}, false);
    row({Handoff, Usual}, false);
}

void TestFaults::aHolderThatOverrunsItsLease()
{
    QFETCH(Algorithm, algorithm);
    QFETCH(bool, deletesForeign);
    const milliseconds lease = specOf(algorithm.strategy).inWholeSeconds ? 1000ms : 150ms;
    Plan plan = contention(algorithm, 6s);
    plan.workers = 2;
    Iteration first = visit(0ms, lease, lease + 700ms); // the other may get its turn late on a busy machine
    Iteration second = visit(30ms, 5s, 800ms);
    plan.script = {{first}, {second}};
    RUN(report, plan);
    QCOMPARE(report->total.acquired, 2);
    QCOMPARE(report->findings.overlaps, 1);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
    QCOMPARE(report->findings.examples[0].explanation, OverlapCause::LeaseEnded);
    QCOMPARE(report->findings.foreignReleases, deletesForeign ? 1 : 0);
    const bool fenced = specOf(algorithm.strategy).givesFences;
    QCOMPARE(report->findings.staleWrites, fenced ? 0 : 1);
    QCOMPARE(report->findings.rejectedWrites, fenced ? 1 : 0);
}

void TestFaults::aPauseBetweenCheckAndDelete_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<bool>("deletesForeign");
    using enum StrategyKind;
    using enum ReleaseMethod;
    const auto row = [](const Algorithm &algorithm, bool foreign) {
        QTest::newRow(nameOf(algorithm).constData()) << algorithm << foreign;
    };
    row({TokenSet, CheckThenDelete}, true);
    row({TokenLua, UncheckedDelete}, true); // between deciding to delete and the delete
    for (const ReleaseMethod form : {CompareAndDelete, CompareAndDeleteDone, WatchedTransaction})
        row({TokenSet, form}, false);
    for (const StrategyKind kind : {Reentrant, Redisson, Handoff})
        row({kind, Usual}, false);
}

void TestFaults::aPauseBetweenCheckAndDelete()
{
    QFETCH(Algorithm, algorithm);
    QFETCH(bool, deletesForeign);
    Plan plan = contention(algorithm, 6s);
    plan.workers = 2;
    Iteration first = visit(0ms, 700ms, 50ms); // time enough to come to its check, on a slow machine too
    first.fault = Fault::PauseInRelease;
    first.pause = 1s;
    Iteration second;
    second.startAt = 30ms;
    second.hold = 1s;
    plan.script = {{first}, {second}};
    RUN(report, plan);
    QCOMPARE(report->findings.foreignReleases, deletesForeign ? 1 : 0);
    QCOMPARE(report->findings.overlaps, 0); // it had left its critical section in time
    QCOMPARE(report->total.acquired, 2);
    QCOMPARE(report->total.pauses, 1);
    QCOMPARE(report->total.execsRefused, algorithm.release == ReleaseMethod::WatchedTransaction ? 1 : 0);
}

/// token-counted re-enters a lock that has expired, without noticing.
void TestFaults::aCountThatNeverAsksTheServer()
{
    Plan plan = contention({StrategyKind::TokenCounted}, 8s);
    plan.workers = 2;
    Iteration first;
    first.startAt = 0ms;
    first.lease = 1s;
    first.levels = 2;
    first.step = 1300ms;
    first.hold = 300ms;
    Iteration second = visit(50ms, 5s, 3s);
    plan.script = {{first}, {second}};
    RUN(report, plan);
    QCOMPARE(report->findings.overlaps, 1);
    QCOMPARE(report->findings.foreignReleases, 1);
}

void TestFaults::aCrashBeforeTheExpiryLeavesAnOrphan()
{
    Plan plan = contention({StrategyKind::TokenSetnx}, 600ms);
    plan.workers = 1;
    Iteration visit;
    visit.lease = 1s;
    visit.fault = Fault::CrashBeforeExpiry;
    plan.script = {{visit}};
    RUN(alone, plan);
    QCOMPARE(alone->findings.orphans, 1);
    QCOMPARE(alone->total.crashes, 1);

    // A contender gives it an end, and has it after that.
    plan.workers = 2;
    plan.duration = 5s;
    Iteration contender;
    contender.startAt = 300ms;
    contender.lease = 1s;
    plan.script = {{visit}, {contender}};
    RUN(repaired, plan);
    QCOMPARE(repaired->total.acquired, 1);
    QVERIFY(repaired->total.wait.max() >= 900ms);
}

/// Too many to look at all at once: it is found in its turn, while the run goes on.
void TestFaults::anOrphanAmongAThousandLocks()
{
    Plan plan = contention({StrategyKind::TokenSetnx}, 60s);
    plan.workers = 2;
    plan.locks = 1000;
    Iteration dies;
    dies.locks = {900};
    dies.lease = 60s;
    dies.fault = Fault::CrashBeforeExpiry;
    Iteration lasts;
    lasts.locks = {0};
    lasts.lease = 60s;
    lasts.hold = 55s;
    plan.script = {{dies}, {lasts}};
    Runner &runner = m_bench.runner();
    bool seen = false;
    const auto watch = [&](const SimulationSnapshot &picture) {
        if (picture.findings.orphans == 0)
            return;
        seen = true;
        runner.simulation().stop();
    };
    RUN(report, plan, watch);
    QVERIFY2(seen && report->stopped, "not at the end alone");
    QCOMPARE(report->findings.orphans, 1);
    QCOMPARE(report->findings.examples[0].lock, 900);
}

/// SETNX was answered to nobody: whoever finds that it ran gives the lock its end.
void TestFaults::lostRepliesLeaveNoOrphan()
{
    Plan plan = contention({StrategyKind::TokenSetnx}, 2s);
    plan.lease = 1s;
    plan.replyLossRate = 0.3;
    RUN(report, plan);
    QVERIFY(report->total.errors > 0);
    QVERIFY(report->total.acquired >= plan.workers);
    QCOMPARE(report->findings.orphans, 0);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
}

/// A delete that bypasses the algorithm's own release leaves its waiters asleep until their timers end.
void TestFaults::aReleaseThatWakesNobody()
{
    for (const StrategyKind kind : {StrategyKind::Redisson, StrategyKind::Handoff}) {
        Plan plan = contention({kind, ReleaseMethod::UncheckedDelete}, 8s);
        plan.workers = 2;
        Iteration first = visit(0ms, 1500ms, 200ms);
        Iteration second = first;
        second.startAt = 50ms;
        plan.script = {{first}, {second}};
        RUN(report, plan);
        QCOMPARE(report->findings.lostWakeUps, 1);
        QCOMPARE(report->findings.examples[0].intruder, 1);
        QVERIFY(report->findings.examples[0].since > 700ms);
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
    QTest::newRow("token-setnx, after a look") << Algorithm{StrategyKind::TokenSetnx} << 0;
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
        Iteration visit;
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

void TestFaults::aPauseInTheCriticalSection_data()
{
    rowsOf({StrategyKind::TokenSet, StrategyKind::Handoff});
}

/// Its clock stands still too: it works on afterwards as though nothing had been.
void TestFaults::aPauseInTheCriticalSection()
{
    QFETCH(StrategyKind, strategy);
    Plan plan = contention({strategy}, 6s);
    plan.workers = 2;
    Iteration paused = visit(0ms, 300ms, 100ms);
    paused.fault = Fault::PauseHolding;
    paused.pause = 700ms;
    Iteration second = visit(50ms, 5s, 600ms);
    plan.script = {{paused}, {second}};
    RUN(report, plan);
    QCOMPARE(report->total.pauses, 1);
    QCOMPARE(report->total.acquired, 2);
    QCOMPARE(report->total.lost, 1); // as it found at its release
    QVERIFY(report->total.hold.max() >= 800ms);
    QCOMPARE(report->findings.overlaps, 1);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
    QCOMPARE(report->findings.examples[0].explanation, OverlapCause::LeaseEnded);
    const bool fenced = strategy == StrategyKind::Handoff;
    QCOMPARE(report->findings.staleWrites, fenced ? 0 : 1);
    QCOMPARE(report->findings.rejectedWrites, fenced ? 1 : 0);
}

void TestFaults::timeouts_data()
{
    rowsOf({StrategyKind::TokenSet, StrategyKind::Redisson, StrategyKind::Handoff});
}

/// Whoever waits for no time at all tries once all the same.
void TestFaults::timeouts()
{
    QFETCH(StrategyKind, strategy);
    Plan plan = contention({strategy}, 8s);
    plan.workers = 4;
    Iteration none;
    none.mode = WaitMode::Timeout;
    none.timeout = 0ms;
    none.startAt = 0ms;
    none.lease = 10s;
    none.hold = 3s;
    Iteration refused = none;
    refused.startAt = 500ms;
    Iteration late = refused;
    late.timeout = 300ms;
    Iteration patient = refused;
    patient.timeout = 7s;
    patient.hold = 10ms;
    plan.script = {{none}, {refused}, {late}, {patient}};
    RUN(report, plan);
    QCOMPARE(report->acquiredByWorker, (std::vector<qint64>{1, 0, 0, 1}));
    QCOMPARE(report->total.timedOut, 2);
    QCOMPARE(report->total.refused, 0);
    QVERIFY(report->findings.isClean());
    const auto lastOf = [&report](int worker, bool tried) {
        microseconds at{0};
        for (const LogLine &line : report->log) {
            if (line.worker == worker && (line.what == LogLine::What::Tried) == tried)
                at = line.at;
        }
        return at;
    };
    // One after the other, and none because the holder had gone.
    QVERIFY(lastOf(1, false) < lastOf(2, false));
    QVERIFY(lastOf(2, false) < lastOf(0, false));
    QVERIFY(lastOf(2, false) - lastOf(2, true) >= 300ms);
}

void TestFaults::aDeadHolderDelaysByItsLeaseAlone_data()
{
    rowsOf({StrategyKind::Redisson, StrategyKind::Handoff});
}

void TestFaults::aDeadHolderDelaysByItsLeaseAlone()
{
    QFETCH(StrategyKind, strategy);
    Plan plan = contention({strategy}, 8s);
    plan.workers = 2;
    Iteration dying = visit(0ms, 600ms, 200ms);
    dying.fault = Fault::CrashHolding;
    Iteration waiting;
    waiting.startAt = 50ms;
    waiting.lease = 5s; // its own timer must not be what wakes it
    plan.script = {{dying}, {waiting}};
    RUN(report, plan);
    QCOMPARE(report->total.crashes, 1);
    QCOMPARE(report->total.acquired, 2);
    QVERIFY(report->findings.isClean());
    const microseconds wait = report->total.wait.max();
    QVERIFY2(wait >= 450ms && wait < waiting.lease / 2, QByteArray::number(qint64(wait.count())));
}

void TestFaults::crashesDelayButNeverOverlap_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    for (const Algorithm &algorithm : safeAlgorithms()) {
        if (!specOf(algorithm.strategy).inWholeSeconds)
            QTest::newRow(nameOf(algorithm).constData()) << algorithm;
    }
}

void TestFaults::crashesDelayButNeverOverlap()
{
    QFETCH(Algorithm, algorithm);
    Plan plan = contention(algorithm, 1500ms);
    plan.lease = 150ms;
    plan.hold.low = plan.hold.high = 2ms;
    plan.crashRate = 0.1;
    RUN(report, plan);
    QVERIFY(report->total.crashes > 0);
    QCOMPARE(report->findings.unexplainedOverlaps, 0); // a thread may stand still for longer than its lease
    QCOMPARE(report->findings.lostWakeUps, 0);
    QVERIFY(report->total.acquired > report->total.crashes);
    // A dead holder delays the others by its lease.
    QVERIFY(report->total.wait.max() >= 75ms);
}

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
