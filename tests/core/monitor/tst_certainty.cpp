// SPDX-License-Identifier: GPL-3.0-or-later
// How sure a lock's family is rises while it is watched; and what looked like no lock is shown when it behaves like one.
#include "core/family/certainty.h"
#include "core/family/recognize.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/redisserver.h"
#include "tests/support/watcher.h"

#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QByteArray anna = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7";
const QByteArray document = R"({"user":17,"roles":["admin"]})";

MonitorOptions often()
{
    MonitorOptions options;
    options.waitersInterval = 50ms;
    return options;
}

} // namespace

class TestCertainty : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aRenewalMakesItCertain()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:a", anna, "1"});
        server.cli({"PEXPIRE", "lock:a", "30000"});
        Watcher watcher(server.socketAddress());
        const auto lock = [&] { return watcher.locks.value("lock:a").lock; };
        QTRY_COMPARE(lock().family, "redisson"_family);
        QCOMPARE(certaintyOf(lock()), Certainty::Likely);
        server.cli({"PEXPIRE", "lock:a", "90000"});
        QTRY_COMPARE(certaintyOf(lock()), Certainty::Certain);
        QVERIFY(lock().evidence.has(Evidence::Renewals));
        // And so it stays, reading after reading.
        server.cli({"PEXPIRE", "lock:a", "95000"});
        QTRY_COMPARE(watcher.locks["lock:a"].renewals, 2);
        QCOMPARE(certaintyOf(lock()), Certainty::Certain);
        server.cli({"PERSIST", "lock:a"});
        QTRY_VERIFY(lock().problems & Problem::NoExpiry);
        QCOMPARE(lock().family, "redisson"_family);
    }

    void whatIsCountedIsNotRenewed()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:visits", anna, "4"});
        server.cli({"PEXPIRE", "lock:visits", "30000"});
        Watcher watcher(server.socketAddress());
        QTRY_VERIFY(watcher.locks.contains("lock:visits"));
        server.cli({"EVAL",
                    "redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 90000)", "1",
                    "lock:visits", anna});
        QTRY_COMPARE(watcher.locks["lock:visits"].lock.owners.value(0).rawHoldCount, "5");
        QCOMPARE(watcher.locks["lock:visits"].renewals, 0);
        QCOMPARE(certaintyOf(watcher.locks["lock:visits"]), Certainty::Likely);
    }

    /// Without a lease it is a count of visits, or a lock that is stuck: who waits for it knows.
    void aListenerMakesItCertain()
    {
        const RedisServer server;
        server.cli({"HSET", "lock:stuck", anna, "1"});
        Watcher watcher(server.socketAddress(), often());
        const auto lock = [&] { return watcher.locks.value("lock:stuck").lock; };
        QTRY_COMPARE(lock().family, "reentrant"_family);
        QCOMPARE(certaintyOf(lock()), Certainty::Ambiguous);
        QCOMPARE(candidatesOf(lock()), QList<Family>{"redisson"_family});
        QVERIFY(!lock().problems);
        Connection ears(server.socketAddress(),
                        Connection::Options{.clientName = "ears", .acceptsPush = true});
        QSignalSpy ready(&ears, &Connection::ready);
        ears.open();
        QVERIFY(ready.wait());
        QVERIFY(waitFor(ears.send({"SUBSCRIBE", "redisson_lock__channel:{lock:stuck}"})));
        QTRY_COMPARE(lock().family, "redisson"_family);
        QCOMPARE(certaintyOf(lock()), Certainty::Certain);
        QVERIFY(lock().evidence.has(Evidence::Listeners));
        QVERIFY(lock().problems & Problem::NoExpiry);
    }

    void aProcessIsKnownByItsRenewals()
    {
        const RedisServer server;
        server.cli({"SET", "orders:lock", "order_107_0123456789ab4def8123456789abcdef", "PX", "20000"});
        Watcher watcher(server.socketAddress());
        const auto lock = [&] { return watcher.locks.value("orders:lock").lock; };
        QTRY_VERIFY(watcher.locks.contains("orders:lock"));
        QVERIFY(certaintyOf(lock()) != Certainty::Certain);
        server.cli({"PEXPIRE", "orders:lock", "30000"});
        QTRY_COMPARE(certaintyOf(lock()), Certainty::Certain);
        QCOMPARE(lock().family, "madelson"_family);
    }

    void aRenewedDocumentIsShown()
    {
        const RedisServer server;
        server.cli({"SET", "lock:doc", document, "PX", "60000"});
        Watcher watcher(server.socketAddress());
        const auto lock = [&] { return watcher.locks.value("lock:doc").lock; };
        QTRY_VERIFY(watcher.locks.contains("lock:doc"));
        QTRY_COMPARE(watcher.scanFinished.size() > 0, true);
        QVERIFY(isPossible(lock()));
        QVERIFY(!lock().problems && knownOwners(lock()).isEmpty());
        QCOMPARE(watcher.scanFinished.last().hidden, 1);
        QCOMPARE(watcher.scanFinished.last().locks, 0);
        QCOMPARE(watcher.events, QByteArrayList());
        server.cli({"PEXPIRE", "lock:doc", "90000"});
        QTRY_VERIFY(!isNoLock(lock()));
        QCOMPARE(lock().family, "token"_family);
        QCOMPARE(certaintyOf(lock()), Certainty::Ambiguous);
        QCOMPARE(lock().owners.value(0).owner.bytes, document);
        QCOMPARE(watcher.events, (QByteArrayList{"found lock:doc", "renewed lock:doc"}));
    }

    void whatIsTakenAnewIsShown()
    {
        const RedisServer server;
        server.cli({"SET", "lock:doc", document, "PX", "60000"});
        server.cli({"SET", "lock:list", document}); // without a lease it says nothing
        Watcher watcher(server.socketAddress());
        QTRY_VERIFY(watcher.scanFinished.size() > 0);
        QTRY_COMPARE(watcher.locks.size(), 2);
        server.cli({"DEL", "lock:doc", "lock:list"});
        QTRY_COMPARE(watcher.locks.size(), 0);
        server.cli({"SET", "lock:doc", R"({"user":18,"roles":["admin"]})", "PX", "60000"});
        server.cli({"SET", "lock:list", document});
        QTRY_COMPARE(watcher.locks.size(), 2);
        QVERIFY(!isNoLock(watcher.locks["lock:doc"].lock));
        QVERIFY(isPossible(watcher.locks["lock:list"].lock));
    }
};

QTEST_GUILESS_MAIN(TestCertainty)
#include "tst_certainty.moc"
