// SPDX-License-Identifier: GPL-3.0-or-later
// Locks of Node libraries with few users, and of RQ, as these libraries themselves take, wait for and give them back: listed by
// their family, ended by force, and the one that waits has it.
#include "tests/system/interop/driver.h"
#include "tests/system/interop/listing.h"

using namespace lockscope;

namespace {

constexpr qint64 leaseMs = 60'000;

} // namespace

class TestInteropLibraries : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        QCOMPARE(m_server.cli({"FLUSHALL"}), "OK");
    }

    void isListed_data() { libraries(); }
    void isListed();
    void forceExpireHandsItOver_data() { libraries(); }
    void forceExpireHandsItOver();
    void whatARenewalFinds_data();
    void whatARenewalFinds();
    void aJobDeletesTheNextLock();
    void aSchedulersLock();

private:
    static void libraries();
    std::unique_ptr<Driver> client(const QString &mode);
    /// The lock of the row in what `list` tells of all keys; empty where it is not there.
    QJsonObject lockOfRow();
    /// Whoever waits can be woken now: a message before that is lost.
    bool isWaiting();

    RedisServer m_server;
};

void TestInteropLibraries::libraries()
{
    QTest::addColumn<QString>("library");
    QTest::addColumn<QByteArray>("key");        // of the lock "orders:7"
    QTest::addColumn<QByteArray>("family");     // "?NAME": not known, and this one is among the candidates
    QTest::addColumn<QByteArray>("waits");      // channel; "xread": reads a stream; empty: polls
    QTest::addColumn<QByteArray>("ownerHears"); // from its release, once the next one holds it
    const auto row = [](const char *library, const char *key, const char *family, const char *waits,
                        const char *ownerHears) {
        QTest::newRow(library) << QString::fromLatin1(library) << QByteArray(key) << QByteArray(family)
                               << QByteArray(waits) << QByteArray(ownerHears);
    };
    row("node-redisson", "orders:7", "node-redisson", "redisson_lock__channel:{orders:7}",
        "failed RedissonLockError");
    row("node-redisson-streams", "orders:7", "node-redisson", "xread", "failed RedissonLockError");
    row("simple-redis-mutex", "@simple-redis-mutex:lock-orders:7", "simple-redis-mutex",
        "@simple-redis-mutex:locks-releases", "released");
    row("redis-lock", "lock.orders:7", "redis-lock", "", "released");
    row("node-redis-warlock", "orders:7:lock", "node-redis-warlock", "", "failed NotHeld");
    row("redislock", "orders:7", "?redislock", "", "failed LockReleaseError");
    row("ioredis-lock", "orders:7", "?ioredis-lock", "", "failed LockReleaseError");
    row("microfleet-ioredis-lock", "orders:7", "?microfleet-ioredis-lock", "", "failed LockReleaseError");
    row("redlock-universal", "orders:7", "?redlock-universal", "", "failed NotHeld");
    row("redlock-universal-lean", "orders:7", "redlock-universal", "", "failed NotHeld");
    // Its holder renews the next one's.
    row("redis-mutex", "orders:7", "?redis-mutex", "", "");
}

std::unique_ptr<Driver> TestInteropLibraries::client(const QString &mode)
{
    QFETCH(const QString, library);
    return nodeDriver("node_locks.js", {library, m_server.socketPath(), QStringLiteral("orders:7"), mode,
                                        QString::number(leaseMs)});
}

QJsonObject TestInteropLibraries::lockOfRow()
{
    QFETCH(const QByteArray, key);
    for (const QJsonValue &lock : locksUnder(m_server, "*")) {
        if (lock[QLatin1String("key")].toString().toUtf8() == key)
            return lock.toObject();
    }
    return {};
}

bool TestInteropLibraries::isWaiting()
{
    QFETCH(const QByteArray, waits);
    if (waits == "xread") // holders read it too
        return m_server.cli({"CLIENT", "LIST"}).count("cmd=xread") == 2;
    // One that holds has subscribed to simple-redis-mutex's, too.
    const QByteArray expected = waits.startsWith('@') ? "2" : "1";
    return waits.isEmpty() || m_server.cli({"PUBSUB", "NUMSUB", waits}).split('\n').value(1) == expected;
}

void TestInteropLibraries::isListed()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, family);
    const auto holder = client(QStringLiteral("hold"));
    const QByteArrayList held = holder->line();
    QCOMPARE(held.value(0), "held");
    const QJsonObject lock = lockOfRow();
    const QByteArray text = QJsonDocument(lock).toJson(QJsonDocument::Compact);
    QVERIFY2(areToldAs(lock[QLatin1String("owners")].toArray(), {{held.value(1)}}), text.constData());
    if (family.startsWith('?')) {
        QCOMPARE(lock[QLatin1String("family")].toString(), QStringLiteral("token"));
        QVERIFY2(lock[QLatin1String("candidates")].toArray().contains(QString::fromLatin1(family.sliced(1))),
                 text.constData());
    } else {
        QCOMPARE(lock[QLatin1String("family")].toString().toUtf8(), family);
    }
    const qint64 ttl = lock[QLatin1String("ttl_ms")].toInteger();
    QVERIFY2(ttl > 0 && ttl <= leaseMs, text.constData());
    QCOMPARE(lock[QLatin1String("problems")].toArray(), QJsonArray());
}

void TestInteropLibraries::forceExpireHandsItOver()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, family);
    QFETCH(const QByteArray, waits);
    QFETCH(const QByteArray, ownerHears);
    if (waits == "xread") // the library makes its stream at its first release
        QVERIFY(!m_server.cli({"XADD", "redisson:events", "*", "an earlier release", "0"}).isEmpty());
    const auto holder = client(QStringLiteral("hold"));
    const QByteArrayList held = holder->line();
    QCOMPARE(held.value(0), "held");
    const QByteArray said = saidOfHolder(m_server, key, family);
    const auto waiter = client(QStringLiteral("wait"));
    QCOMPARE(waiter->line().value(0), "waiting");
    QTRY_VERIFY(isWaiting());

    QCOMPARE(forceExpired(m_server, key, {"somebody else"}), "owner-changed");
    QVERIFY(m_server.cli({"EXISTS", key}) == "1");
    QCOMPARE(forceExpired(m_server, key, {held.value(1)}), "expired");
    const QByteArrayList woken = waiter->line();
    QCOMPARE(woken.value(0), "woken"); // within 20 s, which is less than the lease
    if (!ownerHears.isEmpty()) {
        QCOMPARE(holder->answerTo("release"), ownerHears);
        QCOMPARE(seenOfHolder(ownerHears, m_server.cli({"EXISTS", key}) == "1"), said);
        QCOMPARE(waiter->answerTo("release").isEmpty(), false);
    }
}

/// Of those that renew every second, or sooner: what they do where the lock is gone is what was said before it was ended.
void TestInteropLibraries::whatARenewalFinds_data()
{
    QTest::addColumn<QString>("library");
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("family");
    const auto row = [](const char *library, const char *key, const char *family) {
        QTest::newRow(library) << QString::fromLatin1(library) << QByteArray(key) << QByteArray(family);
    };
    row("redis-mutex", "orders:7", "?redis-mutex");
    row("mutex-by-default", "mutex:orders:7", "redis-semaphore");
    row("semaphore-by-default", "semaphore:orders:7", "redis-semaphore");
    row("node-resque-leader", "resque:resque_scheduler_leader_lock", "node-resque-leader");
}

void TestInteropLibraries::whatARenewalFinds()
{
    QFETCH(const QByteArray, key);
    QFETCH(const QByteArray, family);
    QCOMPARE(m_server.cli({"CONFIG", "RESETSTAT"}), "OK");
    const auto holder = client(QStringLiteral("hold"));
    const QByteArrayList held = holder->line();
    QCOMPARE(held.value(0), "held");
    const QByteArray said = saidOfHolder(m_server, key, family);
    QCOMPARE(forceExpired(m_server, key, {held.value(1)}), "expired");

    QByteArray seen;
    if (said == "rewrites-lock") {
        seen = QTest::qWaitFor([&] { return m_server.cli({"EXISTS", key}) == "1"; }) ? said : QByteArray();
        QCOMPARE(holder->answerTo("release"), "released");
    } else if (holder->ends() && holder->exitCode() == 1) {
        // One DEL was Lockscope's.
        const bool hasDeleted = !m_server.cli({"INFO", "commandstats"}).contains("cmdstat_del:calls=1,");
        seen = hasDeleted ? "exits-and-deletes" : "exits";
    }
    QCOMPARE(seen, said);
}

void TestInteropLibraries::aJobDeletesTheNextLock()
{
    const QByteArray key = "resque:workerslock:send:mail:[\"orders:7\"]";
    const auto holder = nodeDriver("node_locks.js",
                                   {QStringLiteral("node-resque-job"), m_server.socketPath(),
                                    QStringLiteral("orders:7"), QStringLiteral("hold"), QStringLiteral("0")});
    const QByteArrayList held = holder->line();
    QCOMPARE(held.value(0), "held");
    const QByteArray said = saidOfHolder(m_server, key, "node-resque");
    QCOMPARE(forceExpired(m_server, key, {held.value(1)}), "expired");
    QCOMPARE(m_server.cli({"SET", key, held.value(1) + "1", "EX", "60"}), "OK");
    const QByteArray release = holder->answerTo("release");
    QCOMPARE(seenOfHolder(release, m_server.cli({"EXISTS", key}) == "1"), said);
}

/// RQ's scheduler never learns of it, and deletes what the next one holds: said before it is ended.
void TestInteropLibraries::aSchedulersLock()
{
    const QByteArray key = "rq:scheduler-lock:emails";
    const auto scheduler = pythonDriver("rq_scheduler.py", {m_server.socketPath(), QStringLiteral("emails")});
    const QByteArrayList held = scheduler->line();
    QCOMPARE(held.value(0), "held");
    const QJsonArray locks = locksUnder(m_server, "rq:*");
    VERIFY_ONLY_LOCK(locks, key, "rq", QList<ToldOwner>({{held.value(1)}}));
    const Ran told = CliProgram::on(m_server, {"get", key, "--explain"});
    QVERIFY2(told.out.contains("keeps scheduling"), told.out.constData());
    const QByteArray said = saidOfHolder(m_server, key, "rq");
    QCOMPARE(forceExpired(m_server, key, {held.value(1)}), "expired");
    QCOMPARE(m_server.cli({"SET", key, "4711"}), "OK");
    const QByteArray release = scheduler->answerTo("release");
    QCOMPARE(release, "released");
    QCOMPARE(seenOfHolder(release, m_server.cli({"EXISTS", key}) == "1"), said);
}

QTEST_GUILESS_MAIN(TestInteropLibraries)
#include "tst_interop_libraries.moc"
