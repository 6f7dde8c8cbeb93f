// SPDX-License-Identifier: GPL-3.0-or-later
// The ACL users that the program itself prints, on a real server: each may do what Lockscope does, and no more.
#include "core/act/aclcheck.h"
#include "core/act/actionnames.h"
#include "core/act/lockoperations.h"
#include "core/family/registry.h"
#include "core/monitor/clientfinder.h"
#include "core/monitor/deploymentmonitor.h"
#include "core/monitor/lockmonitor.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/rediscluster.h"
#include "tests/support/redisserver.h"
#include "tests/support/sentinelgroup.h"
#include "tests/support/told.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

AclServer kindOf(const RedisServer &server)
{
    const QByteArray info = server.cli({"INFO", "server"});
    const ServerInfo known = serverInfoFrom(info, {});
    return aclServerOf(known.name, known.major, known.minor);
}

QByteArrayList userCommand(const QByteArray &user, const AclRequest &request)
{
    return QByteArrayList{"ACL", "SETUSER", user, "on", ">choose-a-password"} +
           aclRules(aclRights(request), request);
}

AclRequest requestFor(AclRole role, const RedisServer &server)
{
    return {role, kindOf(server), MonitorOptions().patterns};
}

/// A server that holds a lock of each family and something else, with the user of that name, and its address.
class Server : public RedisServer
{
public:
    explicit Server(const QByteArray &user, const QList<QByteArray> &morePatterns = {})
    {
        AclRequest wanted = requestFor(*aclRoleName.valueOf(user), *this);
        wanted.patterns += morePatterns;
        created = cli(userCommand(user, wanted));
        cli({"SET", "lock_token", "tok", "PX", "60000"});
        cli({"HSET", "lock:reentrant", "owner", "1"});
        cli({"RPUSH", "queue:lock", "job"});
        cli({"SET", "secret", "42"});
        address = socketAddress();
        address.user = user;
        address.password = "choose-a-password";
    }

    QByteArray created;
    ServerAddress address;
};

Result<AclVerdict> verdictOf(const ServerAddress &address, const AclRequest &request)
{
    AclCheck check(address, request);
    std::optional<Result<AclVerdict>> verdict;
    QObject::connect(&check, &AclCheck::ended, &check,
                     [&verdict](const Result<AclVerdict> &told) { verdict = told; });
    check.start();
    if (!QTest::qWaitFor([&] { return verdict.has_value(); }, 20'000))
        return tl::unexpected(Error(ErrorKind::NetworkFailed, "no answer"));
    return *verdict;
}

ActionRequest request(Action action, Family family)
{
    ActionRequest request;
    request.action = action;
    request.family = family;
    request.key = LockKey("lock:acl");
    request.owner =
        OwnerId("7c9e6679-7425-40de-944b-e07fc1f90ae7:1"); // as Redisson's are; for the others any will do
    request.lease = Lease::fromMilliseconds(30s);
    request.expected = {{request.owner, {}, {}}};
    return request;
}

} // namespace

class TestAclUsers : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void theDocumentHasWhatIsPrinted();
    void theCheckAgrees_data();
    void theCheckAgrees();
    void theCheckFindsWhatIsTakenAway_data();
    void theCheckFindsWhatIsTakenAway();
    void jobsAreReadWithoutRefusals();
    void theMonitorUserCanFindClients();
    void theMonitorUserSeesAWholeCluster();
    void sentinelsRefuseNothing();
    void theMonitorUserSeesEveryLock();
    void theMonitorUserCanDoNoMore_data();
    void theMonitorUserCanDoNoMore();
    void theOperatorCanDoEveryAction_data();
    void theOperatorCanDoEveryAction();
    void theOperatorCanWakeAQueue();
    void theOperatorCanEndEveryFamily_data();
    void theOperatorCanEndEveryFamily();
};

/// A line for each command that is given there: "    lockscope-cli acl monitor" and, below it, what that prints.
void TestAclUsers::theDocumentHasWhatIsPrinted()
{
    QFile document(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/packaging/docs/permissions.md"));
    QVERIFY(document.open(QIODevice::ReadOnly));
    const QByteArrayList lines = document.readAll().split('\n');
    const QByteArray program = "    $ lockscope-cli ";
    int compared = 0;
    for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
        if (!lines[i].startsWith(program + "acl "))
            continue;
        const Ran ran = runProgram(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope-cli"),
                                   lines[i].sliced(program.size()).split(' '));
        QCOMPARE(ran.exitCode, 0);
        QCOMPARE(lines[i + 1].trimmed(), ran.out.trimmed());
        ++compared;
    }
    QCOMPARE(compared, 3);
}

void TestAclUsers::theCheckAgrees_data()
{
    QTest::addColumn<QByteArray>("user");
    QTest::newRow("monitor") << QByteArray("monitor");
    QTest::newRow("operator") << QByteArray("operator");
}

/// And asks nothing that is refused.
void TestAclUsers::theCheckAgrees()
{
    QFETCH(const QByteArray, user);
    const Server server(user);
    QCOMPARE(server.created, "OK");
    const Result<AclVerdict> verdict =
        verdictOf(server.address, requestFor(*aclRoleName.valueOf(user), server));
    QVERIFY2(verdict, verdict ? "" : verdict.error().text().constData());
    QCOMPARE(verdict->missing, QList<QByteArray>());
    QCOMPARE(verdict->untold, QList<QByteArray>());
    QCOMPARE(verdict->absent, QList<QByteArray>());
    QCOMPARE(server.cli({"ACL", "LOG"}), "");
    QCOMPARE(server.cli({"DBSIZE"}), "4"); // what was there before, and nothing else
}

void TestAclUsers::theCheckFindsWhatIsTakenAway_data()
{
    const RedisServer server;
    const AclRequest request = requestFor(AclRole::Operator, server);
    QTest::addColumn<QByteArray>("rule");
    for (const QByteArray &rule : aclRules(aclRights(request), request)) {
        if (!rule.startsWith("reset") && !rule.startsWith('-'))
            QTest::newRow(rule.constData()) << rule;
    }
}

/// Each rule of the operator's by itself.
void TestAclUsers::theCheckFindsWhatIsTakenAway()
{
    QFETCH(const QByteArray, rule);
    static Server server("operator");
    const AclRequest request = requestFor(AclRole::Operator, server);
    QByteArrayList command = userCommand("operator", request);
    command.insert(3, "reset");
    command.removeOne(rule);
    QCOMPARE(server.cli(command), "OK");
    const Result<AclVerdict> verdict = verdictOf(server.address, request);
    QVERIFY2(verdict, verdict ? "" : verdict.error().text().constData());
    const bool isFound = verdict->missing.contains(rule);
    // Names that another pattern matches as well, and what is asked about keys and channels by the command itself.
    QVERIFY2(isFound, verdict->missing.join(' ') + " untold " + verdict->untold.join(' '));
    if (rule != "+pttl" && rule != "+del" && rule != "+subscribe" && rule != "+publish" && rule != "+multi")
        QCOMPARE(verdict->missing, QList<QByteArray>{rule});
}

/// A refusal for each lock would fill ACL LOG.
void TestAclUsers::jobsAreReadWithoutRefusals()
{
    for (const char *user : {"monitor", "operator"}) {
        const Server server(user);
        const QByteArray worker = "7c9e6679-7425-40de-944b-e07fc1f90ae7:";
        for (const char *job : {"1", "2", "3"}) {
            server.cli({"SET", QByteArray("bull:mail:") + job + ":lock", worker + job, "PX", "60000"});
            server.cli(
                {"HSET", QByteArray("bull:mail:") + job, "processedOn", "1700000000000", "pb", "worker-7"});
        }
        Connection connection(server.address);
        LockMonitor monitor(connection, {});
        QSet<QByteArray> seen;
        onTold<LockDiff>(monitor, this, [&seen](const LockDiff &diff) {
            for (const WatchedLock &lock : diff.changed) {
                if (lock.lock.companions->worker == "worker-7")
                    seen.insert(lock.key().bytes);
            }
        });
        monitor.start();
        connection.open();
        QTRY_COMPARE(seen.size(), 3);
        QVERIFY2(!server.cli({"ACL", "LOG"}).contains("bull:"), user);
    }
}

void TestAclUsers::theMonitorUserCanFindClients()
{
    const Server server("monitor");
    AclRequest more = requestFor(AclRole::Monitor, server);
    more.findsClients = true;
    QCOMPARE(server.cli(userCommand("monitor", more)), "OK");
    Connection connection(server.address);
    QSignalSpy ready(&connection, &Connection::ready);
    connection.open();
    QVERIFY(ready.wait());
    QVERIFY(waitFor(connection.send({"CLIENT", "LIST"})).has_value());
    Lock lock;
    lock.address.key = LockKey("lock_token");
    ClientFinder who(server.address, lock, 200ms);
    QSignalSpy ended(&who, &ClientFinder::ended);
    who.start();
    QVERIFY(ended.wait());
    const auto end = ended.first().first().value<ClientFinderResult>();
    QVERIFY2(!end.error, end.error ? end.error->text().constData() : "");
    QCOMPARE(server.cli({"ACL", "LOG"}), "");
}

void TestAclUsers::theMonitorUserSeesEveryLock()
{
    const Server server("monitor");
    QCOMPARE(server.created, "OK");
    Connection connection(server.address);
    LockMonitor monitor(connection, {});
    QSet<QByteArray> found;
    onTold<LockDiff>(monitor, this, [&found](const LockDiff &diff) {
        for (const WatchedLock &lock : diff.changed)
            found.insert(lock.key().bytes + ' ' + familyName(lock.lock.family));
    });
    ToldSpy<Error> errorOccurred(monitor);
    ToldSpy<ScanStats> scanFinished(monitor);
    FeedStatus feed;
    onTold<FeedStatus>(monitor, this, [&feed](const FeedStatus &status) { feed = status; });
    monitor.start();
    connection.open();
    QTRY_VERIFY(scanFinished.size() >= 2); // the second one after everything known was read again
    QCOMPARE(found, (QSet<QByteArray>{"lock_token token", "lock:reentrant reentrant", "queue:lock unknown"}));
    QCOMPARE(errorOccurred.size(), 0);
    QVERIFY(connection.server().major > 0);                              // INFO was allowed
    QCOMPARE(server.cli({"CLIENT", "LIST"}).count("name=lockscope"), 2); // itself, and its feed
    const QList<FeedStatus::Route> routes{
        {"lock:*", FeedMode::Tracking}, {"lock_*", FeedMode::Tracking}, {"*:lock", FeedMode::KeyedTracking}};
    QCOMPARE(feed.routes, routes);
    QCOMPARE(server.cli({"ACL", "LOG"}), "");
}

void TestAclUsers::theMonitorUserCanDoNoMore_data()
{
    QTest::addColumn<QByteArrayList>("command");
    QTest::newRow("another key's value") << QByteArrayList{"GETRANGE", "secret", "0", "10"};
    QTest::newRow("delete") << QByteArrayList{"DEL", "lock_token"};
    QTest::newRow("script") << QByteArrayList{"EVAL", "return 1", "0"};
    QTest::newRow("expiry") << QByteArrayList{"PEXPIRE", "lock_token", "1"};
    QTest::newRow("configuration") << QByteArrayList{"CONFIG", "GET", "*"};
}

void TestAclUsers::theMonitorUserCanDoNoMore()
{
    QFETCH(QByteArrayList, command);
    const Server server("monitor");
    Connection connection(server.address);
    QSignalSpy ready(&connection, &Connection::ready);
    connection.open();
    QVERIFY(ready.wait());
    const std::vector<QByteArrayView> views(command.begin(), command.end());
    const Result<Reply> reply = waitFor(connection.send(std::span<const QByteArrayView>(views)));
    QVERIFY(!reply);
    QCOMPARE(reply.error().kind, ErrorKind::NoPermission);
}

void TestAclUsers::theOperatorCanDoEveryAction_data()
{
    QTest::addColumn<Family>("family");
    QTest::newRow("reentrant") << "reentrant"_family;
    QTest::newRow("token") << "token"_family;
    QTest::newRow("redisson") << "redisson"_family;
    QTest::newRow("redisson-fair") << "redisson-fair"_family;
    QTest::newRow("handoff") << "handoff"_family;
    QTest::newRow("spring-integration") << "spring-integration"_family;
    QTest::newRow("redlock4j") << "redlock4j"_family;
    QTest::newRow("python-redis-lock") << "python-redis-lock"_family;
    QTest::newRow("node-redisson") << "node-redisson"_family;
    QTest::newRow("simple-redis-mutex") << "simple-redis-mutex"_family;
}

void TestAclUsers::theOperatorCanDoEveryAction()
{
    QFETCH(Family, family);
    const Server server("operator");
    QCOMPARE(server.created, "OK");
    const QTemporaryDir directory;
    AuditLog audit(directory.filePath(QStringLiteral("audit.jsonl")));
    Connection connection(server.address);
    LockOperations operations(connection, audit);
    QSignalSpy ready(&connection, &Connection::ready);
    connection.open();
    QVERIFY(ready.wait());

    const QList<std::pair<Action, Outcome>> course{
        {Action::Acquire, Outcome::Acquired},    {Action::Extend, Outcome::Extended},
        {Action::Release, Outcome::Released},    {Action::Acquire, Outcome::Acquired},
        {Action::ForceExpire, Outcome::Expired}, {Action::Release, Outcome::NotHeld}};
    for (const auto &[action, outcome] : course) {
        const Result<ActionResult> report = waitFor(operations.run(request(action, family)));
        QVERIFY2(report, report ? "" : report.error().text().constData());
        QCOMPARE(outcomeName(report->outcome), outcomeName(outcome));
        QCOMPARE(report->message, ""); // else: "waiters not woken: …"
    }
    QCOMPARE(server.cli({"ACL", "LOG"}), "");
}

void TestAclUsers::theOperatorCanWakeAQueue()
{
    const Server server("operator");
    const QTemporaryDir directory;
    AuditLog audit(directory.filePath(QStringLiteral("audit.jsonl")));
    Connection connection(server.address);
    LockOperations operations(connection, audit);
    QSignalSpy ready(&connection, &Connection::ready);
    connection.open();
    QVERIFY(ready.wait());
    // The first has timed out, and is dropped.
    server.cli({"RPUSH", "redisson_lock_queue:{lock:acl}", "u:1", "u:2"});
    server.cli({"ZADD", "redisson_lock_timeout:{lock:acl}", "5", "u:1", "99999999999999", "u:2"});
    server.cli({"RPUSH", "lock:acl:handoff:queue", "w"});
    server.cli({"HSET", "lock:acl:handoff:waiters", "w", "9000000000000 30000"});
    for (const auto &[family, outcome] : {std::pair("redisson-fair"_family, Outcome::NotHeard),
                                          std::pair("handoff"_family, Outcome::NotWaiting)}) {
        const Result<ActionResult> report = waitFor(operations.run(request(Action::Wake, family)));
        QVERIFY2(report, report ? "" : report.error().text().constData());
        QCOMPARE(outcomeName(report->outcome), outcomeName(outcome));
    }
    QCOMPARE(server.cli({"ACL", "LOG"}), "");
}

void TestAclUsers::theOperatorCanEndEveryFamily_data()
{
    QTest::addColumn<Family>("family");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArrayList>("before");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<HoldMode>("mode");
    const QByteArray hex = "0123456789abcdef0123456789abcdef01234567";
    const QByteArray id = "7c9e6679-7425-40de-944b-e07fc1f90ae7:1";
    const auto row = [](const char *name, Family family, const QByteArray &key, const QByteArrayList &before,
                        const QByteArray &owner, HoldMode mode = HoldMode::Exclusive) {
        QTest::newRow(name) << family << key << before << owner << mode;
    };
    row("a queue", "redisson-fair"_family, "lock:a",
        {"HSET lock:a " + id + " 1", "RPUSH redisson_lock_queue:{lock:a} b",
         "ZADD redisson_lock_timeout:{lock:a} 1 b"},
        id);
    row("readers", "redisson-read-write"_family, "a:lock",
        {"HSET a:lock mode read " + id + " 1", "SET {a:lock}:" + id + ":rwlock_timeout:1 1"}, id,
        HoldMode::Read);
    row("several values", "redisson-multi"_family, "lock_a",
        {"HSET lock_a v " + id + " v:" + id + ":lock_count 1 v:" + id + ":expire_time 9"}, "v:" + id);
    row("a latch", "redisson-latch"_family, "lock:a", {"SET lock:a 3"}, "3");
    row("a permit", "redisson-semaphore"_family, "lock:a",
        {"SET lock:a 3", "ZADD {lock:a}:timeout 5 0123456789abcdef"}, "0123456789abcdef");
    row("handed over", "handoff"_family, "a:lock", {"HSET a:lock u:1 1", "SET a:lock:handoff:fence 7"},
        "u:1");
    row("a sorted set", "symfony"_family, "lock:a", {"ZADD lock:a 1 t"}, "t");
    row("a set", "madelson"_family, "lock:a.readers", {"SADD lock:a.readers t"}, "t", HoldMode::Read);
    row("a digest", "sidekiq-unique-jobs"_family, "uniquejobs:d:LOCKED",
        {"HSET uniquejobs:d:LOCKED j {}", "ZADD uniquejobs:digests 1 uniquejobs:d", "SET uniquejobs:d j"},
        "j");
    row("a fair token", "redlock4j"_family, "a:lock", {"SET a:lock " + hex, "ZADD a:lock:queue 1 " + hex},
        hex);
    row("a stream", "node-redisson"_family, "lock:a", {"HSET lock:a u:1 1", "XADD redisson:events * a 0"},
        "u:1");
    row("a job", "bullmq"_family, "bull:mail:7:lock", {"SET bull:mail:7:lock " + id}, id);
}

void TestAclUsers::theOperatorCanEndEveryFamily()
{
    QFETCH(Family, family);
    QFETCH(QByteArray, key);
    QFETCH(QByteArrayList, before);
    QFETCH(QByteArray, owner);
    QFETCH(HoldMode, mode);
    const Server server("operator", {"uniquejobs:*", "bull:*"});
    server.cli({}, before.join('\n'));
    const QTemporaryDir directory;
    AuditLog audit(directory.filePath(QStringLiteral("audit.jsonl")));
    Connection connection(server.address);
    LockOperations operations(connection, audit);
    QSignalSpy ready(&connection, &Connection::ready);
    connection.open();
    QVERIFY(ready.wait());
    ActionRequest asked = request(Action::ForceExpire, family);
    asked.key = LockKey(key);
    const bool isCounted = family == "redisson-fair"_family || family == "handoff"_family ||
                           family == "redisson-read-write"_family || family == "redisson-multi"_family;
    asked.expected = {{OwnerId(owner), isCounted ? "1" : "", 1, mode}};
    const Result<ActionResult> report = waitFor(operations.run(asked));
    QVERIFY2(report, report ? "" : report.error().text().constData());
    QCOMPARE(outcomeName(report->outcome), outcomeName(Outcome::Expired));
    QCOMPARE(report->message, "");
    QCOMPARE(server.cli({"ACL", "LOG"}), "");
}

/// Every feature that reads, at all nodes.
void TestAclUsers::theMonitorUserSeesAWholeCluster()
{
    RedisCluster cluster(2);
    for (int i = 0; i < cluster.size(); ++i) {
        RedisServer &node = cluster.node(i);
        AclRequest wanted = requestFor(AclRole::Monitor, node);
        wanted.isCluster = true;
        QCOMPARE(node.cli(userCommand("monitor", wanted)), "OK");
        node.cli({"ACL", "LOG", "RESET"});
    }
    const QByteArray queued = cluster.keyOn(cluster.node(0), "lock:{q%1}");
    cluster.node(0).cli({"HSET", queued, "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7", "1"});
    cluster.node(0).cli({"PEXPIRE", queued, "60000"});
    cluster.node(1).cli({"SET", cluster.keyOn(cluster.node(1), "lock:%1"), "owner", "PX", "60000"});
    ServerAddress address = cluster.node(1).socketAddress();
    address.user = "monitor";
    address.password = "choose-a-password";
    Deployment deployment(address, {});
    DeploymentMonitor monitor(deployment, {});
    ToldSpy<ScanStats> scanned(monitor);
    PermissionStatus permissions;
    onTold<PermissionStatus>(monitor, this, [&](const PermissionStatus &status) { permissions = status; });
    monitor.start();
    deployment.open();
    QTRY_VERIFY_WITH_TIMEOUT(scanned.size() > 2, 30'000);
    QCOMPARE(scanned.last().locks, 2);
    const auto wasCounted = [](const RedisServer &node) { // what stands beside them, and who listens
        return node.cli({"INFO", "commandstats"}).contains("pubsub|numsub");
    };
    for (int i = 0; i < cluster.size(); ++i)
        QTRY_VERIFY_WITH_TIMEOUT(wasCounted(cluster.node(i)), 30'000);
    QVERIFY(permissions.isWhole());
    for (int i = 0; i < cluster.size(); ++i)
        QCOMPARE(cluster.node(i).cli({"ACL", "LOG"}), "");
}

/// Each with its own user, of the same name here.
void TestAclUsers::sentinelsRefuseNothing()
{
    SentinelGroup group;
    for (int i = 0; i < group.size(); ++i)
        QCOMPARE(group.server(i).cli(userCommand("monitor", requestFor(AclRole::Monitor, group.server(i)))),
                 "OK");
    for (int i = 0; i < 3; ++i)
        QCOMPARE(
            group.sentinel(i).cli(userCommand("monitor", requestFor(AclRole::Sentinels, group.server(0)))),
            "OK");
    ServerAddress address = group.address();
    address.user = address.sentinelUser = "monitor";
    address.password = address.sentinelPassword = "choose-a-password";
    for (const bool readsReplica : {false, true}) {
        address.readsReplica = readsReplica;
        Deployment deployment(address, {});
        DeploymentMonitor monitor(deployment, {});
        ToldSpy<ScanStats> scanned(monitor);
        monitor.start();
        deployment.open();
        // After a failover the Sentinels hear at their next INFO, or the one after it, 10 s each, that a replica is in step.
        QTRY_VERIFY_WITH_TIMEOUT(scanned.size() > 0, SentinelGroup::patience);
        QTRY_COMPARE(deployment.sentinels()->answering, 3);
        if (!readsReplica) {
            QVERIFY(group.failOver());
            QTRY_COMPARE_WITH_TIMEOUT(deployment.shards().first()->address().port, group.server(1).port(),
                                      SentinelGroup::patience);
            QVERIFY(group.waitUntilInStep());
        }
    }
    address.primaryName = QStringLiteral("payments");
    Deployment unknown(address, {});
    unknown.open();
    QTRY_VERIFY(unknown.link().lastError().text().contains("It knows: orders."));
    for (int i = 0; i < 3; ++i)
        QCOMPARE(group.sentinel(i).cli({"ACL", "LOG"}), "");
    for (int i = 0; i < group.size(); ++i)
        QCOMPARE(group.server(i).cli({"ACL", "LOG"}), "");
}

QTEST_GUILESS_MAIN(TestAclUsers)
#include "tst_aclusers.moc"
