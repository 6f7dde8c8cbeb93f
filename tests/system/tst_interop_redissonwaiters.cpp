// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for one of Redisson's locks has it within 50 ms after it was ended by force. Redisson itself needs a Java machine and a
// repository of its packages, which are not to be had here: the locks are written as its scripts write them, and the waiters
// do what its clients do (see redissonwaiter.h).
#include "tests/system/interop/listing.h"
#include "tests/system/interop/lookout.h"
#include "tests/system/interop/redissonwaiter.h"

using namespace lockscope;

namespace {

const QByteArray ownerA = "7f8e2f5c-6f1b-4f0e-9b7a-0d1c2b3a4f5e:37";
const QByteArray ownerB = "0b4c7a52-3d0e-4b57-8f39-2f6d1f0f7c11:52";
const QByteArray waiterC = "c1d2e3f4-0a1b-4c2d-8e3f-5a6b7c8d9e0f:41";
const QByteArray waiterD = "d9c8b7a6-5f4e-4d3c-9b2a-1f0e9d8c7b6a:8";
const QByteArray deadWaiter = "deadbeef-0000-4000-8000-000000000001:77";

constexpr int maxRounds =
    5; // the machine is shared: one round in time proves that nothing but it was in the way
constexpr double maxMs = 50;

} // namespace

class TestInteropRedissonWaiters : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void aLock_data();
    void aLock();
    void aFencedLock();
    void aFairLocksQueue();
    void aFairLocksDeadWaiter();
    void aWriteLocksReaders();
    void aReadLocksWriter();
    void theOldOwnersReleaseIsRefused();

private:
    using Waiters = std::vector<RedissonWaiter>;
    using Round = std::function<std::optional<double>()>;

    void doAll(const QList<QByteArrayList> &commands);
    bool listens(const QByteArray &channel, int count = 1);
    /// From the end of the lock to the last waiter's having it, in ms; nullopt where it was not ended or not all have it.
    std::optional<double> endAndWake(const QByteArray &key, const QByteArrayList &owners,
                                     const QByteArray &field, Waiters &waiters);
    static bool inTime(const char *what, const Round &round);

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestInteropRedissonWaiters::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
}

void TestInteropRedissonWaiters::doAll(const QList<QByteArrayList> &commands)
{
    m_server.cli({"FLUSHALL"});
    for (const QByteArrayList &command : commands)
        m_server.cli(command);
}

bool TestInteropRedissonWaiters::listens(const QByteArray &channel, int count)
{
    const QByteArray expected = channel + '\n' + QByteArray::number(count);
    return QTest::qWaitFor([&] { return m_server.cli({"PUBSUB", "NUMSUB", channel}) == expected; }, 20'000);
}

std::optional<double> TestInteropRedissonWaiters::endAndWake(const QByteArray &key,
                                                             const QByteArrayList &owners,
                                                             const QByteArray &field, Waiters &waiters)
{
    Lookout lookout(m_server, {"HGET", key, field});
    if (!QTest::qWaitFor([&] { return lookout.isLooking(); }, 20'000))
        return std::nullopt;
    const QByteArray outcome = forceExpired(m_server, key, owners);
    if (outcome != "expired") {
        qInfo("%s", outcome.constData());
        return std::nullopt;
    }
    std::optional<TimePoint> last;
    for (RedissonWaiter &waiter : waiters) {
        const std::optional<TimePoint> held = waiter.heldAt();
        if (!held)
            return std::nullopt;
        last = std::max(last.value_or(*held), *held);
    }
    const auto end = lookout.end();
    return end && last ? std::optional(millisecondsBetween(*end, *last)) : std::nullopt;
}

bool TestInteropRedissonWaiters::inTime(const char *what, const Round &round)
{
    for (int i = 0; i < maxRounds; ++i) {
        const std::optional<double> ms = round();
        if (!ms)
            return false;
        qInfo("%s: %.1f ms after the end", what, *ms);
        if (*ms <= maxMs)
            return true;
    }
    return false;
}

void TestInteropRedissonWaiters::aLock_data()
{
    QTest::addColumn<qint64>("ttl");
    QTest::newRow("with a lease") << qint64(30'000);
    // Who was told that there is no end sleeps without a timer: only a message wakes it.
    QTest::newRow("without expiry") << qint64(-1);
}

void TestInteropRedissonWaiters::aLock()
{
    QFETCH(const qint64, ttl);
    const QByteArray key = "inventory:sku:4711";
    const bool woken = inTime("a lock's waiter", [&]() -> std::optional<double> {
        doAll({{"HSET", key, ownerA, "2"}});
        if (ttl > 0)
            m_server.cli({"PEXPIRE", key, QByteArray::number(ttl)});
        Waiters waiters;
        waiters.push_back(RedissonWaiter::forLock(m_server, key, waiterC));
        if (!listens(braced("redisson_lock__channel", key)))
            return std::nullopt;
        return endAndWake(key, {ownerA}, ownerA, waiters);
    });
    QVERIFY(woken);
    QCOMPARE(m_server.cli({"HGETALL", key}), waiterC + "\n1");
}

void TestInteropRedissonWaiters::aFencedLock()
{
    const QByteArray key = "ledger:posting";
    const QByteArray fence = braced("redisson_lock_token", key);
    const bool woken = inTime("a fenced lock's waiter", [&]() -> std::optional<double> {
        doAll({{"HSET", key, ownerA, "1"}, {"PEXPIRE", key, "30000"}, {"SET", fence, "128"}});
        Waiters waiters;
        waiters.push_back(RedissonWaiter::forLock(m_server, key, waiterC));
        if (!listens(braced("redisson_lock__channel", key)))
            return std::nullopt;
        return endAndWake(key, {ownerA}, ownerA, waiters);
    });
    QVERIFY(woken);
    QCOMPARE(m_server.cli({"GET", fence}), "128"); // else tokens would be given twice
}

void TestInteropRedissonWaiters::aFairLocksQueue()
{
    const QByteArray key = "payout:batch";
    const QByteArray channel = braced("redisson_lock__channel", key) + ':';
    const bool woken = inTime("a fair lock's waiters, one after the other", [&]() -> std::optional<double> {
        doAll({{"HSET", key, ownerA, "1"}, {"PEXPIRE", key, "30000"}});
        Waiters first;
        first.push_back(RedissonWaiter::forFairLock(m_server, key, waiterC));
        if (!listens(channel + waiterC))
            return std::nullopt;
        Waiters second;
        second.push_back(RedissonWaiter::forFairLock(m_server, key, waiterD));
        if (!listens(channel + waiterD))
            return std::nullopt;
        const auto untilFirst = endAndWake(key, {ownerA}, ownerA, first);
        if (!untilFirst || m_server.cli({"HKEYS", key}) != waiterC)
            return std::nullopt;
        const auto untilSecond = endAndWake(key, {waiterC}, waiterC, second);
        return untilSecond ? std::optional(std::max(*untilFirst, *untilSecond)) : std::nullopt;
    });
    QVERIFY(woken);
    QCOMPARE(m_server.cli({"HKEYS", key}), waiterD);
    QCOMPARE(m_server.cli({"EXISTS", braced("redisson_lock_queue", key)}), "0");
}

void TestInteropRedissonWaiters::aFairLocksDeadWaiter()
{
    const QByteArray key = "payout:batch";
    const QByteArray channel = braced("redisson_lock__channel", key) + ':';
    const QByteArray queue = braced("redisson_lock_queue", key);
    const QByteArray timeouts = braced("redisson_lock_timeout", key);
    const bool woken = inTime("the live one behind a dead one", [&]() -> std::optional<double> {
        const qint64 staleAt = QDateTime::currentMSecsSinceEpoch() + 330'000;
        doAll({{"HSET", key, ownerA, "1"},
               {"PEXPIRE", key, "30000"},
               {"RPUSH", queue, deadWaiter},
               {"ZADD", timeouts, QByteArray::number(staleAt), deadWaiter}});
        Waiters waiters;
        waiters.push_back(RedissonWaiter::forFairLock(m_server, key, waiterC));
        if (!listens(channel + waiterC))
            return std::nullopt;
        return endAndWake(key, {ownerA}, ownerA, waiters);
    });
    QVERIFY(woken);
    QCOMPARE(m_server.cli({"HKEYS", key}), waiterC);
    QCOMPARE(m_server.cli({"EXISTS", queue, timeouts}), "0");
}

void TestInteropRedissonWaiters::aWriteLocksReaders()
{
    const QByteArray key = "catalogue:prices";
    const bool woken = inTime("a write lock's readers", [&]() -> std::optional<double> {
        doAll({{"HSET", key, "mode", "write", ownerA + ":write", "1"}, {"PEXPIRE", key, "30000"}});
        Waiters waiters;
        waiters.push_back(RedissonWaiter::forReading(m_server, key, waiterC));
        waiters.push_back(RedissonWaiter::forReading(m_server, key, waiterD));
        if (!listens(braced("redisson_rwlock", key), 2))
            return std::nullopt;
        return endAndWake(key, {ownerA}, ownerA + ":write", waiters);
    });
    QVERIFY(woken);
    QCOMPARE(m_server.cli({"HGET", key, "mode"}), "read");
    QCOMPARE(m_server.cli({"HMGET", key, waiterC, waiterD}), "1\n1");
}

void TestInteropRedissonWaiters::aReadLocksWriter()
{
    const QByteArray key = "catalogue:prices";
    const auto hold = [&key](const QByteArray &reader) {
        return "{" + key + "}:" + reader + ":rwlock_timeout:1";
    };
    const bool woken = inTime("a read lock's writer", [&]() -> std::optional<double> {
        doAll({{"HSET", key, "mode", "read", ownerA, "1", ownerB, "1"},
               {"PEXPIRE", key, "30000"},
               {"SET", hold(ownerA), "1", "PX", "30000"},
               {"SET", hold(ownerB), "1", "PX", "30000"}});
        Waiters waiters;
        waiters.push_back(RedissonWaiter::forWriting(m_server, key, waiterC));
        if (!listens(braced("redisson_rwlock", key)))
            return std::nullopt;
        return endAndWake(key, {ownerA, ownerB}, ownerA, waiters);
    });
    QVERIFY(woken);
    QCOMPARE(m_server.cli({"HMGET", key, "mode", waiterC + ":write"}), "write\n1");
}

void TestInteropRedissonWaiters::theOldOwnersReleaseIsRefused()
{
    const QByteArray key = "inventory:sku:4711";
    doAll({{"HSET", key, ownerA, "1"}, {"PEXPIRE", key, "30000"}});
    QCOMPARE(forceExpired(m_server, key, {ownerB}), "owner-changed");
    QCOMPARE(m_server.cli({"HGETALL", key}), ownerA + "\n1");
    Waiters waiters;
    waiters.push_back(RedissonWaiter::forLock(m_server, key, waiterC));
    QVERIFY(listens(braced("redisson_lock__channel", key)));
    QVERIFY(endAndWake(key, {ownerA}, ownerA, waiters));
    // Where Redisson's unlock() throws: the script's answer is nil.
    const QByteArray script = scriptPath("redisson/release");
    QCOMPARE(m_server.cli({"--no-raw", "--eval", script, key, ",", "30000", ownerA}), "(nil)");
    QCOMPARE(m_server.cli({"HGETALL", key}), waiterC + "\n1");
}

QTEST_GUILESS_MAIN(TestInteropRedissonWaiters)
#include "tst_interop_redissonwaiters.moc"
