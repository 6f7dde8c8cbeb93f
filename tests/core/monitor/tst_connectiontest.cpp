// SPDX-License-Identifier: GPL-3.0-or-later
// Each step of the way to a server fails where it fails, on real servers.
#include "core/monitor/connectiontest.h"
#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QtTest>

using namespace lockscope;

namespace {

using State = StepReport::State;

QList<StepReport> tested(const ServerAddress &address)
{
    ConnectionTest test(address, {"lock:*"});
    QSignalSpy ended(&test, &ConnectionTest::ended);
    test.start();
    if (ended.isEmpty() && !ended.wait(30'000))
        return {};
    return ended.first().first().value<QList<StepReport>>();
}

State stateOf(const QList<StepReport> &steps, ConnectionStep step)
{
    for (const StepReport &report : steps) {
        if (report.step == step)
            return report.state;
    }
    return State::Untold;
}

/// The only one that failed; those before it passed, those after it were not reached.
ConnectionStep failedStep(const QList<StepReport> &steps)
{
    const auto failed = std::ranges::find(steps, State::Failed, &StepReport::state);
    if (failed == steps.end())
        return ConnectionStep::Permission;
    const bool isInOrder =
        std::all_of(steps.begin(), failed,
                    [](const StepReport &report) { return report.state == State::Passed; }) &&
        std::all_of(failed + 1, steps.end(),
                    [](const StepReport &report) { return report.state == State::NotReached; });
    return isInOrder && failed->why ? failed->step : ConnectionStep::Permission;
}

} // namespace

class ConnectionTestTest : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aServerPassesAll()
    {
        RedisServer server;
        const auto steps = tested(server.tcpAddress());
        QVERIFY(!steps.isEmpty());
        QVERIFY(std::ranges::all_of(steps,
                                    [](const StepReport &report) { return report.state == State::Passed; }));
        QCOMPARE(stateOf(steps, ConnectionStep::Encryption), State::Untold); // it has none
        QCOMPARE(server.cli({"DBSIZE"}), "0");
    }

    void theNameIsFirst()
    {
        ServerAddress address;
        address.host = QStringLiteral("no-such-host.invalid");
        QCOMPARE(failedStep(tested(address)), ConnectionStep::Name);
    }

    void nobodyListens()
    {
        QTcpServer taken;
        QVERIFY(taken.listen(QHostAddress::LocalHost));
        ServerAddress address;
        address.host = QStringLiteral("127.0.0.1");
        address.port = taken.serverPort();
        taken.close();
        const auto steps = tested(address);
        QCOMPARE(failedStep(steps), ConnectionStep::Route);
        QCOMPARE(steps.first().step, ConnectionStep::Route); // a number is no name
        address.transport = ServerAddress::Transport::Unix;
        address.socketPath = QStringLiteral("/nowhere/redis.sock");
        QCOMPARE(failedStep(tested(address)), ConnectionStep::Route);
    }

    void noTlsIsSpokenThere()
    {
        const RedisServer server;
        ServerAddress address = server.tcpAddress();
        address.transport = ServerAddress::Transport::Tls;
        QCOMPARE(failedStep(tested(address)), ConnectionStep::Encryption);
    }

    void aLoginIsRefused()
    {
        const RedisServer server({QStringLiteral("--requirepass"), QStringLiteral("secret")});
        ServerAddress address = server.tcpAddress();
        QCOMPARE(failedStep(tested(address)), ConnectionStep::Login);
        address.password = "wrong";
        QCOMPARE(failedStep(tested(address)), ConnectionStep::Login);
        FakePeer peer;
        peer.onConnect("SSH-2.0-OpenSSH_9.2\r\n");
        QCOMPARE(failedStep(tested(peer.address())), ConnectionStep::Login);
    }

    void aReplicaSaysWhose()
    {
        const RedisServer primary;
        const RedisServer replica(
            {QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1"), QString::number(primary.port())});
        QTRY_VERIFY(replica.cli({"INFO", "replication"}).contains("master_link_status:up"));
        const auto steps = tested(replica.tcpAddress());
        const auto role = std::ranges::find(steps, ConnectionStep::Role, &StepReport::step);
        QVERIFY(role != steps.end());
        QCOMPARE(role->state, State::Passed);
        QVERIFY(role->primary);
        QCOMPARE(role->primary->port, primary.port());
    }

    void aPermissionIsMissing()
    {
        RedisServer server;
        server.cli({"ACL", "SETUSER", "ann", "on", ">pw", "~*", "&*", "+@all", "-scan"});
        ServerAddress address = server.tcpAddress();
        address.user = "ann";
        address.password = "pw";
        const auto steps = tested(address);
        QCOMPARE(stateOf(steps, ConnectionStep::Login), State::Passed);
        QCOMPARE(stateOf(steps, ConnectionStep::Permission), State::Failed);
        QVERIFY2(steps.last().missing.contains("+scan"), steps.last().missing.join(' ').constData());
    }
};

QTEST_GUILESS_MAIN(ConnectionTestTest)
#include "tst_connectiontest.moc"
