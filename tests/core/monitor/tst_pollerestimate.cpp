// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/pollerestimate.h"

#include <QtTest>

#include <random>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// A client with commands in a rhythm, as CLIENT LIST tells of it.
struct Client
{
    QList<QByteArray> commands;
    double periodMs = 1000; ///< 0: it never did anything
    bool isPeriodic = true;
    double offsetMs = 0;
};

class Server
{
public:
    explicit Server(unsigned seed = 1) : m_random(seed) {}

    void add(int times, Client client)
    {
        for (int i = 0; i < times; ++i) {
            client.offsetMs = std::uniform_real_distribution<double>(0, client.periodMs)(m_random);
            m_clients.append(client);
        }
    }
    /// One sample at each phase, for some seconds.
    void sample(PollerEstimator &estimator, int seconds = 6)
    {
        for (const int last = m_second + seconds; m_second < last; ++m_second) {
            for (const int phase : {10, 700})
                estimator.takeClients(list(phase), milliseconds(phase));
        }
    }
    QByteArray list(int phase)
    {
        QByteArray text;
        const double now = m_second * 1000.0 + phase;
        int id = 10;
        for (const Client &client : std::as_const(m_clients)) {
            const double last = lastBefore(client, now);
            const auto idle = qint64(m_second - std::floor(last / 1000));
            const auto turn =
                size_t(std::uniform_int_distribution<qsizetype>(0, client.commands.size() - 1)(m_random));
            text += "id=" + QByteArray::number(id++) +
                    " addr=127.0.0.1:5000 name= age=100 idle=" + QByteArray::number(idle) +
                    " flags=N db=0 sub=0 psub=0 cmd=" + client.commands[qsizetype(turn)] + " user=default\n";
        }
        return text;
    }

private:
    double lastBefore(const Client &client, double now)
    {
        if (client.periodMs == 0)
            return -1e6;
        if (client.isPeriodic)
            return now - std::fmod(now + client.offsetMs, client.periodMs);
        return now - std::exponential_distribution<double>(1 / client.periodMs)(m_random);
    }

    std::mt19937 m_random;
    QList<Client> m_clients;
    int m_second = 100;
};

PollerEstimate estimate(Server &server, qint64 attempts = 100, qint64 changes = 1000)
{
    PollerEstimator estimator;
    server.sample(estimator, 7);
    estimator.takeCounts(attempts, changes, 1s);
    return estimator.estimate(true).value_or(PollerEstimate{-1, -1, -1});
}

const QList<QByteArray> mixed{"get", "get", "set", "incr", "hset", "expire", "lpush", "del"};

} // namespace

class PollerEstimateTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("."))); }

    void unknownAtFirst()
    {
        Server server;
        PollerEstimator estimator;
        QVERIFY(!estimator.estimate(true));
        server.sample(estimator, 5);
        estimator.takeCounts(0, 0, 1s);
        QVERIFY(!estimator.estimate(true));
        server.sample(estimator, 1);
        QCOMPARE(estimator.estimate(true), (PollerEstimate{0, 0, 0}));
        estimator.clear();
        QVERIFY(!estimator.estimate(true));
    }

    void kinds_data()
    {
        QTest::addColumn<QList<QByteArray>>("commands");
        QTest::addColumn<double>("period");
        QTest::addRow("SET NX") << QList<QByteArray>{"set"} << 10.0;
        QTest::addRow("redis-py") << QList<QByteArray>{"set"} << 100.0;
        QTest::addRow("GET and SET") << QList<QByteArray>{"get"} << 250.0;
        QTest::addRow("scripts") << QList<QByteArray>{"evalsha"} << 50.0;
        QTest::addRow("in capitals, each second") << QList<QByteArray>{"SETNX"} << 900.0;
    }
    void kinds()
    {
        QFETCH(QList<QByteArray>, commands);
        QFETCH(double, period);
        // A reader whose rhythm is that of the server's seconds may be missed.
        int runs = 0, near = 0;
        for (const int pollers : {1, 7, 200}) {
            for (unsigned seed = 1; seed <= 20; ++seed, ++runs) {
                Server server(seed);
                server.add(pollers, {commands, period});
                server.add(30, {mixed, 12, false});
                server.add(2, {{"get"}, 5, false}); // busy readers
                server.add(50, {{"get"}, 0});       // idle ones of a pool
                const PollerEstimate told = estimate(server);
                near += 10 * std::abs(told.clients - pollers) <= 3 * pollers;
                QVERIFY(told.low <= pollers && pollers <= told.high);
            }
        }
        QVERIFY2(10 * near >= 9 * runs, QByteArray::number(near) + " of " + QByteArray::number(runs));
    }

    /// Where nearly all attempts fail, most of these clients surely poll.
    void theLowEnd()
    {
        Server server;
        server.add(50, {{"set"}, 10});
        QCOMPARE(estimate(server, 5000, 0), (PollerEstimate{50, 50, 50}));
        QCOMPARE(estimate(server, 5000, 10), (PollerEstimate{50, 30, 50}));
        // All may have succeeded: they may be writers.
        QCOMPARE(estimate(server, 5000, 5000), (PollerEstimate{50, 0, 50}));
    }

    /// Other clients that are no pollers by what CLIENT LIST says.
    void whoIsLeftOut()
    {
        Server server;
        server.add(5, {{"set"}, 10});
        PollerEstimator estimator;
        for (int i = 0; i < PollerEstimator::window; ++i) {
            QByteArray list = server.list(15);
            for (const QByteArray flags : {"S", "M", "O", "b", "P"})
                list.replace(list.indexOf("flags=N") + 6, 1, flags);
            list += "id=99 addr=a name=lockscope-cli age=1 idle=0 flags=N cmd=set\n";
            estimator.takeClients(list, 15ms);
        }
        estimator.takeCounts(0, 0, 1s);
        QCOMPARE(estimator.estimate(true), (PollerEstimate{0, 0, 0}));
    }

    void withoutLocksNobodyPolls()
    {
        Server server;
        server.add(5, {{"set"}, 10});
        PollerEstimator estimator;
        server.sample(estimator);
        estimator.takeCounts(10, 0, 1s);
        QCOMPARE(estimator.estimate(false), (PollerEstimate{0, 0, 5}));
    }

    void newOnesWidenTheBar()
    {
        Server server;
        server.add(5, {{"set"}, 10});
        PollerEstimator estimator;
        server.sample(estimator, 6);
        server.add(3, {{"set"}, 10});
        server.sample(estimator, 2);
        estimator.takeCounts(1000, 1000, 1s);
        QCOMPARE(estimator.estimate(true)->clients, 5);
        QCOMPARE(estimator.estimate(true)->high, 8);
    }

    void hostileLists()
    {
        PollerEstimator estimator;
        for (const QByteArray &list :
             {QByteArray(), QByteArray("\n\n\n"), QByteArray("id="),
              QByteArray("id=18446744073709551616 cmd=set"), QByteArray("id=5"),
              QByteArray("id=5 idle=x flags= cmd="), QByteArray("id=-5 cmd=set idle=-9\n"),
              QByteArray(100'000, '\xff'), QByteArray("addr=id=7 cmd=set\n")}) {
            for (int i = 0; i < 3; ++i)
                estimator.takeClients(list, milliseconds(i * 400));
        }
        estimator.takeCounts(-5, 3, 1s);
        QVERIFY(!estimator.estimate(true)); // the counters went back
        estimator.takeCounts(std::numeric_limits<qint64>::max(), 0, 1ms);
        QVERIFY(estimator.estimate(true)->clients <= 1);
    }
};

QTEST_APPLESS_MAIN(PollerEstimateTest)
#include "tst_pollerestimate.moc"
