// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/companionkeys.h"
#include "core/family/libraries/handoff.h"
#include "core/family/libraries/redisson.h"

#include <QtTest>

using namespace lockscope;

class TestCompanion : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void knowsACompanion_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("parent");
        const QByteArray owner = "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10:53";
        const QByteArray digest = "uniquejobs:0123456789abcdef0123456789abcdef";
        const auto row = [](const QByteArray &key, const QByteArray &parent) {
            QTest::newRow(key.toPercentEncoding()) << key << parent;
        };
        row("lock:a:handoff:queue", "lock:a");
        row("lock:a:handoff:waiters", "lock:a");
        row("lock:a:handoff:fence", "lock:a");
        row("\xff:handoff:queue", "\xff");
        row("redisson_lock_queue:{lock:a}", "lock:a");
        row("redisson_lock_timeout:{lock:a}", "lock:a");
        row("redisson_lock_token:{lock:a}", "lock:a");
        row("redisson_lock_queue:lock:{a}", "lock:{a}");
        row("redisson_lock_queue:{a}:{b}", "{a}:{b}");
        row("redisson_lock_queue:{a}b}", "a}b");
        row("redisson_unlock_latch:{lock:a}:0123456789abcdef0123456789abcdef", "lock:a");
        row("{lock:a}:" + owner + ":rwlock_timeout:1", "lock:a");
        row("a{b}:" + owner + ":0123456789abcdef0123456789abcdef:rwlock_timeout:12", "a{b}");
        row("lock-signal:a", "lock:a");
        row("{lock:permits}:timeout", "lock:permits");
        row(digest + ":QUEUED", digest + ":LOCKED");
        row(digest + ":RUN:PRIMED", digest + ":RUN:LOCKED");
        row("app:" + digest + ":INFO", "app:" + digest + ":LOCKED");
    }

    void knowsACompanion()
    {
        QFETCH(const QByteArray, key);
        QVERIFY(isCompanion(key));
        QTEST(parentOf(key).bytes, "parent");
        QVERIFY(!isCompanion(parentOf(key).bytes));
    }

    void knowsThoseOfMany_data()
    {
        QTest::addColumn<QByteArray>("key");
        for (const char *key : {"bull:mail:stalled-check", "uniquejobs:digests",
                                "uniquejobs:expiring_digests", "symfony_check_support_time"})
            QTest::newRow(key) << QByteArray(key);
    }

    void knowsThoseOfMany()
    {
        QFETCH(const QByteArray, key);
        QVERIFY(isCompanion(key));
        QCOMPARE(parentOf(key), LockKey());
    }

    void leavesOthersAlone_data()
    {
        QTest::addColumn<QByteArray>("key");
        for (const char *key : {"",
                                "lock:a",
                                "lock:handoff",
                                ":handoff:queue",
                                "lock:handoff:queue:1",
                                "lock:handoff:queues",
                                "lock:a:HANDOFF:queue",
                                "lock:handoff-queue",
                                "redisson_lock",
                                "redisson_lock_queue:",
                                "redisson_lock_queue:a",
                                "redisson_lock_queue:{}",
                                "my:redisson_lock_queue:{a}",
                                "redisson_unlock_latch:",
                                "redisson_unlock_latch:{a}",
                                "lock-signal:",
                                "my:lock-signal:a",
                                "x:INFO",
                                "lock:QUEUED",
                                "0123456789abcdef0123456789abcdef:INFO",
                                "jobs:0123456789abcdef0123456789abcdef:INFO",
                                "notuniquejobs:0123456789abcdef0123456789abcdef:INFO",
                                "uniquejobs:mine:INFO",
                                "uniquejobs:0123456789abcdef0123456789abcdef:LOCKED",
                                "{a}:x:rwlock_timeout:1",
                                ":rwlock_timeout:1",
                                "{a}:2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10:53:rwlock_timeout:x",
                                "rwlock_timeout:1",
                                "a:2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10:53:rwlock_timeout:1",
                                ":stalled-check",
                                "stalled-check",
                                "mail:stalled-check",
                                "my:uniquejobs:digests:lock"})
            QTest::newRow(key) << QByteArray(key);
    }

    void leavesOthersAlone()
    {
        QFETCH(const QByteArray, key);
        QVERIFY(!isCompanion(key));
        QCOMPARE(parentOf(key), LockKey());
    }

    void redissonsNamesComeBack()
    {
        for (const char *name : {"a", "lock:{a}", "{a}:b", "a{", "a}b", "a{b}c{d}"}) {
            const RedissonKeys keys{LockKey(name)};
            for (const QByteArray &key : {keys.queue, keys.timeouts, keys.fence})
                QCOMPARE(parentOf(key), LockKey(name));
        }
        QCOMPARE(parentOf(RedissonKeys(LockKey("{a}")).queue), LockKey("a")); // named alike
    }

    void namesThem()
    {
        const LockKey lock(QByteArray("a\0b", 3));
        const HandoffKeys keys(lock);
        QCOMPARE(keys.queue, QByteArray("a\0b:handoff:queue", 17));
        QCOMPARE(keys.waiters, QByteArray("a\0b:handoff:waiters", 19));
        QCOMPARE(keys.fence, QByteArray("a\0b:handoff:fence", 17));
        for (const QByteArray &key : {keys.queue, keys.waiters, keys.fence})
            QVERIFY(isCompanion(key));
        QVERIFY(!isCompanion(lock.bytes));
        QCOMPARE(handoffChannel(LockKey("k"), OwnerId("o")), "k:handoff:wake:o");
    }

    /// Redisson names the companions of "a" and "{a}" alike, and of no others.
    void twins()
    {
        QCOMPARE(sameCompanions(LockKey("a")), std::optional(LockKey("{a}")));
        QCOMPARE(sameCompanions(LockKey("{a}")), std::optional(LockKey("a")));
        for (const char *alone : {"{a}b", "a{b}", "{a}{b}", "{}", "{", "{a", "a{"})
            QCOMPARE(sameCompanions(LockKey(alone)), std::optional<LockKey>());
        QCOMPARE(RedissonKeys(LockKey("a")).queue, RedissonKeys(LockKey("{a}")).queue);
        QCOMPARE(lockOfQueue("redisson_lock_queue:{a}").key, LockKey("a"));
        for (const char *none :
             {"redisson_lock_queue:", "redisson_lock_queue:{}", "redisson_lock_timeout:{a}"})
            QVERIFY(lockOfQueue(none).key.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestCompanion)
#include "tst_companionkeys.moc"
