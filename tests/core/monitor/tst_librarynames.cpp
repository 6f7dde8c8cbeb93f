// SPDX-License-Identifier: GPL-3.0-or-later
// Locks of real libraries, under the names that those make by default or their manuals use: each is found, by the default
// patterns, by a family's usual names, as a name outside both, or by a search.
#include "core/base/glob.h"
#include "core/monitor/contentsearch.h"

#include "core/monitor/lockmonitor.h"
#include "core/monitor/patternadvice.h"
#include "core/watch/unlistednames.h"
#include "tests/support/redisserver.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;

namespace {

const QByteArray uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const QByteArray hex40 = "2f7a9c1e4b6d80355aa1c3e7f90b2d4c6e8f0a1b";
const QByteArray letters16 = "yj7MiGl2Ucw7Y5cC";
const QByteArray laravelLock = "laravel_database_laravel_cache";

/// As Python's uuid1().hex, of now.
QByteArray uuid1()
{
    constexpr qint64 toEpochMs = 12'219'292'800'000;
    const quint64 ticks = static_cast<quint64>(QDateTime::currentMSecsSinceEpoch() + toEpochMs) * 10'000;
    const auto part = [](quint64 bits, int digits) {
        return QByteArray::number(bits, 16).rightJustified(digits, '0');
    };
    return part(ticks & 0xffffffff, 8) + part(ticks >> 32 & 0xffff, 4) +
           part((ticks >> 48 & 0x0fff) | 0x1000, 4) + "9c1e0242ac120002";
}

} // namespace

class TestLibraryNames : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void found_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArrayList>("make"); // empty: a token with a lease
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("way");
        const auto row = [](const char *library, const QByteArray &key, const QByteArray &value,
                            const char *way) {
            QTest::addRow("%s: %s", library, key.constData())
                << key << QByteArrayList{} << value << QByteArray(way);
        };
        const auto made = [](const char *library, const QByteArray &key, const QByteArrayList &make,
                             const char *way) {
            QTest::addRow("%s: %s", library, key.constData())
                << key << make << QByteArray() << QByteArray(way);
        };
        const auto rLock = [&](const QByteArray &key, const char *way) {
            made("redisson", key, {"HSET", key, uuid + ":1", "1"}, way);
        };
        rLock("myLock", "word");
        rLock("anyLock", "word");
        rLock("orders", "search");
        row("redis-py", "my-lock", uuid1(), "word");
        row("redbeat", "redbeat::lock", uuid1(), "pattern");
        row("celery-once", "qo_tasks.add_a-1", uuid1(), "family");
        row("django-redis", ":1:cart", uuid1(), "search");
        row("dogpile.cache", "_lockuser:42", uuid1(), "word");
        row("kombu", "unacked_mutex", uuid1(), "family");
        row("python-redis-lock", "lock:report", "4bQ2mZ7xk1VtNw8yJd3FcHsR", "pattern");
        row("rq", "rq:scheduler-lock:default", "4711", "family");
        row("bull", "bull:mail:17:lock", uuid, "pattern");
        row("bullmq", "bull:mail:18:lock", uuid + ":3", "pattern");
        row("redlock", "locks:account:322456", QByteArray(32, 'a'), "word");
        row("redis-semaphore", "mutex:checkout", uuid, "family");
        made("redis-semaphore", "semaphore:checkout", {"ZADD", "semaphore:checkout", "1", uuid}, "family");
        row("redis-lock", "lock.orders", "1795316104178", "family");
        row("redis-mutex", "checkout-mutex", "mutex", "word");
        row("simple-redis-mutex", "@simple-redis-mutex:lock-orders", "0.6491170210265926", "family");
        row("node-redis-warlock", "orders:lock", "FRkIIOYgEfGbrAmcfVZlDA==", "pattern");
        row("kue", "promotion:lock", "FRkIIOYgEfGbrAmcfVZlDA==", "pattern");
        row("ioredis-lock", "app:feature:lock", uuid, "pattern");
        row("node-resque", "resque:resque_scheduler_leader_lock", "web-1:4711", "family");
        row("node-resque", "resque:workerslock:add:math:[1,2]", "1795319763", "family");
        row("node-resque", "resque:lock:add:math:[1,2]", "1795319763", "family");
        row("laravel", laravelLock + ":orders", letters16, "hint");
        row("laravel 9", laravelLock + "_:orders", letters16, "hint");
        row("laravel 11", laravelLock + "_orders", letters16, "hint");
        row("laravel 12", "laravel-database-laravel-cache-orders", letters16, "hint");
        row("laravel without a connection prefix", "laravel_cache:orders", letters16, "hint");
        row("laravel scheduler", "framework/schedule-" + hex40, letters16, "family");
        row("laravel unique jobs", "laravel_unique_job:App\\Jobs\\Pay7", letters16, "search");
        row("laravel flexible cache", "illuminate:cache:flexible:lock:orders", letters16, "word");
        made("symfony", "invoice",
             {"EVAL",
              "local t = redis.call('time') local at = t[1] * 1000 + 60000 redis.call('zadd', 'invoice', at, "
              "'__write__', at, ARGV[1]) redis.call('pexpireat', 'invoice', at)",
              "0", QByteArray(43, 'A') + '='},
             "search");
        made("sidekiq-unique-jobs", "uniquejobs:5f4dcc3b5aa765d61d8327deb882cf99:LOCKED",
             {"HSET", "uniquejobs:5f4dcc3b5aa765d61d8327deb882cf99:LOCKED", "b0ac1d2e3f4a5b6c7d8e9f01",
              "1700000000.5"},
             "family");
        row("redsync", "my-global-mutex", "q83vEjRWeJCrze8SNFZ4kA==", "word");
        row("RedLock.net", "redlock:orders", uuid, "family");
        row("DistributedLock", "MyLockName", "web-1_4711_0123456789ab4def8123456789abcdef", "word");
        row("hangfire", "{hangfire}:lock:recurring-job:nightly", uuid, "word");
        row("lock4j", "lock4j:com.example.Orders.pay#7", QByteArray(32, 'b'), "family");
        row("shedlock", "job-lock:default:nightly", "ADDED:2026-11-21T10:00:00.000Z@web-1", "family");
        row("spring-integration", "my-locks:orders", uuid, "word");
        row("quartz", "lock", uuid, "family");
        row("redlock4j", "order-lock", hex40, "word");
    }
    void found()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const QByteArrayList, make);
        QFETCH(const QByteArray, value);
        QFETCH(const QByteArray, way);
        const KeyNameFilter nominated(MonitorOptions().patterns);
        if (const auto by = nominated.nomination(key); by != KeyNameFilter::By::Nothing) {
            using By = KeyNameFilter::By;
            QCOMPARE(way, by == By::Pattern ? "pattern" : by == By::Family ? "family" : "word");
            return;
        }
        if (lockSignIn(key) != LockSign::None) {
            QVERIFY2(globMatches(patternLike(key), key), patternLike(key));
            QVERIFY(globMatches(scanGlob(MonitorOptions().patterns, true).match, key));
            QCOMPARE(way, "word");
            return;
        }
        QCOMPARE(way, nominated.hintOf(key).isEmpty() ? "search" : "hint");
        static const RedisServer server;
        server.cli({"FLUSHALL"});
        server.cli(make.isEmpty() ? QByteArrayList{"SET", key, value} : make);
        if (server.cli({"PTTL", key}) == "-1") // Symfony's own stays
            server.cli({"PEXPIRE", key, "60000"});
        ContentSearch search(server.socketAddress(), 1);
        QByteArrayList names;
        std::optional<SearchResult> end;
        connect(&search, &ContentSearch::found, &search, [&](const QList<Lock> &locks) {
            for (const Lock &lock : locks)
                names.append(lock.key().bytes);
        });
        connect(&search, &ContentSearch::ended, &search, [&](const SearchResult &e) { end = e; });
        search.start();
        QTRY_VERIFY_WITH_TIMEOUT(end.has_value(), 20'000);
        QCOMPARE(names, QByteArrayList{key});
    }
};

QTEST_GUILESS_MAIN(TestLibraryNames)
#include "tst_librarynames.moc"
