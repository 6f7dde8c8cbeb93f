// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/unlistednames.h"

#include "core/base/glob.h"
#include "core/family/registry.h"
#include "core/monitor/lockmonitor.h"

#include "tests/support/familyliteral.h"

#include <QRegularExpression>
#include <QtTest>

using namespace lockscope;

namespace {

/// A text that may be a token.
Lock held(CompactOptional<Deadline> deadline, const QByteArray &owner = "x1")
{
    Lock lock;
    lock.family = plainToken();
    lock.type = KeyType::String;
    lock.owners = {{OwnerId(owner), {}, 1}};
    lock.deadline = deadline;
    return lock;
}

} // namespace

class TestOutsideNames : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void patterns_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("pattern"); // empty: no lock's name
        const auto row = [](const char *name, const char *pattern) {
            QTest::newRow(name) << QByteArray(name) << QByteArray(pattern);
        };
        row("lock", "lock");
        row("order_lock", "*_lock");
        row("{x}:mutex", "*:mutex");
        row("myLock", "*Lock");
        row("myLock1", "myLock*");
        row("lock.orders", "lock.*");
        row("locks:account:1", "locks:*");
        row("redlock:a", "redlock:*");
        row("app_lock:42", "app_lock:*");
        row("user:42:lock:write", "*:lock:*");
        row("a*b-lock-1", "a\\*b-lock-*");
        row("_lock5f0c8b1e", "_lock*");
        row("LOCK:orders", "LOCK:*");
        row("ORDER_LOCK", "*_LOCK");
        row("x:LOCK", "*:LOCK");
        row("MUTEX:a", "MUTEX:*");
        row("SEMAPHORE-1", "SEMAPHORE-*");
        row("_lockuser", "_lock*");
        row("app:leader", "*:leader");
        row("Leader-Election", "Leader-*");
        row("clusterLease", "*Lease");
        row("leases/7", "leases/*");
        row("cron_SINGLETON", "*_SINGLETON");
        row("build:lockfiles:1", "build:lockfiles:*");
        row("JOB_LOCKED_RECORD", "*_LOCKED_RECORD");
        row("gitea:globallock:repo_7", "gitea:globallock:*");
        row("t:qlock:mail", "t:qlock:*");
        row("cronlock.7", "cronlock.*");
        row("coordinator.chosen", "coordinator.*");
        row("import:in_progress", "*:in_progress");
        row("resque:workerslock:add:math:[1,2]", "resque:workerslock:*");
        row("app:job::fetching", "*:fetching");
        row("jobs:loners:7", "jobs:loners:*");
        row("team:7:concurrency", "*:concurrency");
        for (const char *name :
             {"clock:1", "block", "unlocked", "orders:7", "door:locked", "", "{lock:permits}:timeout",
              "BLOCK:1", "flock", "Unlock", "leaderboard:1", "ownership", "release:7", "lockfiled",
              "blocked_record", "leading", "redisson_lock_queue:{a}", "redisson_unlock_latch:{a}:x"})
            row(name, "");
    }
    void patterns()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const QByteArray, pattern);
        QCOMPARE(lockSignIn(name) != LockSign::None, !pattern.isEmpty());
        if (pattern.isEmpty())
            return;
        QCOMPARE(patternLike(name), pattern);
        QVERIFY(globMatches(pattern, name));
    }

    void counts()
    {
        UnlistedNameCounter names;
        names.note("orders");
        QCOMPARE(names.outside(), UnlistedNames());
        for (int i = 0; i < 5; ++i)
            names.note("k" + QByteArray::number(i) + "_lock");
        names.note("lock");
        QCOMPARE(names.outside(), (UnlistedNames{6, {{"*_lock", 5}, {"lock", 1}}}));
        names.note("sess_1", "sess_*"); // as a family may name its locks
        names.note("sess_lock", "sess_*");
        names.add("l:*", 9);
        QCOMPARE(names.outside(),
                 (UnlistedNames{17, {{"*_lock", 5}, {"lock", 1}, {"l:*", 9, true}, {"sess_*", 2, true}}}));
    }

    /// What the samples hold decides, and of what a word hints at nothing else.
    void judged()
    {
        UnlistedNameCounter names;
        for (int i = 0; i < 9; ++i)
            names.note("claim:" + QByteArray::number(i));
        names.note("leader");
        names.note("x_lock");
        for (int i = 0; i < 4; ++i)
            names.note("semaphore-" + QByteArray::number(i));
        QCOMPARE(names.samples().size(), 8);
        QCOMPARE(names.outside(), (UnlistedNames{5, {{"semaphore-*", 4}, {"*_lock", 1}}}));
        names.judge(LockKey("x_lock"), std::nullopt);
        names.judge(LockKey("leader"), held({}));
        for (int i = 0; i < 3; ++i)
            names.judge(LockKey("semaphore-" + QByteArray::number(i)), std::nullopt);
        QCOMPARE(names.outside(), (UnlistedNames{4, {{"semaphore-*", 4}}})); // of which one was not read
        names.judge(LockKey("claim:1"), held(Deadline{Clock::now(), Clock::now()}));
        QCOMPARE(names.outside(), (UnlistedNames{13, {{"claim:*", 9}, {"semaphore-*", 4}}}));
    }

    /// Of names that say nothing two of each beginning are read.
    void byContent_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<Lock>("lock");
        QTest::addColumn<int>("names");
        QTest::addColumn<QByteArray>("pattern"); // empty: none
        const Deadline deadline{Clock::now(), Clock::now()};
        const QByteArray uuid = "f47ac10b-58cc-4372-a567-0e02b2c3d479";
        QTest::newRow("a process") << QByteArray("imports:55") << held(deadline, "web-1:4242") << 3
                                   << QByteArray("imports:*");
        QTest::newRow("a process, no lease")
            << QByteArray("imports:55") << held({}, "web-1:4242") << 3 << QByteArray();
        QTest::newRow("a word") << QByteArray("daily") << held(deadline, "LOCKED") << 1
                                << QByteArray("daily");
        QTest::newRow("a text") << QByteArray("daily") << held(deadline, "x1") << 1 << QByteArray();
        QTest::newRow("a token") << QByteArray("imports:55") << held(deadline, uuid) << 3 << QByteArray();
        QTest::newRow("too many") << QByteArray("imports:55") << held(deadline, "web-1:4242") << 1001
                                  << QByteArray();
    }
    void byContent()
    {
        QFETCH(const QByteArray, name);
        QFETCH(const Lock, lock);
        QFETCH(const int, names);
        QFETCH(const QByteArray, pattern);
        UnlistedNameCounter counter;
        for (int i = 0; i < names; ++i)
            counter.note(i == 0 ? name : name + QByteArray::number(i));
        QCOMPARE(counter.samples().size(), std::min(names, 2));
        QCOMPARE(counter.outside(), UnlistedNames());
        counter.judge(LockKey(name), lock);
        const UnlistedNames none;
        QCOMPARE(counter.outside(),
                 pattern.isEmpty() ? none : (UnlistedNames{names, {{pattern, names, true}}}));
        UnlistedNameCounter other(false);
        other.note(name);
        QVERIFY(other.samples().isEmpty());
        other = UnlistedNameCounter();
        other.note(""); // a key may have no name
        QVERIFY(other.samples().isEmpty());
    }

    /// A lock of a known family says that its neighbours may be locks too.
    void proven()
    {
        UnlistedNameCounter counter;
        for (int i = 0; i < 3; ++i)
            counter.note("orders:" + QByteArray::number(i));
        counter.note("sess_1"); // which is private
        QCOMPARE(counter.samples().size(), 2);
        QVERIFY(
            !counter.judge(LockKey("orders:0"), held(Deadline{Clock::now(), Clock::now()}, "web-1:4242")));
        Lock lock = held(Deadline{Clock::now(), Clock::now()}, "7c9e6679-7425-40de-944b-e07fc1f90ae7:1");
        lock.family = "redisson"_family;
        lock.evidence = {Evidence::Content, Evidence::Name, Evidence::Lease, Evidence::Companions};
        const auto proven = counter.judge(LockKey("orders:1"), lock);
        QVERIFY(proven);
        QCOMPARE(proven->pattern, "orders:*");
        QCOMPARE(proven->names.size(), 3);
        counter.forget("orders:*");
        QCOMPARE(counter.outside(), UnlistedNames());
    }

    /// Names without end: they are counted, and the memory stays small.
    void bounded()
    {
        UnlistedNameCounter names;
        for (int i = 0; i < 10'000; ++i)
            names.note(QByteArray(1, char('a' + i % 26)) + QByteArray(1, char('a' + i / 26 % 26)) +
                       QByteArray(1, char('a' + i / 676)) + "-lock-x");
        QCOMPARE(names.outside().names, 10'000);
        QCOMPARE(names.outside().patterns.size(), UnlistedNameCounter::maxPatterns);
    }

    void globs_data()
    {
        QTest::addColumn<QByteArrayList>("patterns");
        QTest::addColumn<bool>("looksOutside");
        QTest::addColumn<QByteArray>("match");
        QTest::addColumn<bool>("meetsOutside");
        const QByteArray wide = "*[lLmMsS][oueOUE][ctmCTM][keaKEA]*";
        const auto row = [](const char *name, const QByteArrayList &patterns, bool looks,
                            const QByteArray &match,
                            bool meets) { QTest::newRow(name) << patterns << looks << match << meets; };
        const QByteArrayList usual{"lock:*", "lock_*", "*:lock"};
        row("the usual", usual, false, "*lock*", false);
        row("the usual, and what is outside", usual, true, wide, true);
        row("one anchored", {"lock:*"}, true, "lock:*", false);
        row("another word", usual + QByteArrayList{"*_mutex"}, false, wide, false);
        row("another word, and what is outside", usual + QByteArrayList{"*_mutex"}, true, wide, true);
        row("no word", {"cart:*", "*job"}, false, "", false);
        row("no word, and what is outside", {"cart:*", "*job"}, true, "", true);
        row("sets", {"*[lock]*", "*:lock"}, true, "", true);
        row("all", {"*"}, true, "", true);
    }
    void globs()
    {
        QFETCH(const QByteArrayList, patterns);
        QFETCH(const bool, looksOutside);
        const ScanGlob glob = scanGlob(patterns, looksOutside);
        QTEST(glob.match, "match");
        QTEST(glob.meetsOutside, "meetsOutside");
    }
};

QTEST_APPLESS_MAIN(TestOutsideNames)
#include "tst_unlistednames.moc"
