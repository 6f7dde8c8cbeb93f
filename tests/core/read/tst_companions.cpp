// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside a lock, by one look.
#include "core/read/companions.h"

#include "core/family/certainty.h"

#include "core/read/inspector.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/othernodes.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QtTest>

using namespace lockscope;
using namespace std::chrono_literals;

namespace {

const QByteArray anna = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7";
const QByteArray bert = "7c2f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:8";
const QByteArray cleo = "8d3f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:9";

std::unique_ptr<Connection> opened(const ServerAddress &address, bool acceptsPush = false)
{
    auto connection = std::make_unique<Connection>(
        address, Connection::Options{.clientName = "test", .readOnly = true, .acceptsPush = acceptsPush});
    QSignalSpy ready(connection.get(), &Connection::ready);
    connection->open();
    return ready.wait() ? std::move(connection) : nullptr;
}

} // namespace

class TestBesides : public QObject
{
    Q_OBJECT

private:
    void subscribe(Connection &connection, const QByteArrayList &channels)
    {
        for (const QByteArray &channel : channels)
            QVERIFY(waitFor(connection.send({"SUBSCRIBE", channel})));
    }

    /// Reads the lock, then what stands beside it.
    Lock lookAt(Connection &connection, const QByteArray &key)
    {
        const auto read = waitFor(inspector::inspect(connection, LockKey(key)));
        if (!read || !read->lock)
            return {};
        const auto locks = waitFor(companions::inspect(connection, {*read->lock}));
        return locks ? locks->locks.value(0) : Lock();
    }
    Lock lookAt(const QByteArray &key) { return lookAt(*m_connection, key); }

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<Connection> m_connection;
    std::unique_ptr<Connection> m_ears;
    std::unique_ptr<Connection> m_otherEars;

private slots:
    void initTestCase()
    {
        m_server = std::make_unique<RedisServer>();
        m_connection = opened(m_server->socketAddress());
        QVERIFY(m_connection);
    }
    void cleanupTestCase()
    {
        m_connection.reset();
        m_server.reset();
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server->cli({"FLUSHALL"});
        m_ears = opened(m_server->socketAddress(), true);
        m_otherEars = opened(m_server->socketAddress(), true);
        QVERIFY(m_ears && m_otherEars);
    }

    void nothing()
    {
        m_server->cli({"HSET", "a", anna, "1"});
        m_server->cli({"PEXPIRE", "a", "60000"});
        const Lock lock = lookAt("a");
        QCOMPARE(lock.family, "redisson"_family);
        QCOMPARE(lock.companions->waiters.certainty, WaiterCertainty::AtLeast);
        QCOMPARE(lock.companions->waiters.count, 0);
        QVERIFY(lock.companions->implied.isEmpty());
        m_server->cli({"SET", "b", "some token"});
        QVERIFY(!lookAt("b").companions);
    }

    void fairQueue()
    {
        m_server->cli({"HSET", "a", anna, "1"});
        m_server->cli({"RPUSH", "redisson_lock_queue:{a}", bert, cleo});
        m_server->cli({"ZADD", "redisson_lock_timeout:{a}", "1700000000123", bert, "1700000300123", cleo});
        subscribe(*m_ears, {"redisson_lock__channel:{a}:" + cleo});
        const Lock lock = lookAt("a");
        QCOMPARE(lock.family, "redisson-fair"_family);
        const Waiters &waiters = lock.companions->waiters;
        QCOMPARE(waiters.certainty, WaiterCertainty::Exact);
        QCOMPARE(waiters.count, 2);
        const QList<Waiter> expected{{OwnerId(bert), 1700000000123, SubscriptionState::No, false},
                                     {OwnerId(cleo), 1700000300123, SubscriptionState::Yes, false}};
        QCOMPARE(waiters.queue, expected);
    }

    void braceInTheName()
    {
        m_server->cli({"HSET", "a{1}b", anna, "1"});
        m_server->cli({"RPUSH", "redisson_lock_queue:a{1}b", bert});
        subscribe(*m_ears, {"redisson_lock__channel:a{1}b:" + bert});
        const Waiters waiters = lookAt("a{1}b").companions->waiters;
        QCOMPARE(waiters.count, 1);
        QCOMPARE(waiters.queue.value(0).listening, SubscriptionState::Yes);
    }

    void longQueue()
    {
        m_server->cli({"HSET", "a", anna, "1"});
        m_server->cli(
            {"EVAL", "for i = 1, 200 do redis.call('rpush', 'redisson_lock_queue:{a}', 'w' .. i) end", "0"});
        const Waiters waiters = lookAt("a").companions->waiters;
        QCOMPARE(waiters.count, 200);
        QCOMPARE(waiters.queue.size(), Waiters::most);
        QCOMPARE(waiters.queue.last().id, OwnerId("w64"));
        QCOMPARE(waiters.queue.last().listening, SubscriptionState::No);
    }

    /// Two processes, whatever number of threads each has: so many at least.
    void listeners()
    {
        m_server->cli({"HSET", "a", anna, "1"});
        m_server->cli({"HSET", "rw", "mode", "write", anna + ":write", "1"});
        subscribe(*m_ears, {"redisson_lock__channel:{a}", "redisson_rwlock:{rw}"});
        subscribe(*m_otherEars, {"redisson_lock__channel:{a}"});
        const Lock plain = lookAt("a");
        QCOMPARE(plain.family, "redisson"_family);
        QCOMPARE(plain.companions->waiters.certainty, WaiterCertainty::AtLeast);
        QCOMPARE(plain.companions->waiters.count, 2);
        QVERIFY(plain.companions->waiters.queue.isEmpty());
        QCOMPARE(certaintyOf(plain), Certainty::Certain); // which its content alone would not make it
        const Lock both = lookAt("rw");
        QCOMPARE(both.family, "redisson-read-write"_family);
        QCOMPARE(certaintyOf(both), Certainty::Certain);
        QCOMPARE(both.companions->waiters.count, 1);
    }

    void fence()
    {
        m_server->cli({"HSET", "a", anna, "1"});
        m_server->cli({"SET", "redisson_lock_token:{a}", "42"});
        const Lock lock = lookAt("a");
        QCOMPARE(lock.family, "redisson-fenced"_family);
        QCOMPARE(lock.companions->fencingToken, QByteArray("42"));
        // Known to have one, it is asked for at once.
        m_server->cli({"INCR", "redisson_lock_token:{a}"});
        const auto again = waitFor(companions::inspect(*m_connection, {lock}));
        QCOMPARE(again->locks.value(0).companions->fencingToken, QByteArray("43"));
    }

    void handoff()
    {
        m_server->cli({"HSET", "a", "web-1:7", "1"});
        m_server->cli({"RPUSH", "a:handoff:queue", "web-2:7", "web-3:7"});
        m_server->cli({"HSET", "a:handoff:waiters", "web-2:7", "1700000000123 30000", "web-3:7", "x"});
        m_server->cli({"SET", "a:handoff:fence", "9000"});
        subscribe(*m_ears, {"a:handoff:wake:web-2:7"});
        const Lock lock = lookAt("a");
        QCOMPARE(lock.family, "handoff"_family);
        QCOMPARE(lock.companions->fencingToken, QByteArray("9000"));
        const QList<Waiter> expected{{OwnerId("web-2:7"), 1700000000123, SubscriptionState::Yes, false},
                                     {OwnerId("web-3:7"), {}, SubscriptionState::No, false}};
        QCOMPARE(lock.companions->waiters.queue, expected);
        QCOMPARE(lock.companions->waiters.certainty, WaiterCertainty::Exact);
        m_server->cli({"DEL", "a:handoff:queue"});
        const auto empty = waitFor(companions::inspect(*m_connection, {lock}));
        QCOMPARE(empty->locks.value(0).family, "handoff"_family);
        QCOMPARE(empty->locks.value(0).companions->waiters.certainty, WaiterCertainty::Exact);
        QCOMPARE(empty->locks.value(0).companions->waiters.count, 0);
    }

    /// A fenced lock of Redisson's under a name that a hand-off lock had: each is read, again and again.
    void companionsOfTwoLibraries()
    {
        m_server->cli({"HSET", "a", anna, "1"});
        m_server->cli({"PEXPIRE", "a", "60000"});
        m_server->cli({"SET", "redisson_lock_token:{a}", "5"});
        m_server->cli({"SET", "a:handoff:fence", "7"});
        m_server->cli({"HSET", "a:handoff:waiters", "w:1", "99999999999999 30000"});
        m_server->cli({"RPUSH", "a:handoff:queue", "w:1"});
        Lock lock = lookAt("a");
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(lock.companions->waiters.count, 1);
            QCOMPARE(lock.companions->implied.isEmpty(), false);
            const auto again = waitFor(companions::inspect(*m_connection, {lock}));
            QVERIFY(again);
            lock = again->locks.value(0);
        }
    }

    /// Its name says what it is: that the job may not be read hides nothing of who holds or waits.
    void jobThatMayNotBeRead()
    {
        m_server->cli({"SET", "bull:mail:17:lock", "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:3", "PX", "30000"});
        m_server->cli({"ACL", "SETUSER", "locks", "on", ">pw", "~*:lock", "+@all"});
        ServerAddress address = m_server->socketAddress();
        address.user = "locks";
        address.password = "pw";
        const auto connection = opened(address);
        const Lock lock = lookAt(*connection, "bull:mail:17:lock");
        QCOMPARE(lock.family, "bullmq"_family);
        QCOMPARE(lock.companions->unread, Unread::Nothing);
    }

    /// A scheduler's record tells where it runs; nobody waits in it.
    void recordThatMayNotBeRead()
    {
        m_server->cli(
            {"SET", "rq:scheduler-lock:default", "0123456789ab4def8123456789abcdef", "PX", "60000"});
        m_server->cli({"ACL", "SETUSER", "locks", "on", ">pw", "resetkeys", "~*-lock:*", "+@all"});
        ServerAddress address = m_server->socketAddress();
        address.user = "locks";
        address.password = "pw";
        const auto connection = opened(address);
        const Lock lock = lookAt(*connection, "rq:scheduler-lock:default");
        QCOMPARE(lock.family, "rq"_family);
        QCOMPARE(lock.companions->unread, Unread::Nothing);
        QVERIFY(lock.companions->worker.isEmpty());
    }

    /// Its clients may read a stream instead: that nobody listens is no sign that nobody waits.
    void channelThatIsNotAllThatIsListenedTo()
    {
        m_server->cli(
            {"HSET", "a", "2f1c64a0-9d7e-4c55-8a43-0b6c1f2e7d10:77b0c1de-0a64-4f7b-9c1d-5e21c7b0aa42", "1"});
        m_server->cli({"PEXPIRE", "a", "60000"});
        Lock lock = lookAt("a");
        QCOMPARE(lock.family, "node-redisson"_family);
        QCOMPARE(lock.companions->waiters.certainty, WaiterCertainty::Unknown);
        subscribe(*m_ears, {"redisson_lock__channel:{a}"});
        lock = lookAt("a");
        QCOMPARE(lock.companions->waiters.certainty, WaiterCertainty::AtLeast);
        QCOMPARE(lock.companions->waiters.count, 1);
    }

    void job()
    {
        const QByteArray worker = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b";
        m_server->cli({"SET", "bull:mail:17:lock", worker + ":3", "PX", "30000"});
        QVERIFY(lookAt("bull:mail:17:lock").companions->implied.isEmpty());
        m_server->cli({"HSET", "bull:mail:17", "field", "of something else"});
        QVERIFY(lookAt("bull:mail:17:lock").companions->implied.isEmpty());
        // Which other things have, too.
        m_server->cli(
            {"HSET", "bull:mail:17", "name", "big order", "timestamp", "1700000000000", "total", "5"});
        QVERIFY(lookAt("bull:mail:17:lock").companions->implied.isEmpty());
        m_server->cli({"HSET", "bull:mail:17", "data", "{}", "opts", "{\"attempts\":3}"});
        m_server->cli({"HSET", "bull:mail:17", "processedOn", "1700000000123", "pb", "mailer"});
        const Lock lock = lookAt("bull:mail:17:lock");
        QCOMPARE(lock.family, "bullmq"_family);
        QVERIFY(!lock.companions->implied.isEmpty());
        QCOMPARE(lock.companions->startedMs, CompactOptional<qint64>(1700000000123));
        QCOMPARE(lock.companions->worker, QByteArray("mailer"));
        QCOMPARE(lock.companions->waiters.certainty, WaiterCertainty::Unknown);
    }

    void digest()
    {
        const QByteArray digest = "uniquejobs:5f4dcc3b5aa765d61d8327deb882cf99";
        m_server->cli({"HSET", digest + ":LOCKED", "b0ac1d2e3f4a5b6c7d8e9f01", "1700000000.5"});
        m_server->cli({"RPUSH", digest + ":QUEUED", "1", "c0ac1d2e3f4a5b6c7d8e9f02"});
        m_server->cli({"ZADD", "uniquejobs:digests", "1", digest});
        const Lock lock = lookAt(digest + ":LOCKED");
        QCOMPARE(lock.family, "sidekiq-unique-jobs"_family);
        QVERIFY(!lock.companions->implied.isEmpty());
        QCOMPARE(lock.companions->waiters.certainty, WaiterCertainty::Exact);
        QCOMPARE(lock.companions->waiters.count, 1); // the "1" wakes, it does not wait
        QCOMPARE(lock.companions->waiters.queue.value(0).id, OwnerId("c0ac1d2e3f4a5b6c7d8e9f02"));
        QVERIFY(!lock.companions->facts);
        QCOMPARE(lock.owners.first().recorded->sinceMs, CompactOptional<qint64>(1'700'000'000'500));
    }

    /// What a job is, where its application keeps that; beside the lock or in it.
    void infoOfADigest()
    {
        const QByteArray digest = "uniquejobs:5f4dcc3b5aa765d61d8327deb882cf99";
        const QByteArray info =
            "{\"worker\":\"ReportJob\",\"queue\":\"low\",\"lock_args\":[\"x\"],\"time\":1700000000.25}";
        m_server->cli({"HSET", digest + ":LOCKED", "b0ac1d2e3f4a5b6c7d8e9f01", "1700000000.5"});
        m_server->cli({"SET", digest + ":INFO", info});
        const OwnerFacts companions = *lookAt(digest + ":LOCKED").companions->facts;
        QCOMPARE(companions.jobClass, QByteArray("ReportJob"));
        QCOMPARE(companions.queue, QByteArray("low"));
        QVERIFY(!companions.sinceMs); // it was asked for then
        m_server->cli({"SET", digest + ":INFO", QByteArray(5000, '{')});
        QVERIFY(!lookAt(digest + ":LOCKED").companions->facts);
        m_server->cli({"DEL", digest + ":INFO"});
        m_server->cli({"LPUSH", digest + ":INFO", "of another type"});
        QVERIFY(!lookAt(digest + ":LOCKED").companions->facts);
        m_server->cli({"HSET", digest + ":LOCKED", "b0ac1d2e3f4a5b6c7d8e9f01", info});
        const OwnerFacts inside = *lookAt(digest + ":LOCKED").owners.first().recorded;
        QCOMPARE(inside.jobClass, QByteArray("ReportJob"));
        QCOMPARE(inside.sinceMs, CompactOptional<qint64>(1'700'000'000'250));
    }

    /// A bare number is nothing in particular until somebody listens to it.
    void counters()
    {
        m_server->cli({"MSET", "s", "3", "l", "2", "n", "1", "p", "4"});
        m_server->cli({"ZADD", "{p}:timeout", "1", "0123456789abcdef"});
        subscribe(*m_ears, {"redisson_sc:{s}", "redisson_countdownlatch__channel__{l}"});
        QCOMPARE(lookAt("s").family, "redisson-semaphore"_family);
        QCOMPARE(lookAt("s").companions->waiters.count, 1);
        QCOMPARE(lookAt("l").family, "redisson-latch"_family);
        QCOMPARE(lookAt("p").family, "redisson-semaphore"_family);
        QCOMPARE(lookAt("p").owners.value(0).owner, OwnerId("0123456789abcdef"));
        QCOMPARE(lookAt("p").companions->freePermits, QByteArray("4"));
        QCOMPARE(lookAt("p").companions->permits.value(0).expiresAtMs, CompactOptional<qint64>(1));
        m_server->cli({"ZADD", "{p}:timeout", "922337203685477", "0123456789abcdef"});
        QVERIFY(!lookAt("p").companions->permits.value(0).expiresAtMs);
        m_server->cli({"SET", "p", "-2"}); // permits were taken away while others were out
        QCOMPARE(lookAt("p").family, "redisson-semaphore"_family);
        QCOMPARE(lookAt("p").companions->freePermits, QByteArray("-2"));
        QCOMPARE(lookAt("p").companions->waiters.certainty,
                 WaiterCertainty::AtLeast); // nobody, as far as is seen
        QCOMPARE(lookAt("s").owners.value(0).owner, OwnerId("3"));
        QCOMPARE(lookAt("n").family, "unknown"_family); // a counter of anything
        m_server->cli({"ZADD", "{n}:timeout", "1", "0123456789abcdef", "2", "of another program"});
        QCOMPARE(lookAt("n").family, "unknown"_family);
        QVERIFY(isHidden(lookAt("n")));
        QVERIFY(!(lookAt("n").problems & Problem::NoExpiry));
        QVERIFY(!(lookAt("s").problems & Problem::NoExpiry));
    }

    void manyPermits()
    {
        m_server->cli({"SET", "s", "0"});
        m_server->cli(
            {"EVAL", "for i = 1, 100 do redis.call('zadd', '{s}:timeout', i, string.format('%016d', i)) end",
             "0"});
        const Lock lock = lookAt("s");
        QCOMPARE(lock.owners.size(), Waiters::most);
        QVERIFY(lock.problems & Problem::TooBig);
    }

    /// It stands where the next writer's hold will; others may poll, so it is one at least.
    void waitingWriter()
    {
        const QByteArray reader = "web_4711_0123456789ab4def8123456789abcdef";
        const QByteArray writer = "db_12_00112233445546778899aabbccddeeff_WRITERWAITING";
        m_server->cli({"SADD", "a.readers", reader});
        QCOMPARE(lookAt("a.readers").companions->waiters.certainty, WaiterCertainty::Unknown);
        m_server->cli({"SET", "a.writer", writer});
        const Waiters waiters = lookAt("a.readers").companions->waiters;
        QCOMPARE(waiters.certainty, WaiterCertainty::AtLeast);
        QCOMPARE(waiters.count, 1);
        QCOMPARE(waiters.queue.value(0).id, OwnerId(writer));
        m_server->cli({"SET", "a.writer", "a word"});
        QCOMPARE(lookAt("a.readers").companions->waiters.count, 0);
    }

    void otherTypes()
    {
        m_server->cli({"HSET", "a", anna, "1"});
        m_server->cli({"SET", "redisson_lock_queue:{a}", "no list"});
        m_server->cli({"LPUSH", "redisson_lock_timeout:{a}", "no set"});
        m_server->cli({"LPUSH", "redisson_lock_token:{a}", "no string"});
        m_server->cli({"SET", "a:handoff:queue", "no list"});
        m_server->cli({"PEXPIRE", "a", "60000"});
        const Lock lock = lookAt("a");
        QCOMPARE(lock.family, "redisson"_family);
        QCOMPARE(lock.companions->waiters.certainty, WaiterCertainty::AtLeast);
    }

    /// More than one batch, more than one round of each.
    void many()
    {
        m_server->cli({"EVAL",
                       "for i = 1, 1200 do redis.call('hset', 'k' .. i, ARGV[1], 1) if i % 3 == 0 then "
                       "redis.call('rpush', 'redisson_lock_queue:{k' .. i .. '}', ARGV[2], ARGV[3]) end end",
                       "0", anna, bert, cleo});
        QList<Lock> locks;
        for (int i = 1; i <= 1200; ++i) {
            Lock lock;
            lock.address.key = LockKey("k" + QByteArray::number(i));
            lock.family = "redisson"_family;
            lock.type = KeyType::Hash;
            locks.append(lock);
        }
        const auto found = waitFor(companions::inspect(*m_connection, locks));
        QVERIFY(found);
        QCOMPARE(found->locks.size(), 1200);
        for (int i = 1; i <= 1200; ++i) {
            const Lock &lock = found->locks.at(i - 1);
            QCOMPARE(lock.key().bytes, "k" + QByteArray::number(i));
            QCOMPARE(lock.family, i % 3 == 0 ? "redisson-fair"_family : "redisson"_family);
            QCOMPARE(lock.companions->waiters.count, i % 3 == 0 ? 2 : 0);
            if (i % 3 == 0)
                QCOMPARE(lock.companions->waiters.queue.last().listening, SubscriptionState::No);
        }
    }

    /// Where waiters may subscribe to other servers, nobody is silent; servers come while a connection stands.
    void silenceBesideOthers()
    {
        const auto queued = [this](Connection &connection, const RedisServer &server) {
            server.cli({"HSET", "{a}", anna, "1"});
            server.cli({"RPUSH", "redisson_lock_queue:{a}", bert});
            return lookAt(connection, "{a}").companions->waiters;
        };
        const RedisServer master(masterSettings());
        const auto connection = opened(master.socketAddress());
        QCOMPARE(queued(*connection, master).queue.value(0).listening, SubscriptionState::No);
        QCOMPARE(queued(*connection, master).silence, NoSubscribersMeaning::Proves);
        const RedisServer replica(replicaSettings(master));
        QVERIFY(isInStep(replica));
        const Waiters besideReplica = queued(*connection, master);
        QCOMPARE(besideReplica.queue.value(0).listening, SubscriptionState::NotHeard);
        QCOMPARE(besideReplica.silence, NoSubscribersMeaning::Replicas);
        const auto ofReplica = opened(replica.socketAddress());
        QCOMPARE(lookAt(*ofReplica, "{a}").companions->waiters.silence, NoSubscribersMeaning::IsReplica);

        const RedisServer node(nodeSettings());
        const RedisServer other(nodeSettings());
        QVERIFY(makeCluster(node, other));
        const auto ofNode = opened(node.socketAddress());
        QCOMPARE(queued(*ofNode, node).queue.value(0).listening, SubscriptionState::NotHeard);
        QCOMPARE(queued(*ofNode, node).silence, NoSubscribersMeaning::OtherNodes);

        m_server->cli({"ACL", "SETUSER", "noinfo", "on", ">pw", "~*", "&*", "+@all", "-info"});
        ServerAddress address = m_server->socketAddress();
        address.user = "noinfo";
        address.password = "pw";
        const auto blind = opened(address);
        QCOMPARE(queued(*blind, *m_server).queue.value(0).listening, SubscriptionState::NotHeard);
        QCOMPARE(queued(*blind, *m_server).silence, NoSubscribersMeaning::Unknown);
    }

    void notPermitted()
    {
        m_server->cli({"HSET", "app:a", anna, "1"});
        m_server->cli({"PEXPIRE", "app:a", "60000"});
        m_server->cli({"RPUSH", "redisson_lock_queue:{app:a}", bert});
        m_server->cli({"ACL", "SETUSER", "some", "on", ">pw", "~app:*", "~redisson*", "+@all", "-pubsub"});
        m_server->cli({"ACL", "SETUSER", "few", "on", ">pw", "~app:*", "+@all"});
        m_server->cli({"ACL", "SETUSER", "none", "on", ">pw", "~*", "+@all", "-exists", "-pubsub"});
        const auto as = [&](const QByteArray &user) {
            ServerAddress address = m_server->socketAddress();
            address.user = user;
            address.password = "pw";
            return opened(address);
        };
        const auto some = as("some");
        const Lock deaf = lookAt(*some, "app:a");
        QCOMPARE(deaf.family, "redisson-fair"_family);
        QCOMPARE(deaf.companions->waiters.certainty, WaiterCertainty::Exact);
        QCOMPARE(deaf.companions->waiters.queue.value(0).listening, SubscriptionState::Unknown);
        const auto few = as("few");
        // That nobody listens says nothing where a queue may stand there.
        QCOMPARE(lookAt(*few, "app:a").companions->waiters.certainty, WaiterCertainty::Unknown);
        QCOMPARE(lookAt(*few, "app:a").companions->unread, Unread::Kind);
        QCOMPARE(deaf.companions->unread, Unread::Nothing);
        const auto none = as("none");
        const Lock blind = lookAt(*none, "app:a");
        QCOMPARE(blind.family, "redisson"_family);
        QCOMPARE(blind.companions->waiters.certainty, WaiterCertainty::Unknown);
        QCOMPARE(blind.companions->unread, Unread::Kind);
        const auto seen = waitFor(companions::inspect(*few, {blind}));
        QCOMPARE(seen->forbidden.size(), 1);
        QCOMPARE(seen->forbidden[0].patterns, QList<QByteArray>{"redisson_lock_*"});
    }

    void lostConnection()
    {
        const auto connection = opened(m_server->socketAddress());
        m_server->cli({"HSET", "a", anna, "1"});
        const auto read = waitFor(inspector::inspect(*connection, LockKey("a")));
        auto looked = companions::inspect(*connection, {*read->lock});
        connection->close();
        const auto locks = waitFor(looked);
        QVERIFY(!locks);
        QVERIFY(!waitFor(companions::inspect(*connection, {*read->lock})));
        QVERIFY(waitFor(companions::inspect(*connection, {}))); // nothing to ask
    }
};

QTEST_GUILESS_MAIN(TestBesides)
#include "tst_companions.moc"
