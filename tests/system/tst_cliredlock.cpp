// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program at a Redlock group: each lock once, with what its servers say, and actions on all of them.
#include "tests/support/redlockgroup.h"
#include "tests/system/interop/driver.h"

using namespace lockscope;

namespace {

Ran onGroup(const RedlockGroup &group, const QList<QByteArray> &arguments)
{
    return CliProgram::run(QList<QByteArray>{"--redlock", group.option()} + arguments);
}

QJsonObject lockIn(const QJsonObject &list, const char *key)
{
    for (const QJsonValue &lock : list[QStringLiteral("locks")].toArray()) {
        if (lock[QStringLiteral("key")].toString() == QLatin1String(key))
            return lock.toObject();
    }
    return {};
}

QStringList statesIn(const QJsonObject &lock)
{
    QStringList states;
    for (const QJsonValue &server : lock[QStringLiteral("quorum")][QStringLiteral("servers")].toArray())
        states.append(server[QStringLiteral("state")].toString());
    return states;
}

} // namespace

class TestCliRedlock : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void isListedOnce();
    void aServerIsDown();
    void isGotAndExplained();
    void isForceExpiredEverywhere();
    void oneThatIsSplitIsClearedAtOnce();
    void aServerThatLostItsLocksIsNamed();
    void isAcquiredAndReleased();
    void isWatched();
    void theLibraryItself();
    void wrongUsage_data();
    void wrongUsage();
};

void TestCliRedlock::isListedOnce()
{
    RedlockGroup group;
    group.hold("lock:all", "a", {0, 1, 2});
    group.hold("lock:one", "b", {1});
    group.hold("lock:split", "c", {0, 1});
    group.hold("lock:split", "d", {2});
    const CliProgram program;
    Ran ran = onGroup(group, {"list", "--json"});
    VERIFY_EXIT(ran, 0);
    const QJsonObject list = jsonIn(ran.out);
    QCOMPARE(list[QStringLiteral("server")][QStringLiteral("mode")].toString(), QStringLiteral("redlock"));
    QCOMPARE(list[QStringLiteral("server")][QStringLiteral("nodes")].toArray().size(), 3);
    QCOMPARE(list[QStringLiteral("locks")].toArray().size(), 3);
    const QJsonObject all = lockIn(list, "lock:all");
    const QJsonObject quorum = all[QStringLiteral("quorum")].toObject();
    QCOMPARE(quorum[QStringLiteral("agreeing")].toInt(), 3);
    QCOMPARE(quorum[QStringLiteral("needed")].toInt(), 2);
    QCOMPARE(quorum[QStringLiteral("of")].toInt(), 3);
    QCOMPARE(quorum[QStringLiteral("held")], QJsonValue(true));
    QVERIFY(quorum[QStringLiteral("validity_ms")].toInt() < all[QStringLiteral("ttl_ms")].toInt());
    QVERIFY(quorum[QStringLiteral("validity_ms")].toInt() > 500'000);
    QCOMPARE(lockIn(list, "lock:one")[QStringLiteral("problems")].toArray(),
             QJsonArray{QStringLiteral("no-quorum")});
    QCOMPARE(statesIn(lockIn(list, "lock:one")),
             (QStringList{QStringLiteral("absent"), QStringLiteral("held"), QStringLiteral("absent")}));
    QCOMPARE(lockIn(list, "lock:split")[QStringLiteral("problems")].toArray(),
             QJsonArray{QStringLiteral("owners-differ")});
    ran = onGroup(group, {"list"});
    VERIFY_EXIT(ran, 0);
    QVERIFY2(ran.out.contains("SERVERS") && ran.out.contains("3 of 3") && ran.out.contains("1 of 3"),
             ran.out);
    // The address says the same as the option.
    ran = CliProgram::run({"-u", "redis-redlock://" + group.option(), "list", "--json"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("locks")].toArray().size(), 3);
    ran = onGroup(group, {"search", "--json"});
    VERIFY_EXIT(ran, 0);
}

void TestCliRedlock::aServerIsDown()
{
    RedlockGroup group;
    group.hold("lock:all", "a", {0, 1, 2});
    group.hold("lock:some", "b", {0, 1});
    const QByteArray down = group.name(1).toUtf8();
    group.server(1).kill();
    const CliProgram program;
    Ran ran = onGroup(group, {"list", "--json"});
    VERIFY_EXIT(ran, 3);
    const QJsonObject list = jsonIn(ran.out);
    QCOMPARE(list[QStringLiteral("complete")], QJsonValue(false));
    QVERIFY2(ran.err.contains("locks of " + down + " missing"), ran.err);
    QCOMPARE(lockIn(list, "lock:all")[QStringLiteral("quorum")][QStringLiteral("held")], QJsonValue(true));
    // Whether the third has it is not known.
    QCOMPARE(lockIn(list, "lock:some")[QStringLiteral("quorum")][QStringLiteral("held")], QJsonValue());
    QVERIFY(lockIn(list, "lock:some")[QStringLiteral("problems")].toArray().isEmpty());
    ran = onGroup(group, {"get", "lock:some"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.out.contains("1–2 of 3"), ran.out);
    // Nor whether a lock that the others do not have is there.
    ran = onGroup(group, {"get", "lock:none"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("on 2 of 3 servers"), ran.err);
    // Two of three are enough to end it, and that one was not asked is said.
    ran = onGroup(group, {"force-expire", "lock:all", "--expect-owner", "a", "--json"});
    VERIFY_EXIT(ran, 3);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("outcome")].toString(), QStringLiteral("expired"));
    QVERIFY(jsonIn(ran.out)[QStringLiteral("servers")].toArray().at(1)[QStringLiteral("error")].isString());
    group.server(2).kill();
    ran = onGroup(group, {"acquire", "lock:new", "--owner", "me", "--lease", "30"});
    VERIFY_EXIT(ran, 3);
    QCOMPARE(group.server(0).cli({"EXISTS", "lock:new"}), "0");
}

void TestCliRedlock::isGotAndExplained()
{
    RedlockGroup group;
    group.hold("lock:a", "a", {0, 2});
    const CliProgram program;
    Ran ran = onGroup(group, {"get", "lock:a"});
    VERIFY_EXIT(ran, 0);
    QVERIFY2(ran.out.contains("2 of 3"), ran.out);
    QVERIFY2(ran.out.contains(group.name(1).toUtf8() + ": not there"), ran.out);
    ran = onGroup(group, {"get", "lock:a", "--explain"});
    VERIFY_EXIT(ran, 0);
    QVERIFY2(ran.out.contains("Quorum: held on 2 of 3 servers; 2 are needed."), ran.out);
    QVERIFY2(ran.out.contains("allowing for clock drift"), ran.out);
    ran = onGroup(group, {"get", "lock:none"});
    VERIFY_EXIT(ran, 1);
}

void TestCliRedlock::isForceExpiredEverywhere()
{
    RedlockGroup group;
    group.hold("lock:a", "a", {0, 1, 2});
    const CliProgram program;
    Ran ran = onGroup(group, {"force-expire", "lock:a", "--expect-owner", "b"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(group.values("lock:a"), QByteArrayList(3, "a"));
    ran = onGroup(group, {"force-expire", "lock:a", "--expect-owner", "a"});
    VERIFY_EXIT(ran, 0);
    QVERIFY2(ran.out.contains("Done on 3 of 3 servers."), ran.out);
    for (int i = 0; i < 3; ++i)
        QVERIFY2(ran.out.contains(group.name(i).toUtf8() + ": "), ran.out);
    QCOMPARE(group.values("lock:a"), QByteArrayList(3, ""));
    // A record for each server: asked, and completed.
    QStringList servers;
    for (const QJsonObject &record : program.auditRecords()) {
        if (record.contains(QStringLiteral("server")))
            servers.append(record[QStringLiteral("server")].toString());
    }
    for (int i = 0; i < 3; ++i)
        QVERIFY2(servers.contains(group.name(i)), qPrintable(servers.join(u' ')));
    QCOMPARE(CliProgram::run({"audit", "verify"}).exitCode, 0);
    ran = onGroup(group, {"force-expire", "lock:a", "--expect-owner", "a"});
    VERIFY_EXIT(ran, 1);
    ran = onGroup(group, {"force-expire", "lock:a", "--expect-owner", "a", "--read-only"});
    VERIFY_EXIT(ran, 4);
}

void TestCliRedlock::oneThatIsSplitIsClearedAtOnce()
{
    RedlockGroup group(5);
    const auto split = [&] {
        group.hold("lock:a", "a", {0, 1});
        group.hold("lock:a", "b", {2, 3});
        group.hold("lock:a", "c", {4});
    };
    split();
    const CliProgram program;
    Ran ran = onGroup(group, {"force-expire", "lock:a", "--expect-owner", "a"});
    VERIFY_EXIT(ran, 0); // that owner is gone from all of them
    QVERIFY2(ran.out.contains("Done on 2 of 5") &&
                 ran.out.contains("another owner has the lock on 3 servers"),
             ran.out);
    QCOMPARE(group.values("lock:a"), (QByteArrayList{"", "", "b", "b", "c"}));
    split();
    ran = onGroup(group, {"force-expire", "lock:a", "--expect-owner", "a", "--expect-owner", "b",
                          "--expect-owner", "c"});
    VERIFY_EXIT(ran, 0);
    QVERIFY2(ran.out.contains("Done on 5 of 5"), ran.out);
    QCOMPARE(group.values("lock:a"), QByteArrayList(5, ""));

    // Of one server a string has one owner: nothing is sent.
    group.hold("lock:b", "b", {0});
    ran = CliProgram::on(group.server(0),
                         {"force-expire", "lock:b", "--expect-owner", "b", "--expect-owner", "c", "--json"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("outcome")], QJsonValue(QStringLiteral("owner-changed")));
    QCOMPARE(group.server(0).cli({"GET", "lock:b"}), "b");

    group.hold("lock:a", "a", {0, 1, 2});
    for (int i = 3; i < 5; ++i)
        group.server(i).kill();
    ran = onGroup(group, {"get", "lock:a", "--explain"});
    QVERIFY2(ran.out.contains("Runs on 3 of 5 servers"), ran.out);
}

void TestCliRedlock::aServerThatLostItsLocksIsNamed()
{
    RedlockGroup group(5);
    for (const char *key : {"lock:a", "lock:b", "lock:c"})
        group.hold(key, "me", {0, 1, 2, 3, 4});
    const QTemporaryDir directory;
    const QString path = directory.filePath(QStringLiteral("recording"));
    const CliProgram program;
    const QStringList where{QStringLiteral("--redlock"), QString::fromUtf8(group.option())};
    Driver record(CliProgram::path(), where + QStringList{QStringLiteral("record"), path});
    Driver watch(CliProgram::path(), where + QStringList{QStringLiteral("watch"), QStringLiteral("--json")});
    QCOMPARE(nextEvent(watch, "ready")[QStringLiteral("locks")].toInt(), 3);
    const auto replayed = [&] { return CliProgram::run({"replay", QFile::encodeName(path), "--json"}).out; };
    QTRY_COMPARE_WITH_TIMEOUT(replayed().count("\"found\""), 3, 20'000);
    group.server(1).cli({"FLUSHALL"});
    const QJsonObject flushed = nextEvent(watch, "flushed");
    QCOMPARE(flushed[QStringLiteral("node")].toString(), group.name(1));
    QCOMPARE(flushed[QStringLiteral("locks")].toInt(), 3);
    QCOMPARE(flushed[QStringLiteral("still_held")].toInt(), 3);
    QTRY_VERIFY_WITH_TIMEOUT(replayed().contains("\"flushed\""), 20'000);
    QVERIFY2(replayed().contains(group.name(1).toUtf8()) && !replayed().contains("node-lost"), replayed());
}

void TestCliRedlock::isAcquiredAndReleased()
{
    RedlockGroup group;
    const CliProgram program;
    Ran ran = onGroup(group, {"acquire", "lock:a", "--owner", "me", "--lease", "30", "--family", "token"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(group.values("lock:a"), QByteArrayList(3, "me"));
    ran = onGroup(group, {"acquire", "lock:a", "--owner", "you", "--lease", "30", "--family", "token"});
    VERIFY_EXIT(ran, 1);
    ran = onGroup(group, {"extend", "lock:a", "--owner", "me", "--lease", "60"});
    VERIFY_EXIT(ran, 0);
    ran = onGroup(group, {"release", "lock:a", "--owner", "me"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(group.values("lock:a"), QByteArrayList(3, ""));
}

void TestCliRedlock::isWatched()
{
    RedlockGroup group;
    group.hold("lock:a", "a", {0, 1, 2});
    const CliProgram program;
    Driver watch(CliProgram::path(), {QStringLiteral("--redlock"), QString::fromUtf8(group.option()),
                                      QStringLiteral("watch"), QStringLiteral("--json")});
    const QJsonObject ready = nextEvent(watch, "ready");
    QCOMPARE(ready[QStringLiteral("locks")].toInt(), 1);
    QCOMPARE(nextEvent(watch, "found")[QStringLiteral("key")].toString(), QStringLiteral("lock:a"));
    group.hold("lock:b", "b", {2}); // an attempt
    group.server(2).cli({"DEL", "lock:b"});
    group.hold("lock:c", "c", {0, 1, 2});
    QCOMPARE(nextEvent(watch, "acquired")[QStringLiteral("key")].toString(), QStringLiteral("lock:c"));
    group.server(0).kill();
    QCOMPARE(nextEvent(watch, "node-lost")[QStringLiteral("node")].toString(), group.name(0));
    group.server(1).cli({"DEL", "lock:c"});
    group.server(2).cli({"DEL", "lock:c"});
    QCOMPARE(nextEvent(watch, "released")[QStringLiteral("key")].toString(), QStringLiteral("lock:c"));
}

/// node-redlock, on three servers: held, extended, force-expired, and what the library says of that.
void TestCliRedlock::theLibraryItself()
{
    RedlockGroup group;
    const CliProgram program;
    Driver library(QStringLiteral("node"),
                   {interopFile("redlock_group.js"), QString::fromUtf8(group.option()),
                    QStringLiteral("lock:job"), QStringLiteral("30000")},
                   {QStringLiteral("NODE_PATH=") + nodeModules()});
    const QByteArrayList held = library.line("held");
    QCOMPARE(held.size(), 2);
    QCOMPARE(group.values("lock:job"), QByteArrayList(3, held[1]));
    Ran ran = onGroup(group, {"get", "lock:job", "--json"});
    VERIFY_EXIT(ran, 0);
    QJsonObject lock = jsonIn(ran.out);
    QCOMPARE(lock[QStringLiteral("quorum")][QStringLiteral("agreeing")].toInt(), 3);
    QCOMPARE(lock[QStringLiteral("owners")].toArray().first()[QStringLiteral("id")].toString(),
             QString::fromUtf8(held[1]));
    // One server forgets it: the library still extends, on the others.
    group.server(1).cli({"DEL", "lock:job"});
    QCOMPARE(library.answerTo("extend 40000"), "extended");
    ran = onGroup(group, {"get", "lock:job", "--json"});
    VERIFY_EXIT(ran, 0);
    lock = jsonIn(ran.out);
    QCOMPARE(lock[QStringLiteral("quorum")][QStringLiteral("agreeing")].toInt(), 2);
    QVERIFY(lock[QStringLiteral("ttl_ms")].toInt() > 30'000);
    ran = onGroup(group, {"force-expire", "lock:job", "--expect-owner", held[1]});
    VERIFY_EXIT(ran, 0);
    const QByteArray said = library.answerTo("extend 40000");
    QVERIFY2(said.startsWith("failed ExecutionError"), said);
}

void TestCliRedlock::wrongUsage_data()
{
    QTest::addColumn<QByteArrayList>("arguments");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("one") << QByteArrayList{"--redlock", "host1", "list"} << QByteArray("at least two");
    QTest::newRow("twice") << QByteArrayList{"--redlock", "host1,host2,host1:6379", "list"}
                           << QByteArray("twice");
    QTest::newRow("empty") << QByteArrayList{"--redlock", "host1,,host2", "list"} << QByteArray("host");
    QTest::newRow("host") << QByteArrayList{"--redlock", "host1,host2", "-h", "host3", "list"}
                          << QByteArray("either --redlock or -h");
    QTest::newRow("sentinel") << QByteArrayList{"--redlock", "host1,host2", "--sentinel", "s",
                                                "--master",  "m",           "list"}
                              << QByteArray("either --redlock or --sentinel");
    QTest::newRow("simulate") << QByteArrayList{"--redlock", "host1,host2", "simulate", "--strategy",
                                                "token-set"}
                              << QByteArray("either simulate or --redlock");
}

void TestCliRedlock::wrongUsage()
{
    QFETCH(const QByteArrayList, arguments);
    QFETCH(const QByteArray, said);
    const CliProgram program;
    const Ran ran = CliProgram::run(arguments);
    VERIFY_EXIT(ran, 2);
    QVERIFY2(ran.err.contains(said), ran.err);
}

QTEST_GUILESS_MAIN(TestCliRedlock)
#include "tst_cliredlock.moc"
