// SPDX-License-Identifier: GPL-3.0-or-later
// Real servers in trouble: what can be read goes on being shown, what can't be done is refused with its cause, and nothing
// that was refused was done.
#include "tests/support/deploymentwatcher.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"

#include <QDir>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// With actions by a connection of their own, as in the window.
class TroubledWatcher : public DeploymentWatcher
{
public:
    explicit TroubledWatcher(const RedisServer &server)
        : DeploymentWatcher(server.socketAddress(), {}, {.commandDeadline = 30s, .writesApart = true})
    {
        onTold<Error>(monitor, this, [this](const Error &why) { troubles << why; });
    }

    bool isLive() { return deployment.link().state() == Link::State::Ready; }
    bool hasMet(ErrorKind kind) const
    {
        return std::ranges::any_of(troubles, [kind](const Error &why) { return why.kind == kind; });
    }

    QList<Error> troubles;
};

ActionRequest release(const QByteArray &key, const QByteArray &owner)
{
    ActionRequest request = acquireToken(key, owner);
    request.action = Action::Release;
    request.lease.reset();
    return request;
}

void put(const RedisServer &server, const QByteArray &key, const QByteArray &owner)
{
    QCOMPARE(server.cli({"SET", key, owner, "PX", "600000"}), QByteArray("OK"));
}

} // namespace

class TestTroubledServers : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void refusingWrites_data();
    void refusingWrites();
    void outOfMemory();
    void pausedWrites();
    void busyWithAScript();
    void busyAtLogin();
    void loading();
    void aReplicaThatLostItsPrimary();
    void theirOwnConnectionEnds();
    void promotedAndDemoted();
};

void TestTroubledServers::refusingWrites_data()
{
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<int>("kind");
    QTest::newRow("saving to disk fails")
        << QStringList{QStringLiteral("--stop-writes-on-bgsave-error"), QStringLiteral("yes")}
        << int(ErrorKind::PersistenceFailed);
    QTest::newRow("too few replicas")
        << QStringList{QStringLiteral("--min-replicas-to-write"), QStringLiteral("0")}
        << int(ErrorKind::NoReplicas);
}

void TestTroubledServers::refusingWrites()
{
    QFETCH(QStringList, settings);
    QFETCH(int, kind);
    RedisServer server(settings);
    put(server, "lock:a", "one");
    if (ErrorKind(kind) == ErrorKind::NoReplicas) {
        server.cli({"CONFIG", "SET", "min-replicas-to-write", "1"});
    } else {
        QCOMPARE(server.cli({"CONFIG", "SET", "save", "3600 1"}), "OK");
        // What it saves to can't be written, as on a disk that is full.
        QVERIFY(QDir().mkpath(server.directory() + QStringLiteral("/dump.rdb/inside")));
        server.cli({"BGSAVE"});
        QTRY_VERIFY_WITH_TIMEOUT(server.cli({"INFO", "persistence"}).contains("rdb_last_bgsave_status:err"),
                                 10'000);
    }
    TroubledWatcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    for (const ActionRequest &request : {acquireToken("lock:b", "two"), release("lock:a", "one")}) {
        const auto done = waitFor(watcher.operations.run(request));
        QVERIFY(!done.has_value());
        QCOMPARE(int(done.error().kind), kind);
    }
    QCOMPARE(server.cli({"GET", "lock:a"}), QByteArray("one"));
    QCOMPARE(server.cli({"EXISTS", "lock:b"}), QByteArray("0"));
    QVERIFY(watcher.waitUntilConfirmed());
    QVERIFY(watcher.isLive());
    QVERIFY(watcher.troubles.isEmpty());
    QCOMPARE(watcher.locks.size(), 1);
}

void TestTroubledServers::outOfMemory()
{
    RedisServer server;
    put(server, "lock:a", "one");
    server.cli({"CONFIG", "SET", "maxmemory", "1"});
    TroubledWatcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    const auto acquired = waitFor(watcher.operations.run(acquireToken("lock:b", "two")));
    QVERIFY(!acquired.has_value());
    QCOMPARE(acquired.error().kind, ErrorKind::OutOfMemory);
    // What frees memory is not refused.
    const auto released = waitFor(watcher.operations.run(release("lock:a", "one")));
    QVERIFY(released.has_value());
    QCOMPARE(released->outcome, Outcome::Released);
    QTRY_VERIFY(watcher.locks.isEmpty());
    QVERIFY(watcher.troubles.isEmpty());
}

void TestTroubledServers::pausedWrites()
{
    RedisServer server;
    put(server, "lock:a", "one");
    TroubledWatcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    QCOMPARE(server.cli({"CLIENT", "PAUSE", "60000", "WRITE"}), QByteArray("OK"));
    const auto released = watcher.operations.run(release("lock:a", "one"));
    // The picture does not wait with it.
    for (int i = 0; i < 3; ++i) {
        QVERIFY(watcher.waitUntilConfirmed());
        QVERIFY(watcher.isLive());
    }
    QCOMPARE(watcher.locks.size(), 1);
    QVERIFY(!released.isFinished());
    QCOMPARE(server.cli({"CLIENT", "UNPAUSE"}), QByteArray("OK"));
    QVERIFY(QTest::qWaitFor([&] { return released.isFinished(); }, 10'000));
    QCOMPARE(released.result()->outcome, Outcome::Released);
    QTRY_VERIFY(watcher.locks.isEmpty());
    QVERIFY(watcher.isLive());
}

void TestTroubledServers::busyWithAScript()
{
    RedisServer server({QStringLiteral("--lua-time-limit"), QStringLiteral("100")});
    put(server, "lock:a", "one");
    TroubledWatcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    QProcess script;
    script.start(QStringLiteral("redis-cli"),
                 {QStringLiteral("-s"), server.socketPath(), QStringLiteral("EVAL"),
                  QStringLiteral("while true do end"), QStringLiteral("0")});
    QTRY_VERIFY_WITH_TIMEOUT(watcher.hasMet(ErrorKind::Busy), 20'000);
    const auto acquired = waitFor(watcher.operations.run(acquireToken("lock:b", "two")));
    QVERIFY(!acquired.has_value());
    QVERIFY(watcher.isLive());
    QCOMPARE(watcher.locks.size(), 1); // as last read
    QCOMPARE(server.cli({"SCRIPT", "KILL"}), QByteArray("OK"));
    QVERIFY(watcher.waitUntilConfirmed());
    QTRY_COMPARE(script.state(), QProcess::NotRunning);
    QCOMPARE(server.cli({"EXISTS", "lock:b"}), QByteArray("0"));
    QVERIFY(!watcher.events.contains("vanished lock:a"));
}

void TestTroubledServers::busyAtLogin()
{
    RedisServer server({QStringLiteral("--lua-time-limit"), QStringLiteral("100")});
    put(server, "lock:a", "one");
    QProcess script;
    script.start(QStringLiteral("redis-cli"),
                 {QStringLiteral("-s"), server.socketPath(), QStringLiteral("EVAL"),
                  QStringLiteral("while true do end"), QStringLiteral("0")});
    QTRY_VERIFY_WITH_TIMEOUT(server.cli({"GET", "lock:a"}).startsWith("BUSY"), 10'000);
    TroubledWatcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.deployment.link().lastError().kind, ErrorKind::Busy, 10'000);
    QVERIFY(!watcher.isLive());
    QCOMPARE(server.cli({"SCRIPT", "KILL"}), QByteArray("OK"));
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    QVERIFY(!watcher.deployment.link().server().version.isEmpty()); // it was asked again
    QTRY_COMPARE(script.state(), QProcess::NotRunning);
}

void TestTroubledServers::loading()
{
    RedisServer server({QStringLiteral("--dbfilename"), QStringLiteral("dump.rdb")});
    server.cli({"EVAL", "for i = 1, 20000 do redis.call('SET', 'some:' .. i, i) end", "0"});
    put(server, "lock:a", "one");
    TroubledWatcher watcher(server);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    QCOMPARE(server.cli({"SAVE"}), QByteArray("OK"));
    server.kill();
    QTRY_VERIFY(!watcher.isLive());
    // Some hundred microseconds for each key: four seconds.
    server.restartWith({QStringLiteral("--key-load-delay"), QStringLiteral("200"),
                        QStringLiteral("--loading-process-events-interval-bytes"), QStringLiteral("1024")});
    QTRY_VERIFY_WITH_TIMEOUT(watcher.hasMet(ErrorKind::Loading), 20'000);
    const Error told = *std::ranges::find(watcher.troubles, ErrorKind::Loading, &Error::kind);
    QVERIFY2(told.text().contains("% loaded, about "), told.text());
    QCOMPARE(watcher.locks.size(), 1); // as last read
    const auto acquired = waitFor(watcher.operations.run(acquireToken("lock:b", "two")));
    QVERIFY(!acquired.has_value());
    QCOMPARE(acquired.error().kind, ErrorKind::Loading);
    QVERIFY(watcher.waitUntilConfirmed(30'000));
    QCOMPARE(watcher.locks.keys(), QByteArrayList{"lock:a"});
    QCOMPARE(server.cli({"EXISTS", "lock:b"}), QByteArray("0"));
}

void TestTroubledServers::aReplicaThatLostItsPrimary()
{
    auto primary = std::make_unique<RedisServer>(
        QStringList{QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")});
    put(*primary, "lock:a", "one");
    RedisServer replica({QStringLiteral("--replicaof"), QStringLiteral("127.0.0.1 %1").arg(primary->port())});
    TroubledWatcher watcher(replica);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 1, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        watcher.cluster.nodes.first().replicaOf && watcher.cluster.nodes.first().replicaOf->isUp, 10'000);
    QCOMPARE(watcher.cluster.nodes.first().replicaOf->primary.port, primary->port());
    primary->kill();
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.cluster.nodes.first().replicaOf->isUp, 10'000);
    QVERIFY(watcher.isLive()); // what it has can be read
    QVERIFY(watcher.waitUntilConfirmed());
    replica.cli({"CONFIG", "SET", "replica-serve-stale-data", "no"});
    QTRY_VERIFY_WITH_TIMEOUT(watcher.hasMet(ErrorKind::MasterDown), 20'000);
    QCOMPARE(watcher.locks.size(), 1);
    QVERIFY(!watcher.events.contains("vanished lock:a"));
    // It would take them, and keep nothing of it.
    replica.cli({"CONFIG", "SET", "replica-serve-stale-data", "yes"});
    replica.cli({"CONFIG", "SET", "replica-read-only", "no"});
    const auto acquired = waitFor(watcher.operations.run(acquireToken("lock:b", "two")));
    QVERIFY(!acquired.has_value());
    QCOMPARE(acquired.error().kind, ErrorKind::ReadOnlyReplica);
    QCOMPARE(replica.cli({"EXISTS", "lock:b"}), QByteArray("0"));
}

void TestTroubledServers::theirOwnConnectionEnds()
{
    RedisServer server;
    TroubledWatcher watcher(server);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    const auto ofActions = [&server]() -> QByteArray {
        for (const QByteArray &client : server.cli({"CLIENT", "LIST"}).split('\n')) {
            if (client.contains("name=lockscope:actions"))
                return client.mid(3, client.indexOf(' ') - 3); // "id=7 …"
        }
        return {};
    };
    QVERIFY(ofActions().isEmpty()); // nothing was done yet
    for (const char *owner : {"one", "two"}) {
        const auto acquired =
            waitFor(watcher.operations.run(acquireToken("lock:" + QByteArray(owner), owner)));
        QVERIFY(acquired.has_value());
        QCOMPARE(acquired->outcome, Outcome::Acquired);
        const QByteArray id = ofActions();
        QVERIFY(!id.isEmpty());
        QCOMPARE(server.cli({"CLIENT", "KILL", "ID", id}), QByteArray("1"));
        QVERIFY(watcher.isLive());
    }
    // While something is on its way: whether it was done is not known before the key was looked at.
    QCOMPARE(server.cli({"CLIENT", "PAUSE", "60000", "WRITE"}), QByteArray("OK"));
    const auto waiting = watcher.operations.run(acquireToken("lock:three", "three"));
    QTRY_VERIFY(!ofActions().isEmpty());
    QTest::qWait(300);
    QCOMPARE(server.cli({"CLIENT", "KILL", "ID", ofActions()}), QByteArray("1"));
    const auto ended = waitFor(waiting);
    QVERIFY(ended.has_value());
    QCOMPARE(ended->outcome, Outcome::Unknown);
    QVERIFY(watcher.isLive());
    server.cli({"CLIENT", "UNPAUSE"});
}

/// By hand, without a new connection.
void TestTroubledServers::promotedAndDemoted()
{
    RedisServer primary({QStringLiteral("--repl-diskless-sync-delay"), QStringLiteral("0")});
    RedisServer server;
    TroubledWatcher watcher(server);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.scanFinished.size() > 0, 20'000);
    QVERIFY(!watcher.cluster.nodes.first().isReplica);
    server.cli({"REPLICAOF", "127.0.0.1", QByteArray::number(primary.port())});
    QTRY_VERIFY_WITH_TIMEOUT(watcher.cluster.nodes.first().isReplica, 10'000);
    const auto refused = waitFor(watcher.operations.run(acquireToken("lock:b", "two")));
    QVERIFY(!refused.has_value());
    QCOMPARE(refused.error().kind, ErrorKind::ReadOnlyReplica);
    server.cli({"REPLICAOF", "NO", "ONE"});
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.cluster.nodes.first().isReplica, 10'000);
    const auto acquired = waitFor(watcher.operations.run(acquireToken("lock:b", "two")));
    QVERIFY(acquired.has_value());
    QCOMPARE(acquired->outcome, Outcome::Acquired);
    QTRY_VERIFY(watcher.locks.contains("lock:b"));
}

QTEST_GUILESS_MAIN(TestTroubledServers)
#include "tst_troubledservers.moc"
