// SPDX-License-Identifier: GPL-3.0-or-later
// An end by force, told as one; and a session that is closed while an action is under way.
#include "core/model/names.h"
#include "core/monitor/session.h"
#include "tests/support/deploymentwatcher.h"
#include "tests/support/fakepeer.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"
#include "tests/support/told.h"

#include <QJsonDocument>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

ActionRequest force(Family family, const QByteArray &key, const QList<LockOwner> &expected)
{
    ActionRequest request;
    request.action = Action::ForceExpire;
    request.family = family;
    request.key = LockKey(key);
    request.expected = expected;
    return request;
}

/// A session as the window has it, and what it told: "forced lock:a owner".
class WatchState
{
public:
    explicit WatchState(const ServerAddress &address)
        : session(address, {.monitor = {}, .auditPath = directory.filePath(QStringLiteral("audit.jsonl"))})
    {
        onTold<LockDiff>(session, &session, [this](const LockDiff &diff) {
            for (const LockKey &key : diff.removed)
                locks.remove(key.bytes);
            for (const WatchedLock &lock : diff.changed)
                locks[lock.key().bytes] = lock.lock;
            for (const LockEvent &event : diff.events)
                events += eventName(event.kind) + ' ' + event.address.key.bytes + ' ' +
                          event.owners.value(0).owner.bytes;
        });
        session.open();
    }

    const QTemporaryDir directory;
    Session session;
    QHash<QByteArray, Lock> locks;
    QByteArrayList events;
};

QList<QJsonObject> recordsIn(const QTemporaryDir &directory)
{
    QFile file(directory.filePath(QStringLiteral("audit.jsonl")));
    QList<QJsonObject> records;
    if (!file.open(QIODevice::ReadOnly))
        return records;
    for (const QByteArray &line : file.readAll().trimmed().split('\n'))
        records.append(QJsonDocument::fromJson(line).object());
    return records;
}

} // namespace

class TestForced : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aForcedEndIsNoRelease()
    {
        const RedisServer server;
        server.cli({"SET", "lock:a", "t", "PX", "60000"});
        server.cli({"HSET", "lock:b", "u", "2"});
        WatchState watching(server.socketAddress());
        QTRY_COMPARE(watching.locks.size(), 2);
        watching.events.clear();
        const QList<LockOwner> owners = watching.locks["lock:a"].owners;
        QCOMPARE(waitFor(watching.session.run(force("token"_family, "lock:a", owners)))->outcome,
                 Outcome::Expired);
        QTRY_COMPARE(watching.locks.size(), 1);
        // By the owner's name alone, as the terminal has it.
        QCOMPARE(waitFor(watching.session.run(force("reentrant"_family, "lock:b", {{OwnerId("u"), {}, {}}})))
                     ->outcome,
                 Outcome::Expired);
        QTRY_COMPARE(watching.locks.size(), 0);
        // What comes after it is told as ever.
        server.cli({"SET", "lock:a", "v", "PX", "60000"});
        QTRY_VERIFY(watching.locks.contains("lock:a"));
        server.cli({"DEL", "lock:a"});
        QTRY_VERIFY(!watching.locks.contains("lock:a"));
        const QByteArrayList told{"forced lock:a t", "forced lock:b u", "acquired lock:a v",
                                  "released lock:a v"};
        QTRY_COMPARE(watching.events, told);
    }

    /// A change may be told before the answer of the action that has made it, which goes by another connection: what is read
    /// meanwhile is told when the answer says what it was.
    void theAnswerMayComeLater_data()
    {
        QTest::addColumn<QByteArrayList>("change");
        QTest::addColumn<bool>("isForced");
        QTest::addColumn<QByteArrayList>("told");
        const QByteArrayList gone{"DEL", "lock:a"};
        const QByteArrayList next{"SET", "lock:a", "v", "PX", "60000"};
        QTest::newRow("it was our end") << gone << true << QByteArrayList{"forced lock:a t"};
        QTest::newRow("the owner's own") << gone << false << QByteArrayList{"released lock:a t"};
        QTest::newRow("our end, and the next has it")
            << next << true << QByteArrayList{"forced lock:a t", "owner-changed lock:a v"};
        QTest::newRow("another has it") << next << false << QByteArrayList{"owner-changed lock:a v"};
    }
    void theAnswerMayComeLater()
    {
        QFETCH(const QByteArrayList, change);
        QFETCH(const bool, isForced);
        QFETCH(const QByteArrayList, told);
        const RedisServer server;
        server.cli({"SET", "lock:a", "t", "PX", "60000"});
        server.cli({"SET", "lock:b", "t", "PX", "60000"});
        DeploymentWatcher watcher(server.socketAddress());
        QTRY_COMPARE(watcher.locks.size(), 2);
        QByteArrayList events;
        onTold<LockDiff>(watcher.monitor, this, [&](const LockDiff &diff) {
            for (const LockEvent &event : diff.events)
                events += eventName(event.kind) + ' ' + event.address.key.bytes + ' ' +
                          event.owners.value(0).owner.bytes;
        });
        const LockKey key("lock:a");
        const QList<LockOwner> owners{{OwnerId("t"), {}, 1}};
        watcher.monitor.beginAction(key);
        server.cli(change);
        server.cli({"DEL", "lock:b"}); // another's goes on
        QTRY_COMPARE(events, QByteArrayList{"released lock:b t"});
        QTest::qWait(100);
        QCOMPARE(events.size(), 1);
        events.clear();
        if (isForced)
            watcher.monitor.recordForceExpire(key, owners);
        watcher.monitor.actionEnded(key);
        QTRY_COMPARE(events, told);
    }

    /// The next holder writes the same bytes: what was seen is not what stands there.
    void theNextHoldersLockIsKept_data()
    {
        QTest::addColumn<QByteArrayList>("write");
        QTest::addColumn<Family>("family");
        for (const char *word : {"running", "processing", "in_progress", "\"true\"", "s:6:\"locked\";"})
            QTest::newRow(word) << QByteArrayList{"SET", "lock:a", word} << "token"_family;
        QTest::newRow("a field") << QByteArrayList{"HSET", "lock:a", "locked", "1"} << "reentrant"_family;
    }
    void theNextHoldersLockIsKept()
    {
        QFETCH(const QByteArrayList, write);
        QFETCH(const Family, family);
        const RedisServer server;
        const auto acquire = [&](const QByteArray &ms) {
            server.cli({"DEL", "lock:a"});
            server.cli(QByteArrayList{"EVAL",
                                      "redis.call(unpack(ARGV, 2)) redis.call('pexpire', KEYS[1], ARGV[1])",
                                      "1", "lock:a", ms} +
                       write);
        };
        acquire("60000");
        WatchState watching(server.socketAddress());
        QTRY_VERIFY(watching.locks.contains("lock:a"));
        const Lock seen = watching.locks["lock:a"];
        QCOMPARE(seen.family, family);
        ActionRequest request = force(family, "lock:a", seen.owners);
        request.seen = seen;
        acquire("600000");
        QCOMPARE(waitFor(watching.session.run(request))->outcome, Outcome::LeaseChanged);
        QCOMPARE(server.cli({"EXISTS", "lock:a"}), "1");
        // Seen as it is now, it can be ended.
        QTRY_VERIFY(watching.locks["lock:a"].ttl.value_or(0ms) > 300s);
        request.seen = watching.locks["lock:a"];
        QCOMPARE(waitFor(watching.session.run(request))->outcome, Outcome::Expired);
    }

    void whatWasRefusedWasNotForced()
    {
        const RedisServer server;
        server.cli({"SET", "lock:a", "t", "PX", "60000"});
        WatchState watching(server.socketAddress());
        QTRY_COMPARE(watching.locks.size(), 1);
        watching.events.clear();
        QCOMPARE(
            waitFor(watching.session.run(force("token"_family, "lock:a", {{OwnerId("x"), {}, {}}})))->outcome,
            Outcome::OwnerChanged);
        server.cli({"DEL", "lock:a"});
        QTRY_COMPARE(watching.locks.size(), 0);
        QTRY_COMPARE(watching.events, QByteArrayList{"released lock:a t"});
    }

    /// Handed over within the same script: who held it was forced out, and another holds it now.
    void theNextOwnerIsToldAfterIt()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:a", "u", "1"});
        server.cli({"PEXPIRE", "lock:a", "60000"});
        server.cli({"RPUSH", "lock:a:handoff:queue", "w"});
        server.cli({"HSET", "lock:a:handoff:waiters", "w", "99999999999999 30000"});
        Connection waiter(server.socketAddress(), {.acceptsPush = true});
        QSignalSpy ready(&waiter, &Connection::ready);
        waiter.open();
        QVERIFY(ready.wait());
        QVERIFY(waitFor(waiter.send({"SUBSCRIBE", "lock:a:handoff:wake:w"})));
        WatchState watching(server.socketAddress());
        QTRY_COMPARE(watching.locks.size(), 1);
        watching.events.clear();
        const QList<LockOwner> owners = watching.locks["lock:a"].owners;
        QCOMPARE(waitFor(watching.session.run(force("handoff"_family, "lock:a", owners)))->outcome,
                 Outcome::Expired);
        const QByteArrayList told{"forced lock:a u", "owner-changed lock:a w"};
        QTRY_COMPARE(watching.events, told);
    }

    void oneReaderOfSeveral()
    {
        const RedisServer server;
        const QByteArray one = "7c9e6679-7425-40de-944b-e07fc1f90ae7:1";
        const QByteArray two = "7c9e6679-7425-40de-944b-e07fc1f90ae7:2";
        server.cli({"HSET", "lock:a", "mode", "read", one, "1", two, "1"});
        for (const QByteArray &each : {one, two})
            server.cli({"SET", "{lock:a}:" + each + ":rwlock_timeout:1", "1", "PX", "60000"});
        WatchState watching(server.socketAddress());
        QTRY_COMPARE(watching.locks["lock:a"].owners.size(), 2);
        watching.events.clear();
        ActionRequest request =
            force("redisson-read-write"_family, "lock:a", {watching.locks["lock:a"].owners[0]});
        request.onlyExpected = true;
        request.seen = watching.locks["lock:a"];
        QCOMPARE(waitFor(watching.session.run(request))->outcome, Outcome::Expired);
        QTRY_COMPARE(watching.locks["lock:a"].owners.size(), 1);
        QCOMPARE(watching.events, QByteArrayList{"forced lock:a " + one});
    }

    /// The window is closed while the answer is awaited: the record is completed, and says that nobody knows.
    void closedWhileTheAnswerIsAwaited()
    {
        FakePeer peer;
        peer.on("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
        peer.once("EVALSHA", FakePeer::Answer().hold());
        QTemporaryDir directory;
        {
            Session session(peer.address(),
                            {.monitor = {}, .auditPath = directory.filePath(QStringLiteral("audit.jsonl"))});
            ToldSpy<ConnectionStatus> status(session);
            session.open();
            QTRY_VERIFY(!status.isEmpty());
            session.run(force("token"_family, "lock:a", {{OwnerId("t"), {}, {}}}));
            QTRY_COMPARE(peer.commands("EVALSHA").size(), 1);
        }
        QCOMPARE(recordsIn(directory).size(), 2);
        QCOMPARE(recordsIn(directory)[1][QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
    }

    /// The same, while a server is waited for that could tell.
    void closedWhileTheLookIsAwaited()
    {
        FakePeer peer;
        peer.on("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
        peer.once("EVALSHA", FakePeer::Answer().hold());
        QTemporaryDir directory;
        {
            Session session(peer.address(),
                            {.monitor = {}, .auditPath = directory.filePath(QStringLiteral("audit.jsonl"))});
            ConnectionStatus status;
            onTold<ConnectionStatus>(session, this, [&status](const ConnectionStatus &now) { status = now; });
            session.open();
            QTRY_COMPARE(status.state, Connection::State::Ready);
            session.run(force("token"_family, "lock:a", {{OwnerId("t"), {}, {}}}));
            QTRY_COMPARE(peer.commands("EVALSHA").size(), 1);
            peer.stop();
            QTRY_VERIFY(status.state != Connection::State::Ready);
            QCOMPARE(recordsIn(directory).size(), 1);
        }
        QCOMPARE(recordsIn(directory).size(), 2);
        QCOMPARE(recordsIn(directory)[1][QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
        QCOMPARE(recordsIn(directory)[1][QLatin1String("found")][QLatin1String("state")].toString(),
                 QStringLiteral("unreachable"));
    }
};

QTEST_GUILESS_MAIN(TestForced)
#include "tst_forced.moc"
