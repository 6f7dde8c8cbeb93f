// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/contentsearch.h"

#include "core/monitor/lockmonitor.h"
#include "core/monitor/patternadvice.h"

#include "core/base/glob.h"

#include "tests/support/familyliteral.h"
#include "tests/support/hostileserver.h"
#include "tests/support/login.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;

namespace {

const QByteArray uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/// A search to its end.
struct Searched
{
    explicit Searched(const ServerAddress &address, double share = 1) : search(address, share)
    {
        QObject::connect(&search, &ContentSearch::found, &search, [this](const QList<Lock> &locks) {
            for (const Lock &lock : locks)
                found.append(lock.key().bytes);
        });
        QObject::connect(&search, &ContentSearch::ended, &search, [this](const SearchResult &e) { end = e; });
        search.start();
    }
    bool hasEnded()
    {
        return QTest::qWaitFor([this] { return end.has_value(); }, 120'000);
    }

    ContentSearch search;
    QByteArrayList found;
    std::optional<SearchResult> end;
};

} // namespace

class TestDeepSearch : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    /// Locks under names without "lock", among much else; each once, and no companion.
    void findsLocksWhateverTheirNames()
    {
        RedisServer server;
        server.cli({"EVAL",
                    "for i=1,5000 do redis.call('set', 'noise:'..i, i) "
                    "redis.call('hset', 'user:'..i, 'logins', i, 'age', 30) end",
                    "0"});
        server.cli({"HSET", "order:77", uuid + ":12", "1"});
        server.cli({"PEXPIRE", "order:77", "60000"});
        server.cli({"RPUSH", "redisson_lock_queue:{order:77}", uuid + ":13"});
        server.cli(
            {"ZADD", "report", "99999999999999", "__write__", "99999999999999", QByteArray(43, 'A') + '='});
        server.cli({"SET", "reports", "3"});
        server.cli({"ZADD", "{reports}:timeout", "99999999999999", "0123456789abcdef"});
        server.cli({"SET", "visits", "3"});
        server.cli({"ZADD", "{visits}:timeout", "99999999999999", "of another program"});
        server.cli({"SET", "nightly", "ADDED:2026-11-21T10:00:00.000Z@web-3:" + uuid, "PX", "60000"});
        Searched searched(server.socketAddress());
        QVERIFY(searched.hasEnded());
        QVERIFY(searched.end->isComplete && !searched.end->error);
        std::ranges::sort(searched.found);
        QCOMPARE(searched.found, (QByteArrayList{"nightly", "order:77", "report", "reports"}));
        QCOMPARE(searched.end->progress.found, 4);
        QCOMPARE(searched.end->progress.scanned, 10'008);
        const QByteArray log = server.cli({"INFO", "commandstats"});
        QVERIFY(!log.contains("cmdstat_keys") && !log.contains("cmdstat_eval:calls=2"));
    }

    /// What a list hints at: it finds neither by content, nor does a list of the default patterns.
    void tellsWhatAListHintsAt()
    {
        RedisServer server;
        server.cli({"MSET", "a_lock", "x1", "b_lock", "x2", "{x}:mutex", "x4", "lock:a", "x5", "clock", "5",
                    "my-leader", "6", "laravel_cache:a", "6"});
        Searched searched(server.socketAddress());
        QVERIFY(searched.hasEnded());
        QCOMPARE(searched.end->outside, (UnlistedNames{1, {{"laravel_cache*", 1, true}}}));
    }

    /// Permits tell that another key is a lock, whatever was asked for; a job's digest does not.
    void onlyPermitsTellOfAnotherKey()
    {
        const QByteArray digest = "uniquejobs:0123456789abcdef0123456789abcdef";
        RedisServer server;
        server.cli({"HSET", digest + ":LOCKED", "b4a577edbccf1d805744efa9", "1790000000.5"});
        server.cli({"SET", digest, "b4a577edbccf1d805744efa9"});
        server.cli({"SET", "reports", "3"});
        server.cli({"ZADD", "{reports}:timeout", "99999999999999", "0123456789abcdef"});
        ContentSearch search(server.socketAddress(), 1);
        search.setPatterns({"*cdef", "*:timeout"});
        QByteArrayList found;
        connect(&search, &ContentSearch::found, this, [&found](const QList<Lock> &locks) {
            for (const Lock &lock : locks)
                found.append(lock.key().bytes);
        });
        QSignalSpy ended(&search, &ContentSearch::ended);
        search.start();
        QVERIFY(ended.wait(10'000));
        QCOMPARE(found, QByteArrayList{"reports"});
    }

    /// Where a hash's lease is that of its fields (Redis 7.4 and later), it is asked for, and proves as much.
    void aLeaseOfFieldsIsEvidence()
    {
        HostileServer server;
        server.setServer("8.0.2");
        server.on("PTTL", ":-1\r\n");
        server.on("HSCAN", "*2\r\n$1\r\n0\r\n*2\r\n$38\r\n" + uuid + ":7\r\n$1\r\n1\r\n");
        server.on("HPTTL", "*1\r\n:30000\r\n");
        Searched searched(server.address());
        QVERIFY(searched.hasEnded());
        QVERIFY(searched.end->isComplete);
        QCOMPARE(searched.found, QByteArrayList{"lock:1"});
        QCOMPARE(server.commands("HPTTL").size(), 1);
    }

    void ends()
    {
        RedisServer server;
        server.cli({"EVAL", "for i=1,50000 do redis.call('set', 'noise:'..i, i) end", "0"});
        Searched searched(server.socketAddress(), 0.02);
        QSignalSpy progressed(&searched.search, &ContentSearch::progressed);
        QVERIFY(progressed.wait(10'000));
        searched.search.cancel();
        QVERIFY(searched.end && !searched.end->isComplete && !searched.end->error);
        QVERIFY(searched.end->progress.scanned < 50'000);
        searched.search.cancel();
        QTRY_VERIFY(!server.cli({"CLIENT", "LIST"}).contains("lockscope-search"));
    }

    /// Left by a plain DEL of the lock: those who stand in the queue sleep on.
    void findsQueuesWithoutTheirLocks()
    {
        RedisServer server;
        server.cli({"HSET", "order:77", uuid + ":12", "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{order:77}", uuid + ":13"});
        server.cli({"RPUSH", "redisson_lock_queue:{order:78}", uuid + ":14"});
        // Its queue's name would be that of "order:79" as well, which is not there.
        server.cli({"HSET", "{order:79}", uuid + ":12", "1"});
        server.cli({"RPUSH", "redisson_lock_queue:{order:79}", uuid + ":15"});
        server.cli({"RPUSH", "redisson_lock_queue:", "of nothing"});
        server.cli({"RPUSH", "redisson_lock_queue:{}", "of nothing"});
        ContentSearch search(server.socketAddress(), 1);
        QByteArrayList found;
        connect(&search, &ContentSearch::found, this, [&found](const QList<Lock> &locks) {
            for (const Lock &lock : locks)
                found.append(lock.key().bytes +
                             (lock.problems.testFlag(Problem::Orphaned) ? " orphaned" : ""));
        });
        QSignalSpy ended(&search, &ContentSearch::ended);
        search.start();
        QVERIFY(ended.wait(10'000));
        std::ranges::sort(found);
        QCOMPARE(found, (QByteArrayList{"order:77", "order:78 orphaned", "{order:79}"}));
    }

    /// Who may not read the other lock of which the queue may be is told by all that he may see.
    void findsThemWithFewPermissions()
    {
        RedisServer server;
        server.cli({"RPUSH", "redisson_lock_queue:{lock:78}", uuid + ":14"});
        server.cli({"RPUSH", "redisson_lock_queue:{secret}", uuid + ":14"}); // nor its own
        server.cli({"ACL", "SETUSER", "few", "on", ">pw", "+@all", "~lock:*", "~redisson_lock_*"});
        ServerAddress address = server.socketAddress();
        address.user = "few";
        address.password = "pw";
        Searched searched(address);
        QVERIFY(searched.hasEnded());
        QVERIFY(searched.end->isComplete && !searched.end->error);
        QCOMPARE(searched.found, QByteArrayList{"lock:78"});
    }

    /// As get and list tell of it: by the permits that stand beside it, and with them.
    void namesASemaphoreByItsPermits()
    {
        RedisServer server;
        server.cli({"SET", "lock:permits", "3"});
        server.cli({"ZADD", "{lock:permits}:timeout", "1995319763000", "0123456789abcdef"});
        ContentSearch search(server.socketAddress(), 1);
        QList<Lock> found;
        connect(&search, &ContentSearch::found, this, [&found](const QList<Lock> &locks) { found += locks; });
        QSignalSpy ended(&search, &ContentSearch::ended);
        search.start();
        QVERIFY(ended.wait(10'000));
        QCOMPARE(found.size(), 1);
        QCOMPARE(found[0].family, "redisson-semaphore"_family);
        QVERIFY(found[0].evidence.has(Evidence::Companions) && !found[0].evidence.has(Evidence::Listeners));
        QCOMPARE(found[0].owners.size(), 1);
        QCOMPARE(found[0].owners[0].owner, OwnerId("0123456789abcdef"));
    }

    /// What it may be is not known where its companions may not be read: then the search is not whole.
    void tellsWhatItMayNotReadBeside_data()
    {
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<int>("found");
        QTest::newRow("exists") << QByteArray("-exists") << 1;
        QTest::newRow("hmget") << QByteArray("-hmget") << 1;
        QTest::newRow("lrange") << QByteArray("-lrange") << 2;
        QTest::newRow("all of it") << QByteArray("+lrange") << 2;
    }
    void tellsWhatItMayNotReadBeside()
    {
        QFETCH(const QByteArray, rule);
        QFETCH(const int, found);
        RedisServer server;
        const QByteArray made = server.cli({"TIME"}).split('\n').first() + "000";
        server.cli({"SET", "mail:jobs:7:lock", uuid, "PX", "600000"});
        server.cli({"HSET", "mail:jobs:7", "name", "n", "data", "{}", "opts", "{}", "timestamp", made});
        server.cli({"HSET", "lock:fair", uuid + ":1", "1"});
        server.cli({"PEXPIRE", "lock:fair", "600000"});
        server.cli({"RPUSH", "redisson_lock_queue:{lock:fair}", uuid + ":2", uuid + ":3"});
        Login login(server, {"~*", rule});
        Searched searched(login.address());
        QVERIFY(searched.hasEnded());
        QVERIFY(searched.end->isComplete && !searched.end->error);
        QCOMPARE(searched.found.size(), found);
        QCOMPARE(searched.end->unreadCompanions > 0, rule != "+lrange");
        const auto &missing = searched.end->permissions.missing;
        QCOMPARE(std::ranges::any_of(missing,
                                     [&](const PermissionStatus::Missing &each) {
                                         return each.use == PermissionStatus::Use::Companions &&
                                                each.refusal.command == rule.sliced(1);
                                     }),
                 rule != "+lrange");
    }

    /// A reply beyond the codec's limits costs its key, not the search.
    void passesByWhatIsTooBig()
    {
        RedisServer server;
        server.cli({"EVAL",
                    "for i=1,120 do redis.call('set', 'noise:'..i, i) end "
                    "redis.call('hset', 'huge', 'field', string.rep('x', 17 * 1024 * 1024))",
                    "0"});
        server.cli({"HSET", "order:77", uuid + ":12", "1"});
        server.cli({"PEXPIRE", "order:77", "600000"});
        Searched searched(server.socketAddress());
        QVERIFY(searched.hasEnded());
        QVERIFY(searched.end->isComplete && !searched.end->error);
        QCOMPARE(searched.found, QByteArrayList{"order:77"});
    }

    /// Also where the answer to something is still on its way.
    void goesAtAnyMoment()
    {
        RedisServer server;
        server.cli({"EVAL", "for i=1,20000 do redis.call('set', 'noise:'..i, i) end", "0"});
        for (int i = 0; i < 20; ++i) {
            ContentSearch search(server.socketAddress(), 1);
            search.start();
            QTest::qWait(i);
        }
    }

    void tellsWhyItFailed()
    {
        RedisServer server;
        server.cli({"ACL", "SETUSER", "default", "-scan"});
        Searched searched(server.socketAddress());
        QVERIFY(searched.hasEnded());
        QVERIFY(searched.end->error && searched.end->error->kind == ErrorKind::NoPermission);
        server.stop();
        Searched nobody(server.socketAddress());
        QVERIFY(nobody.hasEnded());
        QVERIFY(nobody.end->error && !nobody.end->isComplete);
    }

    void advisesPatterns_data()
    {
        QTest::addColumn<QByteArrayList>("keys");
        QTest::addColumn<QByteArrayList>("patterns");
        QTest::newRow("none") << QByteArrayList{} << QByteArrayList{};
        QTest::newRow("one word") << QByteArrayList{"nightly"} << QByteArrayList{"nightly"};
        QTest::newRow("special characters") << QByteArrayList{"a*b"} << QByteArrayList{"a\\*b"};
        QTest::newRow("one with an id") << QByteArrayList{"order:77"} << QByteArrayList{"order:*"};
        QTest::newRow("one with words") << QByteArrayList{"jobs:nightly"} << QByteArrayList{"jobs:nightly"};
        QTest::newRow("several") << QByteArrayList{"order:77", "order:78", "order:9"}
                                 << QByteArrayList{"order:*"};
        QTest::newRow("common part") << QByteArrayList{"app:locks:1", "app:locks:2"}
                                     << QByteArrayList{"app:locks:*"};
        QTest::newRow("ending") << QByteArrayList{"bull:mail:1:lock", "bull:mail:2:lock", "bull:pay:9:lock"}
                                << QByteArrayList{"bull:*:lock"};
        QTest::newRow("one shorter than the rest") << QByteArrayList{"job:7:lock", "job:8:lock", "job:lock"}
                                                   << QByteArrayList{"job:*:lock", "job:lock"};
        QTest::newRow("one beginning")
            << QByteArrayList{"myLock", "myLock1", "myLock2", "myLockOfUsers"} << QByteArrayList{"myLock*"};
        QTest::newRow("one end") << QByteArrayList{"order_lock", "user_lock"} << QByteArrayList{"*_lock"};
        QTest::newRow("both") << QByteArrayList{"job1_lock", "job2_lock", "job31_lock"}
                              << QByteArrayList{"job*_lock"};
        QTest::newRow("dots") << QByteArrayList{"lock.orders", "lock.users"} << QByteArrayList{"lock.*"};
        QTest::newRow("numbers are whole")
            << QByteArrayList{"lock1", "lock10", "lock12"} << QByteArrayList{"lock*"};
        QTest::newRow("little in common")
            << QByteArrayList{"order", "orderly", "ox"} << QByteArrayList{"order", "orderly", "ox"};
        QTest::newRow("words under one head")
            << QByteArrayList{"myLock:orders", "myLock:users", "myLock:carts", "myLock:invoices"}
            << QByteArrayList{"myLock:*"};
        QTest::newRow("words and numbers")
            << QByteArrayList{"lock:1", "lock:2", "lock:3", "lock:4", "lock:api", "lock:web", "lock:a:run"}
            << QByteArrayList{"lock:*"};
        QTest::newRow("a head of several parts")
            << QByteArrayList{"app:lock:orders:x", "app:lock:users:y", "cache:a"}
            << QByteArrayList{"app:lock:*", "cache:a"};
        QTest::newRow("nothing in common") << QByteArrayList{"a:b", "c:d"} << QByteArrayList{"a:b", "c:d"};
        QTest::newRow("most first") << QByteArrayList{"x:1", "order:1", "order:2"}
                                    << QByteArrayList{"order:*", "x:*"};
    }

    void advisesPatterns()
    {
        QFETCH(QByteArrayList, keys);
        QFETCH(QByteArrayList, patterns);
        QList<LockKey> locks;
        for (const QByteArray &key : keys)
            locks.append(LockKey(key));
        QByteArrayList advised;
        QSet<LockKey> shown;
        for (const PatternAdvice &each : suggestPatterns(locks)) {
            advised.append(each.pattern);
            QCOMPARE(each.keys.size(), std::ranges::count_if(locks, [&](const LockKey &key) {
                         return globMatches(each.pattern, key.bytes);
                     }));
            shown.unite({each.keys.cbegin(), each.keys.cend()});
        }
        QCOMPARE(advised, patterns);
        QCOMPARE(shown.size(), locks.size());
    }
};

QTEST_GUILESS_MAIN(TestDeepSearch)
#include "tst_contentsearch.moc"
