// SPDX-License-Identifier: GPL-3.0-or-later
// What a monitor and its history tell of holds is what those who held the locks wrote down.
#include "core/history/lockstatistics.h"
#include "core/redis/blockingconnection.h"
#include "core/watch/holdtimes.h"

#include "tests/support/redisserver.h"
#include "tests/support/watcher.h"

#include <QDateTime>
#include <QRandomGenerator>
#include <QtTest>

#include <atomic>
#include <list>
#include <thread>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

constexpr milliseconds lease = 600ms;

enum class How { Watchdog, Reentered, Fair };

/// Holds a lock again and again, as Redisson does, and writes down how long.
class Holder
{
public:
    /// `most`: of its holds; 0: usual ones, of which the fifth is long.
    Holder(const ServerAddress &server, How how, const QByteArray &key, milliseconds most = 0ms)
        : m_connection(server, {}), m_how(how), m_key(key), m_most(most), m_thread([this] { hold(); })
    {
    }
    ~Holder()
    {
        stop();
        m_thread.join();
    }
    Holder(const Holder &) = delete;
    Holder &operator=(const Holder &) = delete;

    void stop() { m_stops = true; } ///< after the hold that goes on
    bool isDone() const { return m_isDone; }
    const QByteArray &key() const { return m_key; }
    const std::vector<milliseconds> &log() const { return m_log; } ///< to be asked when isDone()

private:
    static QByteArray owner(int number)
    {
        return "3b2c1a09-8f7e-4d6c-9b5a-493827160504:" + QByteArray::number(number);
    }
    void run(const char *script, const QByteArray &who, const QByteArray &next = {})
    {
        const QByteArray braced = '{' + m_key + '}';
        const auto reply = m_connection.send({"EVAL", script, "3", m_key, "redisson_lock_queue:" + braced,
                                              "redisson_lock_timeout:" + braced, who,
                                              QByteArray::number(lease.count()), next});
        if (!reply)
            qFatal("%s", reply.error().detail.constData());
    }
    void hold()
    {
        QRandomGenerator random{quint32(m_how)};
        if (!m_connection.open())
            qFatal("no server");
        for (int i = 0; !m_stops; ++i) {
            const auto length = m_most > 0ms ? m_most / 2 + m_most * random.bounded(100) / 200
                                : i % 5 == 4 ? 1500ms + milliseconds(random.bounded(1000))
                                             : 60ms + milliseconds(random.bounded(150));
            take(i);
            const TimePoint begin = Clock::now();
            keep(i, begin + length);
            const TimePoint end = Clock::now();
            give(i);
            m_log.push_back(std::chrono::duration_cast<milliseconds>(end - begin));
            if (m_how != How::Fair)
                std::this_thread::sleep_for(50ms);
        }
        m_isDone = true;
    }
    void take(int i)
    {
        if (m_how != How::Fair || i == 0)
            run("redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2])",
                owner(i % 3));
    }
    /// A third of the lease is between two renewals; or it is re-entered and left again.
    void keep(int i, TimePoint until)
    {
        for (int step = 0; Clock::now() < until; ++step) {
            std::this_thread::sleep_until(std::min(until, Clock::now() + lease / 3));
            if (Clock::now() >= until)
                break;
            if (m_how == How::Reentered)
                run(step % 2 ? "redis.call('hincrby', KEYS[1], ARGV[1], -1) redis.call('pexpire', KEYS[1], "
                               "ARGV[2])"
                             : "redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], "
                               "ARGV[2])",
                    owner(i % 3));
            else
                run("redis.call('pexpire', KEYS[1], ARGV[2])", owner(i % 3));
        }
    }
    /// Of a fair lock to who stands first in the queue, where another comes to stand.
    void give(int i)
    {
        if (m_how != How::Fair)
            return run("redis.call('del', KEYS[1])", owner(i % 3));
        run("redis.call('del', KEYS[1], KEYS[2], KEYS[3]) redis.call('hset', KEYS[1], ARGV[1], 1) "
            "redis.call('pexpire', KEYS[1], ARGV[2]) redis.call('rpush', KEYS[2], ARGV[3]) "
            "local now = redis.call('time') "
            "redis.call('zadd', KEYS[3], now[1] * 1000 + 60000, ARGV[3])",
            owner((i + 1) % 3), owner((i + 2) % 3));
    }

    BlockingConnection m_connection;
    const How m_how;
    const QByteArray m_key;
    const milliseconds m_most;
    std::vector<milliseconds> m_log;
    std::atomic<bool> m_stops = false;
    std::atomic<bool> m_isDone = false;
    std::thread m_thread;
};

bool isNear(milliseconds told, milliseconds truth)
{
    return std::chrono::abs(told - truth) <= std::max<milliseconds>(20ms, truth * 3 / 100);
}

} // namespace

class HoldLengthsTest : public QObject
{
    Q_OBJECT

private slots:
    void areThoseOfTheHolders()
    {
        const RedisServer server;
        Watcher watcher(server.socketAddress());
        LockHistory history;
        HoldTimes times;
        QHash<LockKey, EventKind> last;
        onTold<LockDiff>(watcher.monitor, &watcher, [&](const LockDiff &diff) {
            history.apply(diff, QDateTime::currentMSecsSinceEpoch());
            times.add(diff.events);
            for (const LockEvent &event : diff.events)
                last[event.address.key] = event.kind;
        });
        QTRY_VERIFY(watcher.sweptSince > TimePoint());
        const qint64 from = QDateTime::currentMSecsSinceEpoch();
        std::list<Holder> holders;
        holders.emplace_back(server.socketAddress(), How::Watchdog, "lock:watchdog");
        holders.emplace_back(server.socketAddress(), How::Reentered, "lock:reentered");
        holders.emplace_back(server.socketAddress(), How::Fair, "lock:fair");
        QTest::qWait(10'000);
        for (Holder &holder : holders)
            holder.stop();
        QTRY_VERIFY(std::ranges::all_of(holders, &Holder::isDone));
        const TimePoint done = Clock::now();
        QTRY_VERIFY(watcher.confirmedAt > done);
        QTRY_VERIFY(isEnd(last[LockKey("lock:watchdog")]) && isEnd(last[LockKey("lock:reentered")]));
        StatisticsRun run(history, from, QDateTime::currentMSecsSinceEpoch());
        QVERIFY(run.work(60s));
        for (const Holder &holder : holders) {
            const auto told = std::ranges::find(run.result(), LockKey(holder.key()), &LockStatistics::key);
            QVERIFY(told != run.result().end());
            Lengths truth;
            for (const milliseconds each : holder.log())
                truth.add(quint32(each.count()));
            qInfo("%s: told %lld holds (%lld unsure), p95 %lld, max %lld, at least %lld; true %lld, p95 %u, "
                  "max %u",
                  holder.key().constData(), told->holds.count, told->holds.unsure,
                  qint64(told->holds.p95.count()), qint64(told->holds.longest.count()),
                  qint64(told->holds.longestSeen.count()), truth.count(), truth.quantile(0.95),
                  truth.longest());
            QVERIFY(std::abs(told->holds.count - truth.count()) <= 2); // it may have been acquired once more
            QVERIFY(isNear(told->holds.p95, milliseconds(truth.quantile(0.95))));
            QVERIFY(isNear(told->holds.longest, milliseconds(truth.longest())));
            QCOMPARE(times.of(LockKey(holder.key())).holds, told->holds.count);
        }
    }

    /// One waits all the time, which is told as far as it is seen, and that is nearly all of it.
    void waitsAreSeenWhereHoldersChange()
    {
        const RedisServer server;
        Watcher watcher(server.socketAddress());
        LockHistory history;
        onTold<LockDiff>(watcher.monitor, &watcher, [&](const LockDiff &diff) {
            history.apply(diff, QDateTime::currentMSecsSinceEpoch());
        });
        QTRY_VERIFY(watcher.sweptSince > TimePoint());
        Holder holder(server.socketAddress(), How::Fair, "lock:fair", 190ms);
        QTRY_VERIFY(watcher.locks["lock:fair"].lock.companions->waiters.count > 0);
        const qint64 from = QDateTime::currentMSecsSinceEpoch();
        QTest::qWait(8'000);
        StatisticsRun run(history, from, QDateTime::currentMSecsSinceEpoch());
        holder.stop();
        QTRY_VERIFY(holder.isDone());
        QVERIFY(run.work(60s));
        const LockStatistics &told = run.result().front();
        qInfo("contended %lld of %lld, waited %lld of 8000 ms", told.contended, told.acquisitions,
              qint64(told.waited.count()));
        QVERIFY(told.contended >= told.acquisitions - 2);
        QVERIFY(told.waited >= 7'760ms);
        QVERIFY(told.waited <= 8'100ms);
        const QByteArray stats = server.cli({"INFO", "commandstats"});
        const qint64 reads =
            stats.mid(stats.indexOf("cmdstat_lrange:calls=") + 21).split(',').first().toLongLong();
        qInfo("%lld readings of the queue", reads);
        QVERIFY(reads < 150);
    }

    /// A number of waiters is exact for the reading that it comes from, and a change of the holder changes it.
    void aQueueIsExactOnlyAsItWasRead_data()
    {
        QTest::addColumn<milliseconds>("most");
        QTest::newRow("7 holders a second") << 190ms;
        QTest::newRow("many holders a second") << 2ms;
    }

    void aQueueIsExactOnlyAsItWasRead()
    {
        QFETCH(milliseconds, most);
        const RedisServer server;
        BlockingConnection asks(server.socketAddress(), {});
        QVERIFY(asks.open());
        Watcher watcher(server.socketAddress());
        Holder holder(server.socketAddress(), How::Fair, "lock:fair", most);
        QTRY_VERIFY(watcher.locks["lock:fair"].lock.companions->waiters.count > 0);
        int wrong = 0, atLeast = 0, wrongBounds = 0;
        for (int look = 0; look < 200; ++look) {
            QTest::qWait(23);
            const auto length = asks.send({"LLEN", "redisson_lock_queue:{lock:fair}"});
            const auto lock = watcher.locks.find("lock:fair");
            if (lock == watcher.locks.end())
                continue;
            const Waiters &waiters = lock->lock.companions->waiters;
            wrong += waiters.certainty == WaiterCertainty::Exact && waiters.count != length->integer;
            atLeast += waiters.certainty == WaiterCertainty::AtLeast;
            wrongBounds += waiters.certainty == WaiterCertainty::AtLeast && waiters.count > length->integer;
        }
        holder.stop();
        QTRY_VERIFY(holder.isDone());
        qInfo("%d of 200 looks said at least, %d of them too much; %d were exact and wrong", atLeast,
              wrongBounds, wrong);
        QCOMPARE(wrong, 0);
        QVERIFY(atLeast > 150);
    }
};

QTEST_GUILESS_MAIN(HoldLengthsTest)
#include "tst_holdlengths.moc"
