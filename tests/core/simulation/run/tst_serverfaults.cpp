// SPDX-License-Identifier: GPL-3.0-or-later
// What holds while the server stands still, restarts or forgets, and while leases are renewed.
#include "core/simulation/model/strategyspec.h"
#include "tests/core/simulation/run/runner.h"

#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <functional>

using namespace lockscope;
using namespace std::chrono_literals;

class TestServerFaults : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QCOMPARE(m_bench.open(), QByteArray()); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void watchdogs_data();
    void watchdogs();
    void theWatchdogOfAPlan();
    void serverFaults_data();
    void serverFaults();

private:
    Bench m_bench;
};

void TestServerFaults::watchdogs_data()
{
    QTest::addColumn<StrategyKind>("strategy");
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::TokenSet, StrategyKind::TokenLua,
                                    StrategyKind::Redisson, StrategyKind::Handoff})
        QTest::newRow(nameOf(kind).constData()) << kind;
}

void TestServerFaults::watchdogs()
{
    QFETCH(StrategyKind, strategy);
    Plan plan = contention({strategy}, 6s);
    plan.workers = 2;
    Iteration first;
    first.startAt = 0ms;
    first.lease = 900ms;
    first.renew = 100ms; // may come late on a busy machine
    first.hold = 1500ms;
    Iteration second = first;
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

/// It renews every third of the lease, as often as the work lasts.
void TestServerFaults::theWatchdogOfAPlan()
{
    Plan plan = contention({StrategyKind::TokenSet}, 3300ms);
    plan.workers = 2;
    plan.lease = 900ms; // a renewal may come late on a busy machine
    plan.hold.low = plan.hold.high = 1500ms;
    plan.watchdog = true;
    RUN(renewed, plan);
    QVERIFY(renewed->total.acquired >= 2);
    QCOMPARE(renewed->total.lost, 0);
    QVERIFY(renewed->findings.isClean());
    plan.watchdogStopRate = 1;
    plan.duration = 1800ms;
    RUN(stopped, plan);
    QVERIFY(stopped->findings.overlaps >= 1);
    QCOMPARE(stopped->findings.unexplainedOverlaps, 0);
}

void TestServerFaults::serverFaults_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    QTest::addColumn<ServerFault>("fault");
    for (const auto &[name, fault] :
         {std::pair("pause", ServerFault::Pause), std::pair("restart", ServerFault::Restart),
          std::pair("flush", ServerFault::FlushAll)}) {
        for (const StrategyKind kind :
             {StrategyKind::Reentrant, StrategyKind::Redisson, StrategyKind::Handoff})
            QTest::addRow("%s %s", name, nameOf(kind).constData()) << Algorithm{kind} << fault;
    }
}

void TestServerFaults::serverFaults()
{
    QFETCH(Algorithm, algorithm);
    QFETCH(ServerFault, fault);
    Plan plan = contention(algorithm, 7500ms);
    plan.lease = 400ms; // so long sleeps who was not woken
    plan.hold.low = plan.hold.high = 5ms;
    plan.rest = 50ms; // else an unfair lock may leave one out for long
    plan.pause = 300ms;
    plan.serverFaults = {fault, fault};
    // A restart lasts for 400 ms, and then there are connections to be made.
    const milliseconds lasts = fault == ServerFault::Restart ? 500ms
                               : fault == ServerFault::Pause ? 350ms
                                                             : 50ms;
    const microseconds over = plan.duration * 2 / 3 + lasts;
    Runner &runner = m_bench.runner();
    QList<qint64> then; // what each worker had when the last fault was over
    bool wereAllServed = false;
    const auto connection =
        connect(&runner.simulation(), &Simulation::progressed, this, [&](const SimulationSnapshot &picture) {
            if (picture.elapsed < over || wereAllServed)
                return;
            QList<qint64> now;
            for (const WorkerView &worker : picture.workers)
                now.append(worker.acquired);
            if (then.isEmpty())
                then = now;
            wereAllServed = std::ranges::equal(now, then, std::greater());
            if (wereAllServed)
                runner.simulation().stop(); // there is nothing more to see
        });
    RUN(report, plan);
    disconnect(connection);
    QVERIFY2(wereAllServed, "after the last fault too");
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
    QCOMPARE(report->findings.fenceViolations, 0);
    QCOMPARE(report->findings.orphans, 0);
    QCOMPARE(report->findings.lostWakeUps, 0);
}

QTEST_GUILESS_MAIN(TestServerFaults)
#include "tst_serverfaults.moc"
