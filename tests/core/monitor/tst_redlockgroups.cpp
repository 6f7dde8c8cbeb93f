// SPDX-License-Identifier: GPL-3.0-or-later
// Independent servers as one picture, and actions on all of them.
#include "core/act/deploymentoperations.h"
#include "tests/support/deploymentwatcher.h"
#include "tests/support/futures.h"
#include "tests/support/othernodes.h"
#include "tests/support/redlockgroup.h"

#include <QFile>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

/// With actions on all servers.
class GroupWatcher : public DeploymentWatcher
{
public:
    explicit GroupWatcher(const ServerAddress &address, const MonitorOptions &options = {})
        : DeploymentWatcher(address, options), all(deployment, audit)
    {
    }
    const Quorum *quorumOf(const QByteArray &key) const
    {
        const auto lock = locks.constFind(key);
        return lock == locks.constEnd() ? nullptr : lock->lock.quorum.data();
    }
    QByteArray ownerOf(const QByteArray &key) const
    {
        const QList<LockOwner> owners = locks.value(key).lock.owners;
        return owners.isEmpty() ? QByteArray() : owners.first().owner.bytes;
    }
    /// "2/0 held"
    QByteArray verdict(const QByteArray &key) const
    {
        const Quorum *quorum = quorumOf(key);
        if (!quorum)
            return "none";
        return QByteArray::number(quorum->agreeing) + '/' + QByteArray::number(quorum->unknown) +
               (quorum->isHeld     ? " held"
                : quorum->isLost() ? " lost"
                                   : " open");
    }
    /// The same with what is known of each server, for a test that fails.
    QByteArray state(const QByteArray &key) const
    {
        QByteArray text = verdict(key);
        for (const NodeStatus &node : cluster.nodes)
            text += "\n" + node.name.toUtf8() + ": state " + QByteArray::number(int(node.state)) +
                    (node.isCurrent ? ", current, " : ", not current, ") + node.error.text();
        return text + "\nscans: " + QByteArray::number(scanFinished.size());
    }
    ActionRequest forceExpire(const QByteArray &key) const
    {
        ActionRequest request;
        request.action = Action::ForceExpire;
        request.family = locks[key].lock.family;
        request.key = LockKey(key);
        request.expected = locks[key].lock.owners;
        request.seen = locks[key].lock;
        return request;
    }
    qsizetype auditLines() const
    {
        QFile file(directory.filePath(QStringLiteral("audit.jsonl")));
        return file.open(QIODevice::ReadOnly) ? file.readAll().count('\n') : 0;
    }

    DeploymentOperations all;
};

} // namespace

class TestRedlockGroups : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void eachLockIsShownOnce_data();
    void eachLockIsShownOnce();
    void changesAreFollowed();
    void aLostServerLeavesAQuorum();
    void aServerRestartedEmpty();
    void whatIsNoMember();
    void oneThatBecomesAReplica();
    void forceExpireActsOnAll();
    void forceExpireSparesAnother();
    void forceExpireWithAServerDown();
    void acquireTakesAMajority();
    void acquireTakesBackWhatIsTooLittle();
    void withoutAMajorityNothingIsAcquired();
    void racesOfForceExpire();
};

void TestRedlockGroups::eachLockIsShownOnce_data()
{
    QTest::addColumn<bool>("listens");
    QTest::newRow("push") << true;
    QTest::newRow("polling") << false;
}

void TestRedlockGroups::eachLockIsShownOnce()
{
    QFETCH(const bool, listens);
    RedlockGroup group;
    group.hold("lock:all", "a", {0, 1, 2});
    group.hold("lock:two", "b", {0, 2});
    group.hold("lock:one", "c", {1});
    group.hold("lock:split", "d", {0, 1});
    group.hold("lock:split", "e", {2});
    MonitorOptions options;
    options.listens = listens;
    GroupWatcher watcher(group.address(), options);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.locks.size(), 4, 20'000);
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:all") == "3/0 held",
                              watcher.state("lock:all").constData(), 20'000);
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:two") == "2/0 held",
                              watcher.state("lock:two").constData(), 5'000);
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:one") == "1/0 lost",
                              watcher.state("lock:one").constData(), 5'000);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.locks["lock:one"].problems().testFlag(Problem::NoQuorum), 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.locks["lock:split"].problems().testFlag(Problem::OwnersDiffer), 10'000);
    QCOMPARE(watcher.ownerOf("lock:split"), "d");
    QVERIFY(!watcher.locks["lock:all"].problems());
    QVERIFY(!watcher.locks["lock:two"].problems());
    QVERIFY(watcher.cluster.isGroup);
    QCOMPARE(watcher.cluster.nodes.size(), 3);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(watcher.cluster.nodes[i].name, group.name(i));
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.scanFinished.isEmpty(), 10'000);
    const auto stats = watcher.scanFinished.last();
    QCOMPARE(stats.locks, 4);
    QCOMPARE(stats.nodesMissing, 0);
}

void TestRedlockGroups::changesAreFollowed()
{
    RedlockGroup group;
    GroupWatcher watcher(group.address());
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.scanFinished.isEmpty(), 20'000);
    QVERIFY(watcher.waitUntilConfirmed());
    group.hold("lock:a", "one", {0, 1, 2});
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "3/0 held", watcher.state("lock:a").constData(),
                              10'000);
    QVERIFY2(watcher.events == QByteArrayList{"acquired lock:a"}, watcher.events.join(", "));
    for (int i = 0; i < 3; ++i)
        group.server(i).cli({"DEL", "lock:a"});
    QTRY_VERIFY_WITH_TIMEOUT(watcher.locks.isEmpty(), 10'000);
    QTRY_COMPARE(watcher.events, (QByteArrayList{"acquired lock:a", "released lock:a"}));
    // On one of them it runs out.
    group.hold("lock:b", "two", {0, 1});
    group.hold("lock:b", "two", {2}, "300");
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:b") == "2/0 held", watcher.state("lock:b").constData(),
                              10'000);
    QVERIFY(!watcher.locks["lock:b"].problems());
}

void TestRedlockGroups::aLostServerLeavesAQuorum()
{
    RedlockGroup group;
    group.hold("lock:a", "one", {0, 1, 2});
    group.hold("lock:b", "two", {0, 1});
    GroupWatcher watcher(group.address());
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "3/0 held", watcher.state("lock:a").constData(),
                              20'000);
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:b") == "2/0 held", watcher.state("lock:b").constData(),
                              20'000);
    watcher.events.clear();
    group.server(0).kill();
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "2/1 held", watcher.state("lock:a").constData(),
                              10'000);
    QCOMPARE(watcher.verdict("lock:b"), "1/1 open");
    QCOMPARE(watcher.cluster.missing().size(), 1);
    QVERIFY(watcher.waitUntilConfirmed()); // the others go on
    QVERIFY2(watcher.events.isEmpty(), watcher.events.join(','));
    QVERIFY(!watcher.locks["lock:b"].problems());
    group.server(1).kill();
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "1/2 open", watcher.state("lock:a").constData(),
                              10'000);
    QVERIFY2(watcher.events.isEmpty(), watcher.events.join(','));
}

/// The weakness of Redlock with servers that do not keep their data: a second client could get a majority.
void TestRedlockGroups::aServerRestartedEmpty()
{
    RedlockGroup group;
    group.hold("lock:a", "one", {0, 1});
    GroupWatcher watcher(group.address());
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "2/0 held", watcher.state("lock:a").constData(),
                              20'000);
    watcher.events.clear();
    group.server(0).kill();
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "1/1 open", watcher.state("lock:a").constData(),
                              10'000);
    group.server(0).start();
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "1/0 lost", watcher.state("lock:a").constData(),
                              20'000);
    QTRY_VERIFY_WITH_TIMEOUT(watcher.locks["lock:a"].problems().testFlag(Problem::NoQuorum), 10'000);
    QTRY_COMPARE(watcher.events, QByteArrayList{"vanished lock:a"});
}

void TestRedlockGroups::whatIsNoMember()
{
    RedisServer server;
    RedisServer other;
    RedisServer replica(replicaSettings(server));
    RedisServer node(nodeSettings());
    addSlots(node, 0, 16383);
    QVERIFY(isInStep(replica));
    server.cli({"SET", "lock:a", "one", "PX", "600000"});
    ServerAddress address;
    for (const RedisServer *each : {&server, &other, &replica, &node})
        address.members.append({QStringLiteral("127.0.0.1"), each->port()});
    address.members.append({QStringLiteral("localhost"), server.port()}); // the same under another name
    GroupWatcher watcher(address);
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.missing().size(), 3, 20'000);
    QStringList why;
    for (const NodeStatus &missing : watcher.cluster.missing()) {
        QCOMPARE(missing.error.kind, ErrorKind::NotOfGroup);
        QCOMPARE(missing.state, Link::State::Refused);
        why.append(QString::fromUtf8(missing.error.text()));
    }
    const QString text = why.join(u'\n');
    QVERIFY2(text.contains(QStringLiteral("%1 is a replica").arg(replica.tcpAddress().toDisplayString())),
             qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("is a node of a cluster")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("is the same server as")), qPrintable(text));
    // They are unknown, and make no majority.
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "1/3 open", watcher.state("lock:a").constData(),
                              10'000);
}

void TestRedlockGroups::oneThatBecomesAReplica()
{
    RedlockGroup group;
    group.hold("lock:a", "one", {0, 1, 2});
    GroupWatcher watcher(group.address());
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "3/0 held", watcher.state("lock:a").constData(),
                              20'000);
    group.server(2).cli({"REPLICAOF", "127.0.0.1", QByteArray::number(group.server(0).port())});
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.missing().size(), 1, 10'000);
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "2/1 held", watcher.state("lock:a").constData(),
                              10'000);
    QCOMPARE(watcher.cluster.missing().first().error.kind, ErrorKind::NotOfGroup);
}

void TestRedlockGroups::forceExpireActsOnAll()
{
    RedlockGroup group(5);
    group.hold("lock:a", "one", {0, 1, 2, 3, 4});
    GroupWatcher watcher(group.address());
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "5/0 held", watcher.state("lock:a").constData(),
                              20'000);
    const auto result = waitFor(watcher.all.run(watcher.forceExpire("lock:a")));
    QVERIFY(result);
    QCOMPARE(result->outcome, Outcome::Expired);
    QCOMPARE(result->servers.size(), 5);
    QCOMPARE(std::ranges::count_if(result->servers, &ServerResult::hasDone), 5);
    QCOMPARE(group.values("lock:a"), QByteArrayList(5, QByteArray()));
    QCOMPARE(watcher.auditLines(), 10); // each is asked and completed by itself
    QTRY_VERIFY_WITH_TIMEOUT(watcher.locks.isEmpty(), 10'000);
}

/// What was not seen is not ended, wherever it stands.
void TestRedlockGroups::forceExpireSparesAnother()
{
    RedlockGroup group;
    group.hold("lock:a", "one", {0, 1});
    group.hold("lock:a", "other", {2});
    GroupWatcher watcher(group.address());
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "2/0 held", watcher.state("lock:a").constData(),
                              20'000);
    const auto result = waitFor(watcher.all.run(watcher.forceExpire("lock:a")));
    QVERIFY(result);
    QCOMPARE(result->outcome, Outcome::Expired);
    QCOMPARE(result->servers[2].outcome, std::optional(Outcome::OwnerChanged));
    QCOMPARE(group.values("lock:a"), (QByteArrayList{"", "", "other"}));
}

void TestRedlockGroups::forceExpireWithAServerDown()
{
    RedlockGroup group;
    group.hold("lock:a", "one", {0, 1, 2});
    group.hold("lock:b", "two", {0, 1, 2});
    GroupWatcher watcher(group.address());
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:b") == "3/0 held", watcher.state("lock:b").constData(),
                              20'000);
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "3/0 held", watcher.state("lock:a").constData(),
                              20'000);
    group.server(1).kill();
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:a") == "2/1 held", watcher.state("lock:a").constData(),
                              10'000);
    auto result = waitFor(watcher.all.run(watcher.forceExpire("lock:a")));
    QVERIFY(result);
    QCOMPARE(result->outcome, Outcome::Expired); // no majority can have it
    QVERIFY(!result->servers[1].outcome && result->servers[1].error);
    group.server(2).kill();
    QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict("lock:b") == "1/2 open", watcher.state("lock:b").constData(),
                              10'000);
    result = waitFor(watcher.all.run(watcher.forceExpire("lock:b")));
    QVERIFY(result);
    QCOMPARE(result->outcome, Outcome::Unknown); // two of them may have it still
    QCOMPARE(result->servers[0].outcome, std::optional(Outcome::Expired));
}

void TestRedlockGroups::acquireTakesAMajority()
{
    RedlockGroup group;
    group.hold("lock:a", "other", {1});
    GroupWatcher watcher(group.address());
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.scanFinished.isEmpty(), 20'000);
    const auto result = waitFor(watcher.all.run(acquireToken("lock:a", "me")));
    QVERIFY(result);
    QCOMPARE(result->outcome, Outcome::Acquired);
    QCOMPARE(group.values("lock:a"), (QByteArrayList{"me", "other", "me"}));
    // The lease, less what it took and the drift.
    QVERIFY(result->ttl && *result->ttl <= 60s - Quorum::drift(60s) && *result->ttl > 50s);
    ActionRequest release = acquireToken("lock:a", "me");
    release.action = Action::Release;
    const auto released = waitFor(watcher.all.run(release));
    QVERIFY(released);
    QCOMPARE(released->outcome, Outcome::Released);
    QCOMPARE(released->servers[1].outcome, std::optional(Outcome::HeldByOther));
    QCOMPARE(group.values("lock:a"), (QByteArrayList{"", "other", ""}));
}

void TestRedlockGroups::acquireTakesBackWhatIsTooLittle()
{
    RedlockGroup group;
    group.hold("lock:a", "other", {0, 1});
    GroupWatcher watcher(group.address());
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.scanFinished.isEmpty(), 20'000);
    const auto result = waitFor(watcher.all.run(acquireToken("lock:a", "me")));
    QVERIFY(result);
    QCOMPARE(result->outcome, Outcome::HeldByOther);
    QVERIFY(result->servers[2].isTakenBack);
    QCOMPARE(group.values("lock:a"), (QByteArrayList{"other", "other", ""}));
}

void TestRedlockGroups::withoutAMajorityNothingIsAcquired()
{
    RedlockGroup group;
    GroupWatcher watcher(group.address());
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.scanFinished.isEmpty(), 20'000);
    group.server(0).kill();
    group.server(1).kill();
    QTRY_COMPARE_WITH_TIMEOUT(watcher.cluster.missing().size(), 2, 10'000);
    const auto result = waitFor(watcher.all.run(acquireToken("lock:a", "me")));
    QVERIFY(!result);
    QCOMPARE(result.error().kind, ErrorKind::NotConnected);
    QCOMPARE(group.server(2).cli({"DBSIZE"}), "0");
    QCOMPARE(watcher.auditLines(), 0);
}

/// A contender takes over at any moment: only the owner that was seen is ended.
void TestRedlockGroups::racesOfForceExpire()
{
    RedlockGroup group;
    GroupWatcher watcher(group.address());
    QTRY_VERIFY_WITH_TIMEOUT(!watcher.scanFinished.isEmpty(), 20'000);
    for (int i = 0; i < 20; ++i) {
        const QByteArray key = "lock:race" + QByteArray::number(i);
        group.hold(key, "seen", {0, 1, 2});
        QTRY_VERIFY2_WITH_TIMEOUT(watcher.verdict(key) == "3/0 held", watcher.state(key).constData(), 10'000);
        const ActionRequest request = watcher.forceExpire(key);
        group.hold(key, "next", {i % 3, (i + 1) % 3}); // before it is sent, unseen
        const auto result = waitFor(watcher.all.run(request));
        QVERIFY(result);
        QCOMPARE(result->outcome, Outcome::Expired); // where it was left; nowhere is it any more
        const QByteArrayList left = group.values(key);
        QCOMPARE(left.count("next"), 2);
        QCOMPARE(left.count("seen"), 0);
    }
}

QTEST_GUILESS_MAIN(TestRedlockGroups)
#include "tst_redlockgroups.moc"
