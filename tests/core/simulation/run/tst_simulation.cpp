// SPDX-License-Identifier: GPL-3.0-or-later
// The engine on a real server: rounds, stops, and what is left behind.
#include "core/simulation/workers/workload.h"
#include "tests/core/simulation/run/runner.h"
#include "tests/support/machineclock.h"
#include "tests/support/redisserver.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// What a server is told, by its own MONITOR.
class Overheard
{
public:
    explicit Overheard(const RedisServer &server) : m_server(server)
    {
        m_cli.start(QStringLiteral("redis-cli"),
                    {QStringLiteral("-s"), server.socketPath(), QStringLiteral("MONITOR")});
        if (!QTest::qWaitFor([this] { return heard("OK\n"); }))
            qFatal("MONITOR does not begin");
    }
    ~Overheard()
    {
        m_cli.kill();
        m_cli.waitForFinished();
    }
    Overheard(const Overheard &) = delete;
    Overheard &operator=(const Overheard &) = delete;

    /// How often these bytes occur in all that it was told until now.
    qint64 count(const QByteArray &bytes)
    {
        m_server.cli({"ECHO", "until now"});
        if (!QTest::qWaitFor([this] { return heard("until now"); }))
            return -1;
        return m_text.count(bytes);
    }

private:
    bool heard(const QByteArray &bytes)
    {
        m_text += m_cli.readAll();
        return m_text.contains(bytes);
    }

    const RedisServer &m_server;
    QProcess m_cli;
    QByteArray m_text;
};

} // namespace

class TestSimulation : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { QCOMPARE(m_bench.open(), QByteArray()); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void roundsHaveOneWinner();
    void everySafeStrategyHasOneWinner_data();
    void everySafeStrategyHasOneWinner();
    void aStopEndsThePreparation();
    void aStopWhileTheServerHangsIsNoError_data();
    void aStopWhileTheServerHangsIsNoError();
    void aStopBeforeTheWorkersBegin();
    void aPrivateServerMayGoFirst();
    void stopsWithin100Milliseconds_data();
    void stopsWithin100Milliseconds();
    void keysAreItsOwnAndGoAway();
    void foreignKeysAreRefused();
    void whatCouldStayForEverNeedsAPrivateServer();
    void aServerThatIsNotThere();
    void equalSeedsChooseEqually();

private:
    Bench m_bench;
};

void TestSimulation::roundsHaveOneWinner()
{
    Plan plan = contention({StrategyKind::TokenSet});
    plan.workers = 12;
    plan.rounds = 4;
    plan.mode = WaitMode::Try;
    plan.lease = 100ms;
    plan.hold.low = plan.hold.high = 150ms;
    RUN(report, plan);
    QCOMPARE(report->validRounds(), 4);
    QCOMPARE(report->fewestWinners(), 1);
    QCOMPARE(report->maxWinners(), 1);
    for (const Round &round : report->rounds)
        QCOMPARE(round.tried, 12);
}

void TestSimulation::everySafeStrategyHasOneWinner_data()
{
    using enum StrategyKind;
    using enum ReleaseMethod;
    QTest::addColumn<Algorithm>("algorithm");
    QTest::newRow("token-set, compare-and-delete") << Algorithm{TokenSet, CompareAndDelete};
    QTest::newRow("token-set, watched-transaction") << Algorithm{TokenSet, WatchedTransaction};
    for (const StrategyKind kind : {TokenLua, TokenSetnx, Reentrant, Redisson, Handoff})
        QTest::newRow(nameOf(kind).constData()) << Algorithm{kind};
}

void TestSimulation::everySafeStrategyHasOneWinner()
{
    QFETCH(Algorithm, algorithm);
    Plan plan = contention(algorithm);
    plan.workers = 20;
    plan.rounds = 5;
    plan.mode = WaitMode::Try;
    plan.hold.low = plan.hold.high = 60ms;
    RUN(report, plan);
    QCOMPARE(report->validRounds(), 5);
    QCOMPARE(report->fewestWinners(), 1);
    QCOMPARE(report->maxWinners(), 1);
    QVERIFY(report->findings.isClean());
}

/// A server that takes the connection and says nothing.
void TestSimulation::aStopEndsThePreparation()
{
    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    ServerAddress address;
    address.transport = ServerAddress::Transport::Tcp;
    address.host = QStringLiteral("127.0.0.1");
    address.port = silent.serverPort();
    Runner runner({address, nullptr});
    runner.simulation().start(contention({StrategyKind::TokenSet}));
    QTRY_VERIFY(silent.hasPendingConnections());
    const std::unique_ptr<QTcpSocket> first(silent.nextPendingConnection());
    const MachineClock clock;
    milliseconds stopped = clock.now();
    runner.simulation().stop();
    const Result<Report> report = runner.end();
    QVERIFY2(report, report ? "" : report.error().text().constData());
    QVERIFY2(clock.now() - stopped < 1000ms, "not the deadline of 3 s for connecting");
    QVERIFY(report->stopped);
    QCOMPARE(report->total.attempts, 0);

    auto gone = std::make_unique<Runner>(SimulationTarget{address, nullptr});
    gone->simulation().start(contention({StrategyKind::TokenSet}));
    QTRY_VERIFY(silent.hasPendingConnections());
    stopped = clock.now();
    gone.reset();
    QVERIFY2(clock.now() - stopped < 1000ms, "nor to end the object");
}

void TestSimulation::aStopWhileTheServerHangsIsNoError_data()
{
    QTest::addColumn<Algorithm>("algorithm");
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::Redisson, StrategyKind::Handoff})
        QTest::newRow(nameOf(kind).constData()) << Algorithm{kind};
    QTest::newRow("subscription") << Algorithm{StrategyKind::Reentrant, ReleaseMethod::Usual,
                                               WakeMethod::Subscription};
}

void TestSimulation::aStopWhileTheServerHangsIsNoError()
{
    QFETCH(Algorithm, algorithm);
    Plan plan = contention(algorithm, 60s);
    plan.hold.low = plan.hold.high = 100ms;
    Runner &runner = m_bench.runner();
    int pictures = 0;
    const auto watch = [&](const SimulationSnapshot &picture) {
        if (picture.total.acquired == 0)
            return;
        ++pictures;
        if (pictures == 1)
            m_bench.server().pause();
        if (pictures == 4)
            runner.simulation().stop();
        if (pictures == 5)
            m_bench.server().resume();
    };
    const Result<Report> report = runner.run(plan, watch);
    m_bench.server().resume();
    QVERIFY2(report, report ? "" : report.error().text().constData());
    QVERIFY(report->stopped);
    QCOMPARE(report->findings.unexplainedOverlaps, 0);
    QCOMPARE(report->total.attempts, report->total.acquired + report->total.refused + report->total.timedOut);
}

/// So many workers take their time to connect: nothing is counted before all may begin.
void TestSimulation::aStopBeforeTheWorkersBegin()
{
    Plan plan = contention({StrategyKind::Reentrant}, 60s);
    plan.workers = 100;
    Runner &runner = m_bench.runner();
    const auto connection =
        connect(&runner.simulation(), &Simulation::started, this, [&runner] { runner.simulation().stop(); });
    const Result<Report> report = runner.run(plan);
    disconnect(connection);
    QVERIFY2(report, report ? "" : report.error().text().constData());
    QVERIFY(report->stopped);
    QVERIFY(report->duration >= 0us);
    QCOMPARE(report->total.attempts, report->total.acquired);
}

void TestSimulation::aPrivateServerMayGoFirst()
{
    auto server = std::make_unique<PrivateServer>();
    QVERIFY(server->start());
    auto runner = std::make_unique<Runner>(SimulationTarget{server->address(), server.get()});
    Plan plan = contention({StrategyKind::Reentrant}, 30s);
    plan.serverFaults = QList<ServerFault>(100, ServerFault::Pause);
    QSignalSpy pictures(&runner->simulation(), &Simulation::progressed);
    runner->simulation().start(plan);
    QTRY_VERIFY(pictures.size() > 2);
    server.reset();
    QTRY_VERIFY(pictures.size() > 8);
    runner.reset();
}

void TestSimulation::stopsWithin100Milliseconds_data()
{
    QTest::addColumn<Plan>("plan");
    Plan plan = contention({StrategyKind::Reentrant}, 60s);
    plan.hold.low = plan.hold.high = 20s;
    plan.lease = 30s;
    QTest::newRow("holding and polling") << plan;
    plan.algorithm.strategy = StrategyKind::Redisson;
    QTest::newRow("asleep on a subscription") << plan;
    plan.algorithm.strategy = StrategyKind::Handoff;
    QTest::newRow("in a queue") << plan;
    plan.rest = 30s;
    plan.hold.low = plan.hold.high = 1ms;
    QTest::newRow("resting") << plan;
}

void TestSimulation::stopsWithin100Milliseconds()
{
    QFETCH(Plan, plan);
    const RedisServer server;
    Runner runner({server.socketAddress(), nullptr});
    Overheard overheard(server);
    const MachineClock clock;
    std::optional<milliseconds> stopped;
    const auto watch = [&](const SimulationSnapshot &picture) {
        if (picture.elapsed > 400ms && !stopped) {
            stopped = clock.now();
            runner.simulation().stop();
        }
    };
    const Result<Report> report = runner.run(plan, watch);
    const milliseconds took = clock.now() - stopped.value_or(0ms);
    QVERIFY2(report, report ? "" : report.error().text().constData());
    QVERIFY(report->stopped);
    QVERIFY2(took < 1000ms, QByteArray::number(qint64(took.count()))); // the promise is 100 ms
    QVERIFY(report->total.acquired > 0);
    // However its work ends, a worker releases; and the server was told.
    QCOMPARE(report->total.hold.count(), report->total.acquired);
    const QByteArray key = '"' + report->keys[0] + '"';
    const QByteArray frees = plan.algorithm.strategy == StrategyKind::Redisson ? "\"DEL\" " : "\"HDEL\" ";
    QCOMPARE(overheard.count("lua] " + frees + key), report->total.acquired);
}

void TestSimulation::keysAreItsOwnAndGoAway()
{
    const RedisServer server;
    Runner runner({server.socketAddress(), nullptr});
    for (const StrategyKind kind : {StrategyKind::Reentrant, StrategyKind::Redisson, StrategyKind::Handoff}) {
        Plan plan = contention({kind}, 60s);
        plan.hold.low = plan.hold.high = 50ms;
        plan.crashRate = 0.2;
        QByteArrayList during;
        const auto watch = [&](const SimulationSnapshot &picture) {
            if (picture.total.acquired < 3 || !during.isEmpty())
                return;
            during = server.cli({"--scan"}).split('\n');
            during.removeAll(QByteArray());
            if (during.isEmpty()) // between two holders
                return;
            for (const QByteArray &key : during)
                QVERIFY2(server.cli({"PTTL", key}) != "-1", key); // it may be gone
            runner.simulation().stop();
        };
        const Result<Report> report = runner.run(plan, watch);
        QVERIFY(report);
        QVERIFY(!during.isEmpty());
        for (const QByteArray &key : during)
            QVERIFY2(key.startsWith("sim:"), key);
        QCOMPARE(server.cli({"DBSIZE"}), QByteArray("0"));
    }
}

void TestSimulation::foreignKeysAreRefused()
{
    const RedisServer server;
    Runner runner({server.socketAddress(), nullptr});
    Plan plan = contention({StrategyKind::Handoff});
    plan.keys = {"sim:mine:1"};
    for (const QByteArray &foreign : {QByteArray("sim:mine:1"), QByteArray("sim:mine:1:handoff:queue")}) {
        server.cli({"SET", foreign, "somebody's"});
        const Result<Report> report = runner.run(plan);
        QVERIFY(!report);
        QCOMPARE(report.error().kind, ErrorKind::InvalidArgument);
        QVERIFY(report.error().text().contains("sim:mine:1"));
        QCOMPARE(server.cli({"GET", foreign}), QByteArray("somebody's"));
        server.cli({"DEL", foreign});
    }
    plan.keys = {"lock:production"};
    const Result<Report> report = runner.run(plan);
    QVERIFY(!report);
    QVERIFY(report.error().text().contains("sim:"));
}

void TestSimulation::whatCouldStayForEverNeedsAPrivateServer()
{
    const RedisServer server;
    Runner runner({server.socketAddress(), nullptr});
    Plan orphans = contention({StrategyKind::TokenSetnx});
    Plan flushes = contention({StrategyKind::TokenSet});
    flushes.serverFaults = {ServerFault::FlushAll};
    for (const Plan &plan : {orphans, flushes}) {
        const Result<Report> report = runner.run(plan);
        QVERIFY(!report);
        QCOMPARE(report.error().kind, ErrorKind::InvalidArgument);
        QVERIFY2(report.error().text().contains("private server"), report.error().text().constData());
    }
    QCOMPARE(server.cli({"DBSIZE"}), QByteArray("0"));
}

void TestSimulation::aServerThatIsNotThere()
{
    RedisServer server;
    server.stop();
    Runner runner({server.socketAddress(), nullptr});
    const Result<Report> report = runner.run(contention({StrategyKind::TokenSet}));
    QVERIFY(!report);
    QVERIFY(report.error().kind == ErrorKind::NoSuchSocket ||
            report.error().kind == ErrorKind::ConnectionRefused);
    QVERIFY(!runner.simulation().isRunning());
}

void TestSimulation::equalSeedsChooseEqually()
{
    Plan plan = contention({StrategyKind::Reentrant});
    plan.hold.shape = HoldTime::Shape::Exponential;
    plan.locks = 5;
    plan.crashRate = 0.1;
    plan.pauseRate = 0.1;
    const auto choices = [](const Plan &of, int worker) {
        const std::unique_ptr<Workload> routine = routinesOf(of)(worker);
        QByteArray text;
        for (int i = 0; i < 50; ++i) {
            const Iteration visit = *routine->next();
            text += QByteArray::number(visit.locks.first()) + ' ' +
                    QByteArray::number(qint64(visit.hold.count())) + ' ' +
                    QByteArray::number(int(visit.fault)) + '\n';
            if (visit.renew != (of.watchdog ? of.lease / 3 : 0ms))
                return QByteArray("another interval of the watchdog");
        }
        return text;
    };
    QCOMPARE(choices(plan, 3), choices(plan, 3));
    QVERIFY(choices(plan, 3) != choices(plan, 4));
    Plan other = plan;
    other.seed = 2;
    QVERIFY(choices(plan, 3) != choices(other, 3));
    Plan watched = plan;
    watched.watchdog = true; // changes no choice, and renews every third of the lease
    QCOMPARE(choices(watched, 3), choices(plan, 3));
}

QTEST_GUILESS_MAIN(TestSimulation)
#include "tst_simulation.moc"
