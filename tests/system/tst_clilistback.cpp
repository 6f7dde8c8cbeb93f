// SPDX-License-Identifier: GPL-3.0-or-later
// What `list` prints of a lock, owners and holds, is what `force-expire` takes: for locks of every family.
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <optional>

using namespace lockscope;
using Words = QList<QByteArray>;

namespace {

const QByteArray uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const QByteArray one = uuid + ":1";
const QByteArray two = uuid + ":2";
const QByteArray hex4 = "6b1f8a520c1d4e5f8a9b0c1d2e3f4a5b";
const QByteArray hex40 = "0123456789abcdef0123456789abcdef01234567";

/// The words that expect each owner of a lock as it was printed.
Words expectations(const QJsonObject &lock, bool inBase64)
{
    Words words;
    for (const QJsonValue &value : lock[QLatin1String("owners")].toArray()) {
        const QJsonObject owner = value.toObject();
        const QByteArray exact = owner.contains(QLatin1String("id_base64"))
                                     ? owner[QLatin1String("id_base64")].toString().toLatin1()
                                     : owner[QLatin1String("id")].toString().toUtf8().toBase64();
        words += {"--expect-owner", inBase64 ? exact : QByteArray::fromBase64(exact)};
        if (owner.contains(QLatin1String("holds")))
            words += {"--expect-holds", QByteArray::number(owner[QLatin1String("holds")].toInteger())};
    }
    return words;
}

} // namespace

class TestCliListBack : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void isTakenBack_data();
    void isTakenBack();
    void otherHoldsAreNot_data();
    void otherHoldsAreNot();
    void anOwnerNamedTwiceIsWrongUsage();

private:
    Ran on(const Words &arguments) { return CliProgram::on(m_server, arguments); }
    QByteArray redis(const Words &arguments) { return m_server.cli(arguments); }

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestCliListBack::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    QCOMPARE(redis({"FLUSHALL"}), "OK");
}

void TestCliListBack::isTakenBack_data()
{
    QTest::addColumn<QByteArrayList>("before"); // redis-cli lines
    QTest::addColumn<QByteArray>("key");
    const auto row = [](const char *name, const QByteArray &key, const QByteArrayList &before) {
        QTest::newRow(name) << before << key;
    };
    const QByteArray end = QByteArray::number(QDateTime::currentMSecsSinceEpoch() + 30'000);
    row("token", "lock:a", {"SET lock:a worker-7 PX 600000"});
    row("an owner of bytes", "lock:a", {R"(HSET lock:a "\xff\x00 t" 1)"});
    row("reentrant", "lock:a", {"HSET lock:a worker-7 3", "PEXPIRE lock:a 600000"});
    row("reentrant, two owners", "lock:a", {"HSET lock:a worker-7 3 worker-8 1"});
    row("redisson", "lock:a", {"HSET lock:a " + one + " 2", "PEXPIRE lock:a 30000"});
    row("redisson-fair", "lock:a",
        {"HSET lock:a " + one + " 1", "RPUSH redisson_lock_queue:{lock:a} " + two,
         "ZADD redisson_lock_timeout:{lock:a} " + end + ' ' + two});
    row("redisson-fenced", "lock:a", {"HSET lock:a " + one + " 1", "SET redisson_lock_token:{lock:a} 7"});
    row("a reader", "lock:a", {"HSET lock:a mode read " + one + " 2"});
    row("two readers", "lock:a", {"HSET lock:a mode read " + one + " 2 " + two + " 1"});
    row("a writer", "lock:a", {"HSET lock:a mode write " + one + ":write 1"});
    row("a writer that reads", "lock:a", {"HSET lock:a mode write " + one + ":write 2 " + one + " 1"});
    row("redisson-multi", "lock:a",
        {"HSET lock:a Aq3+/4567890123456789w " + one + " Aq3+/4567890123456789w:" + one + ":expire_time " +
         end + " Aq3+/4567890123456789w:" + one + ":lock_count 2"});
    row("permits", "lock:a",
        {"SET lock:a 3", R"(ZADD {lock:a}:timeout )" + end +
                             R"( "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\xff" )" + end +
                             " 0123456789abcdef"});
    row("handoff", "lock:a", {"HSET lock:a u:1 2", "SET lock:a:handoff:fence 7"});
    row("redis-py, and those like it", "lock:a", {"SET lock:a " + hex4 + " PX 600000"});
    row("celery-once", "qo_tasks.add", {"SET qo_tasks.add " + hex4 + " PX 600000"});
    row("python-redis-lock", "lock:a", {"SET lock:a pZ/XqTvT+sWmaKcRbyBdEf9h PX 600000"});
    row("bullmq", "bull:mail:7:lock",
        {"SET bull:mail:7:lock " + two + " PX 30000", "HSET bull:mail:7 name a"});
    row("bull", "bull:mail:7:lock",
        {"SET bull:mail:7:lock " + uuid + " PX 30000", "HSET bull:mail:7 name a"});
    row("shedlock", "job-lock:a", {"SET job-lock:a ADDED:2025-11-21T20:13:35.123Z@web-1 PX 600000"});
    row("spring-integration", "registry:a", {"SET registry:a " + uuid + " PX 60000"});
    row("laravel", "laravel_cache:lock:a", {"SET laravel_cache:lock:a aB3dE6gH9jK2mN5p PX 60000"});
    row("symfony, two", "lock:a",
        {"ZADD lock:a " + end + " A6ZJqKJvJ0c3hHk0m8sYcQ2a5oZ1xV9wB7uT4rP3nLk=", "PEXPIRE lock:a 30000",
         "ZADD lock:a " + end + " A6ZJqKJvJ0c3hHk0m8sYcQ2a5oZ1xV9wB7uT4rP3nLk= " + end +
             " B6ZJqKJvJ0c3hHk0m8sYcQ2a5oZ1xV9wB7uT4rP3nLk="});
    row("symfony, one who writes", "lock:a",
        {"ZADD lock:a " + end + " A6ZJqKJvJ0c3hHk0m8sYcQ2a5oZ1xV9wB7uT4rP3nLk= " + end + " __write__"});
    row("sidekiq-unique-jobs", "uniquejobs:0123456789abcdef0123456789abcdef:LOCKED",
        {"HSET uniquejobs:0123456789abcdef0123456789abcdef:LOCKED b4a577edbccf1d805744efa9 1763756015.12 "
         "a4a577edbccf1d805744efa9 1763756015.13"});
    row("redsync", "order-lock", {"SET order-lock MTIzNDU2Nzg5MDEyMzQ1Ng== PX 8000"});
    row("bsm-redislock", "lock:a", {"SET lock:a MTIzNDU2Nzg5MDEyMzQ1Ng PX 60000"});
    const QByteArray begun = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
    row("redis-semaphore, two", "semaphore:a",
        {"ZADD semaphore:a " + begun + ' ' + uuid + ' ' + begun + " 8c9e6679-7425-40de-944b-e07fc1f90ae7",
         "PEXPIRE semaphore:a 60000"});
    row("redis-semaphore, a mutex", "mutex:a", {"SET mutex:a " + uuid + " PX 60000"});
    row("madelson", "lock:a", {"SET lock:a host_4711_" + hex4 + " PX 30000"});
    row("madelson, readers", "lock:a.readers",
        {"SADD lock:a.readers host_4711_" + hex4 + " other_4712_" + hex4});
    row("hangfire", "{hangfire}:lock:a", {"SET {hangfire}:lock:a " + uuid + " PX 60000"});
    row("lock4j", "lock4j:a", {"SET lock4j:a " + hex4 + " PX 30000"});
    row("redlock4j", "a:write", {"SET a:write " + hex40 + " PX 30000"});
    row("quartz", "trigger_lock:g:n", {"SET trigger_lock:g:n node-1 PX 30000"});
}

void TestCliListBack::isTakenBack()
{
    QFETCH(const QByteArrayList, before);
    QFETCH(const QByteArray, key);
    m_server.cli({}, before.join('\n'));
    const Ran listed = on({"list", "--json", "--pattern", "*"});
    VERIFY_EXIT(listed, 0);
    QJsonObject lock;
    for (const QJsonValue &value : jsonIn(listed.out)[QLatin1String("locks")].toArray()) {
        if (value[QLatin1String("key")].toString().toUtf8() == key)
            lock = value.toObject();
    }
    QVERIFY2(!lock[QLatin1String("owners")].toArray().isEmpty(), listed.out.constData());
    const bool inBase64 = listed.out.contains("id_base64");
    Words words{"force-expire", inBase64 ? key.toBase64() : key, "--json"};
    if (inBase64)
        words += "--base64";
    const Ran ran = on(words + expectations(lock, inBase64));
    QVERIFY2(ran.exitCode == 0, (reported(ran) + listed.out).constData());
    QCOMPARE(jsonIn(ran.out)[QLatin1String("outcome")].toString(), QStringLiteral("expired"));
    if (redis({"TYPE", key}) != "string") // a semaphore stays: its permits are given back
        QCOMPARE(redis({"EXISTS", key}), "0");
}

void TestCliListBack::otherHoldsAreNot_data()
{
    QTest::addColumn<Words>("before");
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<QString>("outcome");
    QTest::newRow("token") << Words{"SET", "lock:a", "t"} << QByteArray("t")
                           << QStringLiteral("holds-changed");
    QTest::newRow("another token") << Words{"SET", "lock:a", "t"} << QByteArray("u")
                                   << QStringLiteral("owner-changed");
    QTest::newRow("a set") << Words{"SADD", "lock:a.readers", "host_4711_" + hex4} << "host_4711_" + hex4
                           << QStringLiteral("holds-changed");
    QTest::newRow("counted") << Words{"HSET", "lock:a", "t", "1"} << QByteArray("t")
                             << QStringLiteral("holds-changed");
    QTest::newRow("none") << Words{"DEL", "lock:a"} << QByteArray("t") << QStringLiteral("already-gone");
}

void TestCliListBack::otherHoldsAreNot()
{
    QFETCH(const Words, before);
    QFETCH(const QByteArray, owner);
    QFETCH(const QString, outcome);
    redis(before);
    const QByteArray kept = redis({"DBSIZE"});
    const Ran ran = on({"force-expire", before[1], "--expect-owner", owner, "--expect-holds", "2", "--json"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(jsonIn(ran.out)[QLatin1String("outcome")].toString(), outcome);
    QCOMPARE(redis({"DBSIZE"}), kept);
}

void TestCliListBack::anOwnerNamedTwiceIsWrongUsage()
{
    redis({"HSET", "lock:a", "t", "1"});
    const Ran ran = on({"force-expire", "lock:a", "--expect-owner", "t", "--expect-owner", "t", "--json"});
    VERIFY_EXIT(ran, 2);
    QVERIFY2(ran.err.contains("Give each expected owner once"), ran.err.constData());
    QCOMPARE(redis({"EXISTS", "lock:a"}), "1");
}

QTEST_GUILESS_MAIN(TestCliListBack)
#include "tst_clilistback.moc"
