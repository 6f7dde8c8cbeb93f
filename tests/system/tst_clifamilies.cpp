// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/connection.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QProcess>
#include <QtTest>

#include <optional>

using namespace lockscope;

namespace {

const QByteArray client = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const QByteArray owner = client + ":12";
const QByteArray first = client + ":13";
const QByteArray second = "11111111-2222-4333-8444-555555555555:7";

} // namespace

/// What the terminal says of locks beyond the plain ones, and does with them.
class TestCliFamilies : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_cli.emplace();
        redis({"FLUSHALL"});
    }
    void cleanup() { m_cli.reset(); }

    void tellsWhoWaits();
    void explains();
    void explainsWhatItCantKnow();
    void removesADeadWaiter();
    void wakesAnOrphanedQueue();
    void findsTheQueueOfALockThatIsGone();
    void endsOneReaderAlone();
    void endsARecord();
    void tellsOfAStalledJob();
    void acquiresNoJob();
    void searches();
    void findsTheClientBehind();

private:
    Ran on(const QByteArrayList &arguments) { return CliProgram::on(m_server, arguments); }
    QByteArray redis(const QByteArrayList &arguments) { return m_server.cli(arguments); }
    /// As Redisson stores a fair lock with two that wait.
    void fairLock()
    {
        redis({"HSET", "order:77", owner, "2"});
        redis({"PEXPIRE", "order:77", "30000"});
        redis({"RPUSH", "redisson_lock_queue:{order:77}", first, second});
        redis(
            {"ZADD", "redisson_lock_timeout:{order:77}", "99999999999999", first, "99999999999999", second});
    }

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestCliFamilies::tellsWhoWaits()
{
    fairLock();
    for (const QByteArrayList &verb : {QByteArrayList{"list", "--pattern", "order:*"}, {"get", "order:77"}}) {
        const Ran ran = on(verb + QByteArrayList{"--json"});
        VERIFY_EXIT(ran, 0);
        const QJsonObject document = jsonIn(ran.out);
        const QJsonObject lock = verb[0] == "get" ? document : document[QLatin1String("locks")][0].toObject();
        QCOMPARE(lock[QLatin1String("family")].toString(), QStringLiteral("redisson-fair"));
        const QJsonObject waiters = lock[QLatin1String("waiters")].toObject();
        QCOMPARE(waiters[QLatin1String("count")].toInt(), 2);
        QCOMPARE(waiters[QLatin1String("certainty")].toString(), QStringLiteral("exact"));
        const QJsonArray ids{QString::fromLatin1(first), QString::fromLatin1(second)};
        QCOMPARE(waiters[QLatin1String("ids")].toArray(), ids);
    }
}

void TestCliFamilies::explains()
{
    fairLock();
    const Ran ran = on({"get", "order:77", "--explain"});
    VERIFY_EXIT(ran, 0);
    for (const QByteArray &part :
         {QByteArray("redisson-fair"), owner, QByteArray("hold count 2"), "1. " + first, "2. " + second,
          QByteArray("Waiters: 2, in queue order"), QByteArray("Held since: unknown."),
          QByteArray("Deadlock: unknown."), QByteArray("Effects of force-expire:")})
        QVERIFY2(ran.out.contains(part), (part + " is missing in:\n" + ran.out).constData());
    const Ran json = on({"get", "order:77", "--explain", "--json"});
    VERIFY_EXIT(json, 0);
    QVERIFY(jsonIn(json.out)[QLatin1String("explanation")].toArray().size() > 5);
}

void TestCliFamilies::explainsWhatItCantKnow()
{
    redis({"SET", "lock:a", "5f0c8b1e-9d3a-4c55-9b57-0d2f6c1f7a11", "PX", "30000"});
    const Ran ran = on({"get", "lock:a", "--explain"});
    VERIFY_EXIT(ran, 0);
    QVERIFY2(ran.out.contains("Candidates: ") && ran.out.contains("Waiters: unknown.") &&
                 !ran.out.contains("Deadlock"),
             ran.out.constData());
    const Ran json = on({"get", "lock:a", "--json"});
    QVERIFY(!jsonIn(json.out).contains(QLatin1String("waiters")));
    QVERIFY(jsonIn(json.out)[QLatin1String("candidates")].toArray().size() > 0);
}

void TestCliFamilies::removesADeadWaiter()
{
    fairLock();
    Ran ran = on({"remove-waiter", "order:77", "--waiter", first, "--json"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(jsonIn(ran.out)[QLatin1String("outcome")].toString(), QStringLiteral("removed"));
    QCOMPARE(redis({"LRANGE", "redisson_lock_queue:{order:77}", "0", "-1"}), second);
    QCOMPARE(redis({"ZCARD", "redisson_lock_timeout:{order:77}"}), "1");
    ran = on({"remove-waiter", "order:77", "--waiter", first, "--json"});
    VERIFY_EXIT(ran, 1);
    QCOMPARE(jsonIn(ran.out)[QLatin1String("outcome")].toString(), QStringLiteral("not-waiting"));
    VERIFY_EXIT(on({"remove-waiter", "order:77"}), 2);
}

void TestCliFamilies::wakesAnOrphanedQueue()
{
    const QByteArrayList wake{"wake", "order:77", "--json"};
    const auto outcome = [](const Ran &ran) { return jsonIn(ran.out)[QLatin1String("outcome")].toString(); };
    VERIFY_EXIT(on({"wake"}), 2);
    Ran ran = on(wake);
    VERIFY_EXIT(ran, 1);
    QCOMPARE(outcome(ran), QStringLiteral("not-waiting"));
    fairLock();
    ran = on(wake);
    VERIFY_EXIT(ran, 1);
    QCOMPARE(outcome(ran), QStringLiteral("held-by-other"));
    redis({"DEL", "order:77"});
    ran = on({"wake", "order:77"});
    VERIFY_EXIT(ran, 1);
    QVERIFY2(ran.out.contains("is not subscribed here") && ran.out.contains("remove-waiter") &&
                 ran.out.contains("first in the queue: " + first),
             ran.out.constData());
    VERIFY_EXIT(on({"--read-only", "wake", "order:77"}), 4);
    VERIFY_EXIT(on({"--environment", "production", "wake", "order:77"}), 4);

    QProcess waiter;
    const QByteArray channel = "redisson_lock__channel:{order:77}:" + first;
    waiter.start(QStringLiteral("redis-cli"), {QStringLiteral("-s"), m_server.socketPath(),
                                               QStringLiteral("subscribe"), QString::fromUtf8(channel)});
    QTRY_VERIFY(redis({"PUBSUB", "CHANNELS"}).contains(channel));
    for (const QByteArrayList &family : {QByteArrayList(), QByteArrayList{"--family", "redisson-fair"}}) {
        ran = on(wake + family + QByteArrayList{"--environment", "production", "--confirm", "order:77"});
        VERIFY_EXIT(ran, 0);
        QCOMPARE(outcome(ran), QStringLiteral("woken"));
        const QJsonObject done = m_cli->auditRecords().last();
        QCOMPARE(done[QLatin1String("outcome")].toString(), QStringLiteral("woken"));
    }
    QByteArray heard;
    QTRY_VERIFY((heard += waiter.readAllStandardOutput()).count("\nmessage\n") == 2);
    waiter.kill();
    waiter.waitForFinished();
    QCOMPARE(redis({"LLEN", "redisson_lock_queue:{order:77}"}), "2");
}

/// Its key says nothing of the family, so its queue does.
void TestCliFamilies::findsTheQueueOfALockThatIsGone()
{
    fairLock();
    redis({"DEL", "order:77"});
    VERIFY_EXIT(on({"remove-waiter", "order:77", "--waiter", first}), 0);
    QCOMPARE(redis({"LRANGE", "redisson_lock_queue:{order:77}", "0", "-1"}), second);
    redis({"RPUSH", "a:handoff:queue", "w"});
    redis({"HSET", "a:handoff:waiters", "w", "9000000000000 30000"});
    VERIFY_EXIT(on({"remove-waiter", "a", "--waiter", "w"}), 0);
    QCOMPARE(redis({"EXISTS", "a:handoff:queue"}), "0");
}

void TestCliFamilies::endsOneReaderAlone()
{
    redis({"HSET", "book", "mode", "read", owner, "1", second, "2"});
    redis({"PEXPIRE", "book", "30000"});
    for (const QByteArray &each :
         {owner + ":rwlock_timeout:1", second + ":rwlock_timeout:1", second + ":rwlock_timeout:2"})
        redis({"SET", "{book}:" + each, "1", "PX", "30000"});
    const Ran got = on({"get", "book", "--json"});
    QCOMPARE(jsonIn(got.out)[QLatin1String("family")].toString(), QStringLiteral("redisson-read-write"));
    QCOMPARE(jsonIn(got.out)[QLatin1String("owners")][0][QLatin1String("mode")].toString(),
             QStringLiteral("read"));
    const Ran refused = on({"force-expire", "book", "--expect-owner", owner, "--json"});
    VERIFY_EXIT(refused, 1); // there is another
    QCOMPARE(jsonIn(refused.out)[QLatin1String("outcome")].toString(), QStringLiteral("owner-changed"));
    const Ran ran = on({"force-expire", "book", "--expect-owner", owner, "--only", "--json"});
    VERIFY_EXIT(ran, 0);
    QCOMPARE(redis({"HGETALL", "book"}), "mode\nread\n" + second + "\n2");
    QCOMPARE(redis({"EXISTS", "{book}:" + owner + ":rwlock_timeout:1"}), "0");
}

/// Whoever names its owner names the value of a field, which is no count.
void TestCliFamilies::endsARecord()
{
    const QByteArray session = "sess_0123456789abcdef0123456789";
    const QByteArray acquirer = "rql:acq:4711/2340/2360/2280/0123456789abcdef";
    redis({"HSET", session, "lock", "2", "pid", "web-1|4711", "data", "d"});
    redis({"HSET", "rql:lock:payment", "acq_id", acquirer, "hst_id",
           "rql:hst:4711/2340/2280/0123456789abcdef", "ts", "1795737599.5"});
    redis({"HSET", "lockf7", "7_0F", "R", "8_0F", "R"});
    for (const char *index : {"locked7", "locked8"})
        redis({"SADD", index, "lockf7", "lockf8"});
    VERIFY_EXIT(on({"force-expire", session, "--expect-owner", "web-2|1"}), 1);
    VERIFY_EXIT(on({"force-expire", session, "--expect-owner", "web-1|4711", "--grace", "5"}), 2);
    VERIFY_EXIT(on({"force-expire", session, "--expect-owner", "web-1|4711"}), 0);
    QCOMPARE(redis({"HMGET", session, "lock", "pid", "data"}), "0\nweb-1|4711\nd");
    VERIFY_EXIT(on({"force-expire", "rql:lock:payment", "--expect-owner", acquirer}), 0);
    VERIFY_EXIT(on({"force-expire", "lockf7", "--expect-owner", "7_0F", "--expect-owner", "8_0F"}), 0);
    QCOMPARE(redis({"SUNION", "locked7", "locked8"}), "lockf8"); // as the library's own release does
    QCOMPARE(redis({"EXISTS", "rql:lock:payment", "lockf7"}), "0");
}

void TestCliFamilies::tellsOfAStalledJob()
{
    redis({"RPUSH", "bull:mail:active", "6", "7"});
    const QByteArray stalled = "no lock at bull:mail:7:lock; but its job is still in bull:mail:active";
    Ran ran = on({"get", "bull:mail:7:lock", "--read-only"});
    VERIFY_EXIT(ran, 1);
    QVERIFY2(ran.err.contains(stalled), ran.err.constData());
    ran = on({"get", "bull:mail:8:lock"});
    VERIFY_EXIT(ran, 1);
    QVERIFY2(!ran.err.contains("active"), ran.err.constData());
    redis({"DEL", "bull:mail:active"});
}

void TestCliFamilies::acquiresNoJob()
{
    const Ran ran =
        on({"acquire", "bull:mail:7:lock", "--owner", "me", "--lease", "30", "--family", "bullmq"});
    VERIFY_EXIT(ran, 2);
    QVERIFY2(ran.err.contains("job"), ran.err.constData());
    QCOMPARE(redis({"DBSIZE"}), "0");
}

void TestCliFamilies::searches()
{
    fairLock();
    redis({"HSET", "order:78", second, "1"});
    redis({"PEXPIRE", "order:78", "30000"});
    redis({"SET", "order:79", "no lock"});
    redis({"SET", "import:5", "web-1:4242", "PX", "30000"});
    const Ran ran = on({"search", "--json"});
    VERIFY_EXIT(ran, 0);
    const QJsonObject document = jsonIn(ran.out);
    QVERIFY(document[QLatin1String("complete")].toBool());
    QCOMPARE(document[QLatin1String("keys_scanned")].toInt(), 6);
    QCOMPARE(document[QLatin1String("ambiguous")][0][QLatin1String("key")].toString(),
             QStringLiteral("import:5")); // it says who holds it
    QCOMPARE(document[QLatin1String("locks")].toArray().size(), 1);
    QCOMPARE(document[QLatin1String("likely")].toArray().size(), 1); // its shape alone
    QCOMPARE(document[QLatin1String("patterns")][0][QLatin1String("pattern")].toString(),
             QStringLiteral("order:*"));
    QCOMPARE(document[QLatin1String("patterns")][0][QLatin1String("locks")].toInt(), 2);
    const Ran text = on({"search"});
    VERIFY_EXIT(text, 0);
    QVERIFY2(text.out.contains("order:*") && text.out.contains("order:78"), text.out.constData());
    const Ran hint = on({"list", "--json"});
    VERIFY_EXIT(hint, 0);
    const QByteArray hinted = QJsonDocument(jsonIn(hint.out)[QLatin1String("outside")].toObject()).toJson();
    QVERIFY2(hinted.contains("import:*") && !hinted.contains("order:*"), hinted.constData());
    QVERIFY(hint.out.contains("\"order:78\"") && !hint.out.contains("\"order:79\"")); // by what was read
}

void TestCliFamilies::findsTheClientBehind()
{
    fairLock();
    // By TCP: over a Unix socket all clients have the same address.
    Connection holder(m_server.tcpAddress(), {.clientName = "order-service-3"});
    QSignalSpy ready(&holder, &Connection::ready);
    holder.open();
    QVERIFY(ready.wait());
    QTimer renewing;
    connect(&renewing, &QTimer::timeout, this, [&holder] {
        holder.send(
            {"EVAL", "return redis.call('pexpire', KEYS[1], ARGV[1])", "1", "order:77", "30000", owner});
    });
    renewing.start(50);
    const Ran ran = CliProgram::companions(
        {"-s", QFile::encodeName(m_server.socketPath()), "who", "order:77", "--duration", "0.6", "--json"});
    VERIFY_EXIT(ran, 0);
    const QJsonValue found = jsonIn(ran.out)[QLatin1String("clients")][0];
    QCOMPARE(found[QLatin1String("name")].toString(), QStringLiteral("order-service-3"));
    QCOMPARE(found[QLatin1String("id")].toString(), QString::fromLatin1(owner));
    QVERIFY(found[QLatin1String("holds")].toBool());
    const Ran nothing = on({"who", "absent"});
    VERIFY_EXIT(nothing, 1);
}

QTEST_GUILESS_MAIN(TestCliFamilies)
#include "tst_clifamilies.moc"
