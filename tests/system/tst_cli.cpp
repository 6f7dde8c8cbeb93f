// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <optional>

using namespace lockscope;
using Words = QList<QByteArray>;

namespace {

QJsonObject lockIn(const QJsonObject &list, const QString &key)
{
    for (const QJsonValue &lock : list[QLatin1String("locks")].toArray()) {
        if (lock[QLatin1String("key")].toString() == key)
            return lock.toObject();
    }
    return {};
}

} // namespace

class TestCli : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void listShowsWhatIsThere();
    void listForPeopleIsAligned();
    void listKnowsOtherPatterns();
    void getTellsOneLock();
    void getOfAbsentKey();
    void actions_data();
    void actions();
    void lostReplyIsUnknown();
    void acquireWaits();
    void forceExpireOfSeveralOwners();
    void keysAreBytes();
    void helpAndVersion();

private:
    Ran on(const Words &arguments) { return CliProgram::on(m_server, arguments); }
    QByteArray redis(const Words &arguments) { return m_server.cli(arguments); }
    /// Acquires as the published transcript does.
    void acquireByScript(const QByteArray &key, const QByteArray &owner);

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestCli::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    QCOMPARE(redis({"FLUSHALL"}), "OK");
}

void TestCli::acquireByScript(const QByteArray &key, const QByteArray &owner)
{
    QCOMPARE(redis({"--eval", scriptPath("reentrant/acquire"), key, ",", owner, "30"}), "1");
}

void TestCli::listShowsWhatIsThere()
{
    for (const char *number : {"1", "2", "3"}) {
        acquireByScript("lock:user:" + QByteArray(number), "thread-" + QByteArray(number));
        redis({"SET", "lock_job_" + QByteArray(number), "token-" + QByteArray(number), "NX", "PX", "30000"});
    }
    acquireByScript("lock:user:3", "thread-3");
    const QByteArray script = "import redis, sys\n"
                              "r = redis.Redis(unix_socket_path=sys.argv[1])\n"
                              "for name in ('lock:py:a', 'lock:py:b'):\n"
                              "    assert r.lock(name, timeout=30).acquire(token='py-' + name[-1])\n";
    const Ran python = runProgram(QStringLiteral("/usr/bin/python3"),
                                  {"-c", script, QFile::encodeName(m_server.socketPath())});
    QVERIFY2(python.exitCode == 0, python.err.constData());
    redis({"SET", "other", "no lock's name"});

    const Ran ran = on({"list", "--json"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(ran.err, "");
    QCOMPARE(ran.out.count('\n'), 1);
    const QJsonObject list = jsonIn(ran.out);
    QCOMPARE(list[QLatin1String("server")][QLatin1String("mode")].toString(), QStringLiteral("standalone"));
    const QByteArray product = list[QLatin1String("server")][QLatin1String("name")].toString().toLatin1();
    QCOMPARE(product, redis({"INFO", "server"}).contains("valkey_version:") ? "valkey" : "redis");
    QVERIFY(redis({"INFO", "server"})
                .contains(product + "_version:" +
                          list[QLatin1String("server")][QLatin1String("version")].toString().toLatin1() +
                          '\r'));
    const QJsonObject scan = list[QLatin1String("sweep")].toObject();
    QCOMPARE(scan[QLatin1String("keys_scanned")].toInteger(), 9);
    for (const char *name : {"commands", "server_us", "wall_ms"})
        QVERIFY2(scan[QLatin1String(name)].isDouble(), name);

    QCOMPARE(list[QLatin1String("locks")].toArray().size(), 8);
    for (const QJsonValue &value : list[QLatin1String("locks")].toArray()) {
        const QJsonObject lock = value.toObject();
        const QByteArray key = lock[QLatin1String("key")].toString().toUtf8();
        const QJsonObject owner = lock[QLatin1String("owners")][0].toObject();
        const QByteArray id = owner[QLatin1String("id")].toString().toUtf8();
        const QByteArray holds = QByteArray::number(owner[QLatin1String("holds")].toInteger());
        QCOMPARE(lock[QLatin1String("owners")].toArray().size(), 1);
        // The second eye.
        if (redis({"TYPE", key}) == "hash") {
            QCOMPARE(lock[QLatin1String("family")].toString(), QStringLiteral("reentrant"));
            QCOMPARE(redis({"HGETALL", key}), id + '\n' + holds);
        } else {
            QCOMPARE(lock[QLatin1String("family")].toString(), QStringLiteral("token"));
            QCOMPARE(redis({"GET", key}), id);
            QCOMPARE(holds, "1");
        }
        const qint64 ttl = lock[QLatin1String("ttl_ms")].toInteger();
        const qint64 pttl = redis({"PTTL", key}).toLongLong();
        QVERIFY2(ttl >= pttl && ttl - pttl < 10'000, QByteArray::number(ttl - pttl).constData());
        const qint64 deadline = lock[QLatin1String("deadline_ms")].toInteger();
        const qint64 end = QDateTime::currentMSecsSinceEpoch() + redis({"PTTL", key}).toLongLong();
        QVERIFY2(qAbs(deadline - end) < 1000, QByteArray::number(deadline - end));
        QVERIFY(lock[QLatin1String("problems")].toArray().isEmpty());
        QCOMPARE(lock[QLatin1String("db")].toInteger(-1), 0);
    }
    QCOMPARE(lockIn(list, QStringLiteral("lock:user:3"))[QLatin1String("owners")][0][QLatin1String("holds")]
                 .toInteger(),
             2);
}

void TestCli::listForPeopleIsAligned()
{
    acquireByScript("lock:a", "thread-x");
    redis({"SET", "lock:long:name:of:a:lock", "token", "PX", "60000"});
    redis({"SET", "lock:\xe9\x94\x81", "token-9"});
    redis({"RPUSH", "lock:list", "x"});
    redis({"HSET", "lock:\x1b[2J", "worker:1", "abc"});

    const Ran ran = on({"list"});
    VERIFY_EXIT(ran, 0);
    QVERIFY(!ran.out.contains('\x1b'));
    const QList<QByteArray> lines = ran.out.split('\n');
    QCOMPARE(lines.size(), 1 + 4 + 1); // what may be one is a number
    for (const char *heading : {"STATE", "FAMILY", "KEY", "OWNER", "HOLDS", "TTL", "PROBLEMS"})
        QVERIFY2(lines[0].contains(heading), heading);
    const qsizetype column = lines[0].indexOf("OWNER");
    QCOMPARE(lines[1].indexOf("worker:1  "), column); // lock:\x1b[2J comes first
    QVERIFY(lines[1].contains("lock:\\x1b[2J") && lines[1].contains("bad-count") && lines[1].contains("abc"));
    QCOMPARE(lines[2].indexOf("thread-x"), column);
    QCOMPARE(lines[3].indexOf("token", 20), column);
    QVERIFY(lines[4].startsWith("held") && lines[4].endsWith("none"));
    const QList<QByteArray> summary = ran.err.split('\n');
    QVERIFY2(summary[0].startsWith("4 locks (1 with problems). Scanned 5 keys in "), summary[0].constData());
    QCOMPARE(summary[1], "Possible locks: 1. Show with --filter=state:possible.");
    const Ran possible = on({"list", "--filter", "state:possible"});
    QVERIFY2(possible.out.contains("lock:list") && !possible.out.contains("thread-x"),
             possible.out.constData());

    redis({"FLUSHALL"});
    const Ran none = on({"list"});
    QVERIFY(none.err.startsWith("No locks at ") && none.out.isEmpty());
}

void TestCli::listKnowsOtherPatterns()
{
    redis({"MSET", "a:1", "x", "b:1", "x", "lock:1", "x"});
    const QJsonObject list = jsonIn(on({"list", "--json", "--pattern", "a:*", "--pattern", "b:?"}).out);
    QCOMPARE(list[QLatin1String("locks")].toArray().size(), 2);
    QVERIFY(!lockIn(list, QStringLiteral("b:1")).isEmpty());
    redis({"-n", "3", "SET", "lock:3", "x"});
    const QJsonObject third = jsonIn(on({"list", "--json", "-n", "3"}).out);
    QCOMPARE(third[QLatin1String("locks")].toArray().size(), 1);
    QCOMPARE(third[QLatin1String("locks")][0][QLatin1String("db")].toInteger(), 3);
}

void TestCli::getTellsOneLock()
{
    acquireByScript("lock:a", "thread-x");
    redis({"HSET", "lock:a", "thread-y", "2"});
    redis({"PERSIST", "lock:a"});
    const Ran ran = on({"get", "lock:a", "--json"});
    VERIFY_EXIT(ran, 0);
    const QJsonObject lock = jsonIn(ran.out);
    QCOMPARE(lock[QLatin1String("owners")].toArray().size(), 2);
    QCOMPARE(lock[QLatin1String("owners")][1][QLatin1String("holds")].toInteger(), 2);
    QVERIFY(lock[QLatin1String("ttl_ms")].isNull() && lock[QLatin1String("deadline_ms")].isNull());
    QCOMPARE(lock[QLatin1String("problems")].toArray(), QJsonArray({QStringLiteral("several-owners")}));
    QVERIFY(!lock.contains(QLatin1String("waiters")));

    redis({"SET", "far", "token", "PX", "9000000000000000000"});
    const QJsonObject far = jsonIn(on({"get", "far", "--json"}).out);
    QVERIFY(far[QLatin1String("deadline_ms")].toInteger() > 9'000'000'000'000'000'000);
    QVERIFY(on({"get", "far"}).out.contains("more than 1,000 years"));

    const Ran human = on({"get", "lock:a"});
    VERIFY_EXIT(human, 0);
    for (const char *text : {"lock:a", "reentrant", "thread-x, hold count 1", "thread-y, hold count 2",
                             "none", "Several owners"})
        QVERIFY2(human.out.contains(text), human.out.constData());
}

void TestCli::getOfAbsentKey()
{
    const Ran ran = on({"get", "lock:none", "--json"});
    VERIFY_EXIT(ran, 1);
    const QJsonObject answer = jsonIn(ran.out);
    QCOMPARE(answer[QLatin1String("error")].toString(), QStringLiteral("no lock at lock:none"));
    QCOMPARE(answer[QLatin1String("key")].toString(), QStringLiteral("lock:none"));
    QCOMPARE(ran.err, "lockscope-cli: no lock at lock:none\n");
    QCOMPARE(on({"get", "lock:none"}).out, "");
}

void TestCli::actions_data()
{
    QTest::addColumn<QList<Words>>("before");
    QTest::addColumn<Words>("words");
    QTest::addColumn<QString>("outcome");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<Words>("look");
    QTest::addColumn<QByteArray>("found");

    const QList<Words> none;
    const QList<Words> heldByX{{"HSET", "k", "x", "1"}, {"PEXPIRE", "k", "50000"}};
    const QList<Words> heldTwice{{"HSET", "k", "x", "2"}, {"PEXPIRE", "k", "50000"}};
    const QList<Words> token{{"SET", "k", "x", "PX", "50000"}};
    const QList<Words> badCount{{"HSET", "k", "worker:1", "abc"}, {"PEXPIRE", "k", "50000"}};
    const QList<Words> list{{"RPUSH", "k", "x"}};
    const auto row = [](const char *name, const QList<Words> &before, const Words &words, const char *outcome,
                        int exitCode, const Words &look, const QByteArray &found) {
        QTest::newRow(name) << before << words << QString::fromLatin1(outcome) << exitCode << look << found;
    };
    const Words hash{"HGETALL", "k"};
    const Words string{"GET", "k"};
    const Words exists{"EXISTS", "k"};

    const Words acquire{"acquire", "k", "--owner", "x", "--lease", "30"};
    const Words acquireAsY{"acquire", "k", "--owner", "y", "--lease", "30"};
    row("acquire: acquired", none, acquire, "acquired", 0, hash, "x\n1");
    row("acquire: reentered", heldByX, acquire, "reentered", 0, hash, "x\n2");
    row("acquire: held by other", heldByX, acquireAsY, "held-by-other", 1, hash, "x\n1");
    row("acquire: wrong type", list, acquire, "wrong-type", 1, {"LRANGE", "k", "0", "-1"}, "x");
    const Words acquireBad{"acquire", "k", "--owner", "worker:1", "--lease", "30"};
    row("acquire: bad count", badCount, acquireBad, "bad-count", 1, hash, "worker:1\nabc");
    row("acquire: token", none, acquire + Words{"--family", "token"}, "acquired", 0, string, "x");
    row("acquire: token again", token, acquire + Words{"--family", "token"}, "held-by-other", 1, string, "x");

    const Words release{"release", "k", "--owner", "x"};
    row("release: released", heldByX, release, "released", 0, exists, "0");
    row("release: unwound", heldTwice, release, "unwound", 0, hash, "x\n1");
    row("release: all levels", heldTwice, release + Words{"--all"}, "released", 0, exists, "0");
    row("release: absent", none, release, "not-held", 1, exists, "0");
    row("release: held by other", heldByX, {"release", "k", "--owner", "y"}, "held-by-other", 1, hash,
        "x\n1");
    row("release: bad count", badCount, {"release", "k", "--owner", "worker:1"}, "bad-count", 1, hash,
        "worker:1\nabc");
    row("release: wrong type", list, release, "wrong-type", 1, exists, "1");
    row("release: token", token, release, "released", 0, exists, "0");
    row("release: another's token", token, {"release", "k", "--owner", "y"}, "held-by-other", 1, string, "x");

    const Words extend{"extend", "k", "--owner", "x", "--lease", "0.001"};
    row("extend: extended", heldByX, {"extend", "k", "--owner", "x", "--lease", "3000"}, "extended", 0, hash,
        "x\n1");
    row("extend: absent", none, extend, "not-held", 1, exists, "0");
    row("extend: held by other", heldByX, {"extend", "k", "--owner", "y", "--lease", "1"}, "held-by-other", 1,
        hash, "x\n1");
    row("extend: wrong type", list, extend, "wrong-type", 1, exists, "1");
    row("extend: bad count", badCount, {"extend", "k", "--owner", "worker:1", "--lease", "1"}, "bad-count", 1,
        hash, "worker:1\nabc");
    row("extend: token", token, {"extend", "k", "--owner", "x", "--lease", "3000"}, "extended", 0, string,
        "x");

    const Words force{"force-expire", "k", "--expect-owner", "x"};
    row("force-expire: expired", heldTwice, force, "expired", 0, exists, "0");
    row("force-expire: holds as seen", heldTwice, force + Words{"--expect-holds", "2"}, "expired", 0, exists,
        "0");
    row("force-expire: holds changed", heldTwice, force + Words{"--expect-holds", "1"}, "holds-changed", 1,
        hash, "x\n2");
    row("force-expire: owner changed", heldTwice, {"force-expire", "k", "--expect-owner", "y"},
        "owner-changed", 1, hash, "x\n2");
    row("force-expire: already gone", none, force, "already-gone", 1, exists, "0");
    row("force-expire: wrong type", list, force, "wrong-type", 1, exists, "1");
    row("force-expire: bad count, any holds", badCount, {"force-expire", "k", "--expect-owner", "worker:1"},
        "expired", 0, exists, "0");
    row("force-expire: token", token, force, "expired", 0, exists, "0");
    row("force-expire: another's token", token, {"force-expire", "k", "--expect-owner", "y"}, "owner-changed",
        1, string, "x");
    row("force-expire: with grace", heldTwice, force + Words{"--grace", "1"}, "expired", 0, hash, "");
}

void TestCli::actions()
{
    QFETCH(QList<Words>, before);
    QFETCH(Words, words);
    QFETCH(QString, outcome);
    QFETCH(int, exitCode);
    QFETCH(Words, look);
    QFETCH(QByteArray, found);
    for (const Words &command : before)
        redis(command);

    const Ran ran = on(words + Words{"--json"});
    VERIFY_EXIT(ran, exitCode);
    QCOMPARE(ran.err, "");
    const QJsonObject answer = jsonIn(ran.out);
    QCOMPARE(answer[QLatin1String("outcome")].toString(), outcome);
    QCOMPARE(answer[QLatin1String("key")].toString(), QStringLiteral("k"));
    QCOMPARE(redis(look), found);
    const qint64 pttl = redis({"PTTL", "k"}).toLongLong();
    if (outcome == QLatin1String("extended"))
        QVERIFY(pttl > 2'900'000);
    if (words.contains("--grace"))
        QVERIFY(answer[QLatin1String("ttl_ms")].toInteger() <= 1000);

    // A record before, a record after; nothing where nothing was sent.
    const QList<QJsonObject> records = m_cli->auditRecords();
    if (outcome == QLatin1String("wrong-type") && !words.contains("acquire")) {
        QVERIFY(records.isEmpty());
    } else {
        QCOMPARE(records.size(), 2);
        QCOMPARE(records[0][QLatin1String("action")].toString().toLatin1(), words[0]);
        QCOMPARE(records[1][QLatin1String("outcome")].toString(), outcome);
    }

    // And in words for people.
    const Ran human = on(words);
    QVERIFY(human.out.startsWith("k: ") && human.out.count('\n') == 1);
}

void TestCli::lostReplyIsUnknown()
{
    FakePeer peer;
    peer.once("EVALSHA", FakePeer::Answer().reset());
    peer.on("PTTL", ":-2\r\n");
    peer.on("HSCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
    peer.on("GETRANGE", "$0\r\n\r\n");
    const Ran ran = CliProgram::companions({"-h", "127.0.0.1", "-p", QByteArray::number(peer.port()),
                                            "acquire", "k", "--owner", "x", "--lease", "30", "--json"});
    VERIFY_EXIT(ran, 3);
    const QJsonObject answer = jsonIn(ran.out);
    QCOMPARE(answer[QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
    QVERIFY(answer[QLatin1String("message")].toString().contains(QLatin1String("does not exist")));
    QCOMPARE(peer.commands("EVALSHA").size(), 1);
    QCOMPARE(peer.commands("EVAL").size(), 0);
    QCOMPARE(m_cli->auditRecords().value(1)[QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
}

void TestCli::acquireWaits()
{
    redis({"SET", "k", "other", "PX", "400"});
    const Words acquire{"acquire", "k",        "--owner", "x",      "--lease",
                        "30",      "--family", "token",   "--json", "--wait"};
    const Ran got = on(acquire + Words{"20"});
    VERIFY_EXIT(got, 0);
    QCOMPARE(jsonIn(got.out)[QLatin1String("outcome")].toString(), QStringLiteral("acquired"));
    QCOMPARE(redis({"GET", "k"}), "x");
    QVERIFY(m_cli->auditRecords().size() > 2);

    redis({"SET", "k", "other", "PX", "60000"});
    QElapsedTimer timer;
    timer.start();
    const Ran not_ = on(acquire + Words{"0.3"});
    VERIFY_EXIT(not_, 1);
    QVERIFY(timer.elapsed() >= 300);
    QCOMPARE(jsonIn(not_.out)[QLatin1String("outcome")].toString(), QStringLiteral("held-by-other"));
}

void TestCli::forceExpireOfSeveralOwners()
{
    redis({"HSET", "k", "worker:1", "1", "worker:2", "2"});
    Ran ran = on({"force-expire", "k", "--expect-owner", "worker:1", "--json"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(jsonIn(ran.out)[QLatin1String("outcome")].toString(), QStringLiteral("owner-changed"));
    ran = on({"force-expire", "k", "--expect-owner", "worker:1", "--expect-owner", "worker:2",
              "--expect-holds", "2"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(redis({"EXISTS", "k"}), "0");
}

void TestCli::keysAreBytes()
{
    const QByteArray key = "lock:\xff\xfe \n\x1b[0m\xe2\x80\xae";
    const QByteArray owner = "o\xc3(\r";
    VERIFY_EXIT(on({"acquire", key, "--owner", owner, "--lease", "30"}), 0);
    QCOMPARE(redis({"HGET", key, owner}), "1");

    const Ran got = on({"get", key, "--json"});
    VERIFY_EXIT(got, 0);
    const QJsonObject lock = jsonIn(got.out);
    QCOMPARE(lock[QLatin1String("key")].toString(), QStringLiteral("lock:\\xff\\xfe \n\x1b[0m\u202e"));
    QCOMPARE(QByteArray::fromBase64(lock[QLatin1String("key_base64")].toString().toLatin1()), key);
    QCOMPARE(QByteArray::fromBase64(
                 lock[QLatin1String("owners")][0][QLatin1String("id_base64")].toString().toLatin1()),
             owner);
    QVERIFY(!got.out.contains('\x1b'));
    const Ran human = on({"list"});
    QVERIFY2(human.out.contains("lock:\\xff\\xfe \\x0a\\x1b[0m\\u{202e}"), human.out.constData());
    QVERIFY2(human.out.contains("o\\xc3(\\x0d"), human.out.constData());

    const Ran released = on({"release", key.toBase64(), "--owner", owner.toBase64(), "--base64", "--json"});
    VERIFY_EXIT(released, 0);
    QCOMPARE(
        QByteArray::fromBase64(jsonIn(released.out)[QLatin1String("owner_base64")].toString().toLatin1()),
        owner);
    QCOMPARE(redis({"DBSIZE"}), "0");

    // A NUL can't be in argv, but in a key it can.
    const QByteArray withNul("lock:\0x", 7);
    VERIFY_EXIT(on({"acquire", withNul.toBase64(), "--base64", "--owner", "YQ==", "--lease", "30"}), 0);
    QCOMPARE(redis({"--no-raw", "KEYS", "*"}), "1) \"lock:\\x00x\"");
    QVERIFY(on({"list"}).out.contains("lock:\\x00x"));
}

void TestCli::helpAndVersion()
{
    const Ran help = CliProgram::run({"--help"});
    VERIFY_EXIT(help, 0);
    QVERIFY(help.out.startsWith("Usage: lockscope-cli"));
    const Ran version = CliProgram::run({"--version"});
    VERIFY_EXIT(version, 0);
    QVERIFY(version.out.startsWith("lockscope-cli "));
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
