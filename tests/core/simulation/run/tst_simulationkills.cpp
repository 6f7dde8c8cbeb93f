// SPDX-License-Identifier: GPL-3.0-or-later
// Workers in several processes, and what a run makes of those that are killed, stopped or paused.
#include "tests/core/simulation/run/runner.h"

#include <QDir>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>
#include <csignal>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// The processes that this one has started for a simulation, in the order in which it did.
QList<pid_t> childProcesses()
{
    QList<pid_t> found;
    for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile status(QStringLiteral("/proc/%1/stat").arg(entry));
        QFile command(QStringLiteral("/proc/%1/cmdline").arg(entry));
        if (!status.open(QIODevice::ReadOnly) || !command.open(QIODevice::ReadOnly))
            continue;
        const QByteArray fields = status.readAll();
        const qint64 parent = fields.mid(fields.lastIndexOf(')') + 2).split(' ').value(1).toLongLong();
        if (parent == QCoreApplication::applicationPid() && command.readAll().contains("simulation-child"))
            found.append(entry.toInt());
    }
    std::ranges::sort(found);
    return found;
}

/// Kills a holder as soon as a run has started, and hears whether there was one.
class HolderKill : public QObject
{
public:
    explicit HolderKill(Simulation &simulation)
        : killed(&simulation, &Simulation::holderKilled), nobody(&simulation, &Simulation::noHolderFound)
    {
        connect(&simulation, &Simulation::started, this, [&simulation] { simulation.killHolder(); });
    }

    QSignalSpy killed;
    QSignalSpy nobody;
};

} // namespace

class TestSimulationKills : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QCOMPARE(m_bench.open(), QByteArray()); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void processesShareALock();
    void aKilledProcessIsMissedByNobody();
    void roundsGoOnWithoutAKilledProcess();
    void aStoppedProcessAccusesNobody();
    void aKilledHolderDiesWithItsLock_data() { threadsAndProcesses(); }
    void aKilledHolderDiesWithItsLock();
    void nobodyIsKilledWhoHoldsNothing_data() { threadsAndProcesses(); }
    void nobodyIsKilledWhoHoldsNothing();
    void aKillDuringAReleaseHidesNothing();
    void killAndPauseAreCarriedOut();

private:
    static void threadsAndProcesses()
    {
        QTest::addColumn<int>("processes");
        QTest::newRow("threads") << 1;
        QTest::newRow("processes") << 3;
    }

    Bench m_bench;
};

void TestSimulationKills::processesShareALock()
{
    Plan plan = contention({StrategyKind::Handoff}, 1500ms);
    plan.processes = 3;
    RUN(report, plan);
    QVERIFY(report->fewestAcquired() > 0);
    QVERIFY(report->findings.isClean());
    QVERIFY(report->findings.handoff.count() > 10);

    plan.algorithm = {StrategyKind::TokenSet, ReleaseMethod::UncheckedDelete};
    plan.workers = 2;
    plan.processes = 2;
    plan.duration = 5s;
    Iteration first = visit(0ms, 200ms, 450ms);
    Iteration second;
    second.startAt = 50ms;
    second.hold = 800ms;
    plan.script = {{first}, {second}};
    RUN(unsafe, plan);
    QCOMPARE(unsafe->findings.overlaps, 1);
    QCOMPARE(unsafe->findings.foreignReleases, 1);
    QVERIFY(!unsafe->log.isEmpty());

    plan.script.clear();
    plan.workers = 9;
    plan.processes = 3;
    plan.algorithm = {StrategyKind::TokenLua};
    plan.rounds = 3;
    plan.mode = WaitMode::Try;
    plan.lease = 150ms;
    plan.hold.low = plan.hold.high = 200ms;
    RUN(rounds, plan);
    QCOMPARE(rounds->validRounds(), 3);
    QCOMPARE(rounds->fewestWinners(), 1);
    QCOMPARE(rounds->maxWinners(), 1);
}

/// By a real kill -9 of a child, while one of its workers holds.
void TestSimulationKills::aKilledProcessIsMissedByNobody()
{
    Plan plan = contention({StrategyKind::Handoff}, 20s);
    plan.workers = 4;
    plan.processes = 2; // W1 and W2, W3 and W4
    plan.lease = 500ms;
    plan.hold.low = plan.hold.high = 250ms; // a picture is as old as 50 ms
    Runner &runner = m_bench.runner();
    bool killed = false;
    QList<WorkerView> atDeath;
    QList<WorkerView> last;
    const auto watch = [&](const SimulationSnapshot &picture) {
        last = picture.workers;
        const auto served = [&picture](int worker) { return picture.workers[worker].acquired; };
        const bool holds = std::ranges::any_of(picture.workers.first(2), [&](const WorkerView &worker) {
            return worker.state == WorkerState::Holding && picture.elapsed - worker.since < 150ms;
        });
        if (!killed && served(2) > 0 && served(3) > 0 && holds && childProcesses().size() == 2) {
            ::kill(childProcesses().first(), SIGKILL);
            killed = true;
        } else if (killed && atDeath.isEmpty() && picture.total.crashes == 2) {
            atDeath = picture.workers;
        } else if (!atDeath.isEmpty() && served(2) > atDeath[2].acquired + 1 &&
                   served(3) > atDeath[3].acquired + 1) {
            runner.simulation().stop(); // there is nothing more to see
        }
    };
    runner.simulation().setTraced(true);
    RUN(report, plan, watch);
    runner.simulation().setTraced(false);
    QVERIFY(killed);
    QCOMPARE(report->total.crashes, 2);
    QCOMPARE(std::ranges::count(report->trace.entries(), TraceEntry::Kind::NotTold, &TraceEntry::kind), 2);
    QVERIFY2(report->stopped, "both of the other process went on");
    QCOMPARE(last[0].state, WorkerState::Dead);
    QCOMPARE(last[1].state, WorkerState::Dead);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
}

void TestSimulationKills::roundsGoOnWithoutAKilledProcess()
{
    Plan plan = contention({StrategyKind::TokenLua});
    plan.workers = 6;
    plan.processes = 3;
    plan.rounds = 8;
    plan.mode = WaitMode::Try;
    plan.lease = 200ms;
    plan.hold.low = plan.hold.high = 100ms;
    bool killed = false;
    const auto watch = [&killed](const SimulationSnapshot &picture) {
        if (killed || picture.round < 2)
            return;
        ::kill(childProcesses().value(0), SIGKILL);
        killed = true;
    };
    RUN(report, plan, watch);
    QVERIFY(killed);
    QCOMPARE(report->total.crashes, 2);
    QVERIFY(report->rounds.size() >= 8);
    QVERIFY(report->rounds.last().tried <= 4);
    QVERIFY(report->maxWinners() <= 1);
}

/// By a real SIGSTOP, for longer than a lease and than its events are waited for: whatever comes late is explained.
void TestSimulationKills::aStoppedProcessAccusesNobody()
{
    Plan plan = contention({StrategyKind::Handoff}, 60s);
    plan.workers = 6;
    plan.processes = 3;
    plan.lease = 300ms;
    plan.hold = {HoldTime::Shape::Fixed, 1ms, 1ms};
    Simulation &simulation = m_bench.runner().simulation();
    pid_t stopped = 0;
    qint64 atStop = 0;
    qint64 atEnd = 0;
    std::optional<QDeadlineTimer> standstill;
    const auto watch = [&](const SimulationSnapshot &picture) {
        if (!stopped && std::ranges::all_of(picture.workers, &WorkerView::acquired)) {
            stopped = childProcesses().value(1);
            QCOMPARE(::kill(stopped, SIGSTOP), 0);
            atStop = picture.workers[0].acquired;
            atEnd = picture.workers[2].acquired;
            standstill.emplace(3s);
        } else if (standstill && standstill->hasExpired() && picture.workers[0].acquired > atStop + 50) {
            ::kill(stopped, SIGCONT);
            if (picture.workers[2].acquired > atEnd + 20)
                simulation.stop();
        }
    };
    RUN(report, plan, watch);
    QVERIFY(report->stopped);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
    QCOMPARE(report->findings.fenceViolations, 0);
    QCOMPARE(report->findings.lostWakeUps, 0);
    QCOMPARE(report->total.crashes, 0);
}

/// However short it holds: who dies has come in and never leaves.
void TestSimulationKills::aKilledHolderDiesWithItsLock()
{
    QFETCH(const int, processes);
    Plan plan = contention({StrategyKind::Handoff}, 60s);
    plan.workers = 12;
    plan.processes = processes;
    plan.lease = 300ms;
    plan.hold = {HoldTime::Shape::Fixed, 1ms, 1ms};
    constexpr int wanted = 5;
    Simulation &simulation = m_bench.runner().simulation();
    HolderKill kill(simulation);
    connect(&simulation, &Simulation::holderKilled, &kill,
            [&] { kill.killed.size() < wanted ? simulation.killHolder() : simulation.stop(); });
    RUN(report, plan);
    QCOMPARE(kill.killed.size(), wanted);
    QCOMPARE(kill.nobody.size(), 0);
    QCOMPARE(report->total.crashes, wanted);
    QCOMPARE(report->total.acquired - report->total.hold.count(), wanted);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
}

void TestSimulationKills::nobodyIsKilledWhoHoldsNothing()
{
    QFETCH(const int, processes);
    Plan plan = contention({StrategyKind::TokenSet}, 60s);
    plan.workers = 3;
    plan.processes = processes;
    Iteration late;
    late.startAt = 50s;
    plan.script = {{late}, {late}, {late}};
    Simulation &simulation = m_bench.runner().simulation();
    HolderKill kill(simulation);
    connect(&simulation, &Simulation::noHolderFound, &kill, [&simulation] { simulation.stop(); });
    RUN(report, plan);
    QCOMPARE(kill.killed.size(), 0);
    QCOMPARE(kill.nobody.size(), 1);
    QCOMPARE(report->total.crashes, 0);
}

/// Its stay ends once for the referee: by the leave, not by the death after it.
void TestSimulationKills::aKillDuringAReleaseHidesNothing()
{
    Plan plan = contention({StrategyKind::TokenSet, ReleaseMethod::CheckThenDelete}, 8s);
    plan.workers = 3;
    Iteration paused = visit(0ms, 700ms, 10ms);
    paused.fault = Fault::PauseInRelease;
    paused.pause = 5s;
    Iteration late = visit(1200ms, 150ms, 600ms);
    Iteration intruder = late;
    intruder.startAt = 1300ms;
    intruder.hold = 100ms;
    plan.script = {{paused}, {late}, {intruder}};
    Runner &runner = m_bench.runner();
    bool killed = false;
    const auto watch = [&](const SimulationSnapshot &picture) {
        if (!killed && picture.total.pauses == 1 && picture.workers[0].state == WorkerState::Paused) {
            runner.simulation().kill(0);
            killed = true;
        }
    };
    RUN(report, plan, watch);
    QVERIFY(killed);
    QCOMPARE(report->total.crashes, 1);
    QCOMPARE(report->total.acquired, 3);
    QCOMPARE(report->findings.overlaps, 1);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
}

void TestSimulationKills::killAndPauseAreCarriedOut()
{
    Plan plan = contention({StrategyKind::Reentrant}, 60s);
    plan.workers = 3;
    plan.lease = 600ms;
    plan.watchdog = true;
    plan.hold.low = plan.hold.high = 200ms;
    Runner &runner = m_bench.runner();
    QList<SimulationSnapshot> pictures;
    const auto connection = connect(&runner.simulation(), &Simulation::progressed, this,
                                    [&](const SimulationSnapshot &picture) { pictures.append(picture); });
    const auto state = [&](int worker) {
        return pictures.isEmpty() ? WorkerState::Starting : pictures.last().workers[worker].state;
    };
    runner.simulation().start(plan);
    QTRY_VERIFY(!pictures.isEmpty() && pictures.last().total.acquired >= 2);
    runner.simulation().setPaused(1, true);
    QTRY_COMPARE(state(1), WorkerState::Paused);
    runner.simulation().kill(0);
    QTRY_COMPARE(state(0), WorkerState::Dead);
    QTRY_VERIFY_WITH_TIMEOUT(state(0) != WorkerState::Dead, 5000); // another took its place
    QCOMPARE(state(1), WorkerState::Paused);
    runner.simulation().setPaused(1, false);
    QTRY_VERIFY(state(1) != WorkerState::Paused);
    runner.simulation().stop();
    QVERIFY(QTest::qWaitFor([&] { return !runner.simulation().isRunning(); }, longestRun));
    disconnect(connection);
}

QTEST_GUILESS_MAIN(TestSimulationKills)
#include "tst_simulationkills.moc"
