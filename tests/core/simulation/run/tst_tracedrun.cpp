// SPDX-License-Identifier: GPL-3.0-or-later
// What a real run's trace says, against what the same run counted.
#include "core/simulation/model/runhistory.h"
#include "tests/core/simulation/run/runner.h"

using namespace lockscope;

using Kind = TraceEntry::Kind;

class TracedRunTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QCOMPARE(m_bench.open(), QByteArray()); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void cleanup() { m_bench.runner().simulation().setTraced(false); }

    void aRunThatIsNotTracedKeepsNothing()
    {
        RUN(report, contention({}, 100ms));
        QVERIFY(report->total.acquired > 0);
        QVERIFY(report->trace.isEmpty());
    }

    void theTraceIsWhatWasCounted_data()
    {
        QTest::addColumn<Algorithm>("algorithm");
        QTest::addColumn<int>("processes");
        const Algorithm handoff{.strategy = StrategyKind::Handoff};
        const Algorithm all{.strategy = StrategyKind::Reentrant, .wake = WakeMethod::Subscription};
        QTest::newRow("handoff") << handoff << 1;
        QTest::newRow("all are woken") << all << 1;
        QTest::newRow("redisson") << Algorithm{.strategy = StrategyKind::Redisson} << 1;
        QTest::newRow("processes") << handoff << 2;
    }
    void theTraceIsWhatWasCounted()
    {
        QFETCH(const Algorithm, algorithm);
        QFETCH(const int, processes);
        Plan plan = contention(algorithm, 200ms);
        plan.processes = processes;
        plan.hold = {HoldTime::Shape::Fixed, 2ms, 2ms};
        m_bench.runner().simulation().setTraced(true);
        QList<TraceEntry> told;
        RUN(report, plan, [&told](const SimulationSnapshot &snapshot) { told += snapshot.news; });
        const QList<TraceEntry> &entries = report->trace.entries();
        const auto count = [&entries](Kind kind) {
            return std::ranges::count(entries, kind, &TraceEntry::kind);
        };
        QCOMPARE(report->trace.leftOut(), 0);
        QCOMPARE(count(Kind::Entered), report->total.acquired);
        QCOMPARE(count(Kind::Acquired) + count(Kind::MigratedLock), report->total.acquired);
        QVERIFY(count(Kind::Released) + count(Kind::Published) > 0);
        QVERIFY(std::ranges::is_sorted(entries, {}, &TraceEntry::at));
        QVERIFY(!told.isEmpty() && told.size() <= entries.size());

        RunHistory history(plan.workers, plan.locks);
        history.take(entries);
        QCOMPARE(history.sections()[0].overlaps.size(), size_t(report->findings.overlaps > 0 ? 1 : 0));
        const std::vector<RunHistory::Wake> wakes = history.wakes();
        QVERIFY(!wakes.empty());
        for (const RunHistory::Wake &wake : wakes) {
            QVERIFY(wake.from != wake.to && wake.sentAt <= wake.at);
            // Who woke had been inside, and had left before.
            QVERIFY(std::ranges::any_of(history.sections()[0].stays, [&](const RunHistory::Stay &stay) {
                return stay.worker == wake.from && stay.time.to && *stay.time.to <= wake.sentAt;
            }));
        }
    }

    void faultsAreInTheTrace()
    {
        Plan plan;
        plan.name = "traced";
        plan.algorithm.strategy = StrategyKind::TokenSet;
        plan.workers = 2;
        plan.lease = 100ms;
        Iteration paused;
        paused.mode = WaitMode::Try;
        paused.lease = 100ms;
        paused.hold = 20ms;
        paused.fault = Fault::PauseHolding;
        paused.pause = 250ms;
        Iteration other;
        other.startAt = 40ms;
        other.lease = 1000ms;
        other.hold = 20ms;
        other.fault = Fault::CrashHolding;
        plan.script = {{paused}, {other}};
        m_bench.runner().simulation().setTraced(true);
        RUN(report, plan);
        RunHistory history(plan.workers, plan.locks);
        history.take(report->trace.entries());
        const RunHistory::Worker &first = history.workers()[0];
        QCOMPARE(first.pauses.size(), size_t(1));
        QVERIFY(first.pauses[0].to && *first.pauses[0].to - first.pauses[0].from >= 250ms);
        QVERIFY(first.leases.at(0).isOver); // it ran out in the pause
        QCOMPARE(history.workers()[1].deaths.size(), size_t(1));
        QVERIFY(history.sections()[0].stays.back().time.to);
        QCOMPARE(qint64(history.sections()[0].overlaps.size()), report->findings.overlaps);
    }

    void aLockThatIsLeftWithoutExpiryIsInTheTrace()
    {
        Plan plan;
        plan.name = "left";
        plan.algorithm.strategy = StrategyKind::TokenSetnx;
        plan.workers = 1;
        plan.lease = 1000ms;
        Iteration dying;
        dying.mode = WaitMode::Try;
        dying.lease = 1000ms;
        dying.hold = 20ms;
        dying.fault = Fault::CrashBeforeExpiry;
        plan.script = {{dying}};
        m_bench.runner().simulation().setTraced(true);
        RUN(report, plan);
        QCOMPARE(report->findings.orphans, 1);
        RunHistory history(plan.workers, plan.locks);
        history.take(report->trace.entries());
        const std::vector<RunSpan> &orphans = history.sections()[0].orphans;
        QCOMPARE(orphans.size(), size_t(1));
        QVERIFY(!orphans[0].to && orphans[0].from < report->duration);
        QVERIFY(history.sections()[0].stays.empty());
    }

private:
    Bench m_bench;
};

QTEST_GUILESS_MAIN(TracedRunTest)
#include "tst_tracedrun.moc"
