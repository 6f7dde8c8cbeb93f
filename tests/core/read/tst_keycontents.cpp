// SPDX-License-Identifier: GPL-3.0-or-later
// What is stored of a lock, read from real servers.
#include "core/read/keycontents.h"

#include "core/monitor/session.h"
#include "core/read/contenttext.h"
#include "tests/support/familyliteral.h"
#include "tests/support/futures.h"
#include "tests/support/login.h"
#include "tests/support/rediscluster.h"
#include "tests/support/redlockgroup.h"

#include <QtTest>

using namespace lockscope;
using Type = StoredKey::Type;

namespace {

const QByteArray owner = "6b1f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:7";
const QByteArray waiter = "7c2f8a52-0c1d-4e5f-8a9b-0c1d2e3f4a5b:8";

Lock lockOf(const QByteArray &key, Family family = "redisson"_family)
{
    Lock lock;
    lock.address.key = LockKey(key);
    lock.family = family;
    lock.type = KeyType::Hash;
    lock.owners = {{OwnerId(owner), "1", 1}};
    return lock;
}

} // namespace

class KeyContentsTest : public QObject
{
    Q_OBJECT

private:
    Result<LockContents> read(const ServerAddress &address, const Lock &lock)
    {
        return waitFor(LockContentsReading::start(address, lock, this));
    }
    StoredKey readKey(const QByteArray &key)
    {
        const auto contents = read(m_server.socketAddress(), lockOf(key));
        return contents ? contents->keys.first() : StoredKey();
    }

    RedisServer m_server;

private slots:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.cli({"FLUSHALL"});
    }

    void everyType()
    {
        m_server.cli({"HSET", "hash", owner, "2"});
        m_server.cli({"PEXPIRE", "hash", "600000"});
        m_server.cli({"SET", "string", "{\"a\":1}"});
        m_server.cli({"RPUSH", "list", "a", "b"});
        m_server.cli({"SADD", "set", "x"});
        m_server.cli({"ZADD", "zset", "1.5", "m"});
        m_server.cli({"XADD", "stream", "*", "f", "v"});
        const StoredKey hash = readKey("hash");
        QVERIFY(hash.type == Type::Hash && hash.isTtlKnown && !hash.hasMore && !hash.error);
        QVERIFY(hash.ttl && *hash.ttl > milliseconds(0) && *hash.ttl <= milliseconds(600'000));
        QCOMPARE(plainText(hash), QString::fromLatin1(owner + ": 2"));
        const StoredKey string = readKey("string");
        QVERIFY(string.type == Type::String && string.isTtlKnown && !string.ttl);
        QCOMPARE(jsonText(string), QStringLiteral("{\n    \"a\": 1\n}"));
        QCOMPARE(plainText(readKey("list")), QStringLiteral("a\nb"));
        QCOMPARE(plainText(readKey("set")), QStringLiteral("x"));
        QCOMPARE(plainText(readKey("zset")), QStringLiteral("m: 1.5"));
        const StoredKey stream = readKey("stream");
        QVERIFY(stream.type == Type::Other && !stream.error);
        QCOMPARE(stream.typeName, "stream");
        QVERIFY(readKey("gone").type == Type::Absent);
    }

    /// Binary names and values come back as they are.
    void bytesAreBytes()
    {
        const QByteArray key("lock:\xff\n\0x", 9), value("\0\x80\r\n", 4);
        m_server.cli({"-x", "SET", "tmp"}, value);
        m_server.cli(
            {"EVAL", "redis.call('SET', KEYS[1] .. '\\255\\n\\0x', redis.call('GET', 'tmp'))", "1", "lock:"});
        const StoredKey content = readKey(key);
        QCOMPARE(content.type, Type::String);
        QCOMPARE(content.text, value);
    }

    /// Nothing is read without a bound, however much there is.
    void hugeValuesAreCut()
    {
        m_server.cli({"SETRANGE", "string", "30000000", "x"});
        m_server.cli({"EVAL",
                      "for i = 1, 2000 do redis.call('HSET', 'hash', 'field' .. i, i) "
                      "redis.call('RPUSH', 'list', i) redis.call('ZADD', 'zset', i, i) "
                      "redis.call('SADD', 'set', 'm' .. i) end "
                      "redis.call('RPUSH', 'wide', string.rep('x', 100000))",
                      "0"});
        const StoredKey string = readKey("string");
        QVERIFY(string.hasMore);
        QCOMPARE(string.text.size(), LockContentsReading::maxBytes);
        for (const char *key : {"hash", "list", "zset", "set"}) {
            const StoredKey content = readKey(key);
            QVERIFY2(content.hasMore && !content.areElementsCut, key);
            QCOMPARE(content.elements.size(), LockContentsReading::maxElements);
        }
        const StoredKey wide = readKey("wide");
        QVERIFY(!wide.hasMore && wide.areElementsCut);
        QCOMPARE(wide.elements.first().first.size(), LockContentsReading::maxBytes);
    }

    /// An element that no reply may be as long as ends this connection, and says so: the types are known all the same.
    void anEnormousElementIsAnError()
    {
        m_server.cli({"EVAL", "redis.call('RPUSH', 'list', string.rep('x', 20000000))", "0"});
        const auto contents = read(m_server.socketAddress(), lockOf("list"));
        QVERIFY(contents);
        QVERIFY(contents->keys.first().type == Type::List);
        QVERIFY(contents->keys.first().error);
        QVERIFY(contents->keys.first().error->kind == ErrorKind::ProtocolError);
    }

    /// Also where other servers of a group are still there: nobody waits for a word that does not come.
    void aMemberOfAGroupThatIsLostIsAnError()
    {
        RedlockGroup group;
        group.server(1).cli({"EVAL", "redis.call('RPUSH', 'list', string.rep('x', 20000000))", "0"});
        Lock lock = lockOf("list");
        auto *quorum = new Quorum; // NOLINT(cppcoreguidelines-owning-memory): the pointer below
        quorum->shownMember = 1;
        lock.quorum = QuorumPtr(quorum);
        const auto contents = read(group.address(), lock);
        QVERIFY(contents);
        QVERIFY(contents->keys.first().type == Type::List);
        QVERIFY(contents->keys.first().error);
        QVERIFY(contents->keys.first().error->kind == ErrorKind::ProtocolError);
    }

    void companionsAndChannels()
    {
        Lock lock = lockOf("job", "redisson-fair"_family);
        CompanionState companions;
        companions.implied.insert("redisson-fair"_family);
        companions.waiters.queue = {{OwnerId(waiter), {}, SubscriptionState::Unknown, false}};
        lock.companions = CompanionStatePtr(companions);
        m_server.cli({"HSET", "job", owner, "1"});
        m_server.cli({"RPUSH", "redisson_lock_queue:{job}", waiter});
        m_server.cli({"ZADD", "redisson_lock_timeout:{job}", "99999999999999", waiter});
        const auto contents = read(m_server.socketAddress(), lock);
        QVERIFY(contents);
        QByteArrayList keys;
        for (const StoredKey &content : contents->keys)
            keys.append(content.key);
        QCOMPARE(keys, (QByteArrayList{"job", "redisson_lock_queue:{job}", "redisson_lock_timeout:{job}"}));
        QVERIFY(contents->keys[1].type == Type::List && contents->keys[2].type == Type::SortedSet);
        QCOMPARE(contents->keys[1].elements.first().first, waiter);
        QCOMPARE(contents->channels.size(), 2);
        QVERIFY(contents->channels[1].channel.endsWith(waiter));
        QVERIFY(contents->channels[0].subscribers && *contents->channels[0].subscribers == 0);
    }

    /// Of a handoff lock all three are named, whether anybody waits or not; of a plain lock none.
    void companionKeysAreTheFamilys()
    {
        const auto contents = read(m_server.socketAddress(), lockOf("a", "handoff"_family));
        QVERIFY(contents);
        QCOMPARE(contents->keys.size(), 4);
        QCOMPARE(contents->keys[1].key, "a:handoff:fence");
        QVERIFY(contents->keys[1].type == Type::Absent);
        QCOMPARE(read(m_server.socketAddress(), lockOf("a", "token"_family))->keys.size(), 1);
    }

    /// A refusal is told of the key that it is about, and of nothing else.
    void refusalsAreTold()
    {
        m_server.cli({"HSET", "lock:a", owner, "1"});
        m_server.cli({"RPUSH", "redisson_lock_queue:{lock:a}", waiter});
        Login login(m_server, {"~lock:*"});
        Lock lock = lockOf("lock:a", "redisson-fair"_family);
        auto contents = read(login.address(), lock);
        QVERIFY(contents);
        QVERIFY(!contents->keys[0].error);
        QVERIFY(contents->keys[1].error && contents->keys[1].error->kind == ErrorKind::NoPermission);
        login.change({"-hscan"});
        contents = read(login.address(), lock);
        QVERIFY(contents->keys[0].type == Type::Hash);
        QVERIFY(contents->keys[0].error && contents->keys[0].error->kind == ErrorKind::NoPermission);
        login.change({"-pubsub|numsub", "-pttl"});
        contents = read(login.address(), lock);
        QVERIFY(!contents->keys[0].isTtlKnown);
        QVERIFY(!contents->channels.isEmpty() && !contents->channels[0].subscribers);
        ServerAddress wrong = login.address();
        wrong.password = "no";
        QVERIFY(!read(wrong, lock));
    }

    /// From a session's thread to the one that asks; a session that ends meanwhile asks nobody any more.
    void throughASession()
    {
        m_server.cli({"HSET", "lock:a", owner, "3"});
        QTemporaryDir files;
        Session::Options options;
        options.auditPath = files.filePath(QStringLiteral("audit.jsonl"));
        auto session = std::make_unique<Session>(m_server.socketAddress(), options);
        const auto contents = waitFor(session->readContents(lockOf("lock:a")));
        QVERIFY(contents);
        QCOMPARE(plainText(contents->keys.first()), QString::fromLatin1(owner + ": 3"));
        m_server.pause();
        const QFuture<Result<LockContents>> pending = session->readContents(lockOf("lock:a"));
        session.reset();
        m_server.resume();
        QTRY_VERIFY(pending.isFinished());
        QCOMPARE(pending.resultCount(), 0);
    }

    void noServerIsAnError()
    {
        RedisServer gone;
        const ServerAddress address = gone.socketAddress();
        gone.stop();
        const auto contents = read(address, lockOf("a"));
        QVERIFY(!contents);
    }

    /// Companions in other slots are read, too.
    void acrossACluster()
    {
        RedisCluster cluster(3, false);
        const QByteArray key = cluster.keyOn(cluster.node(0), "lock:%1");
        const QByteArray fence = key + ":handoff:fence";
        QVERIFY(cluster.waitUntilWhole());
        cluster.node(0).cli({"HSET", key, owner, "1"});
        bool isSet = false;
        for (int i = 0; i < cluster.size(); ++i)
            isSet = isSet || cluster.node(i).cli({"SET", fence, "7"}) == "OK";
        QVERIFY(isSet);
        const auto contents = read(cluster.node(1).tcpAddress(), lockOf(key, "handoff"_family));
        QVERIFY(contents);
        QVERIFY(contents->keys[0].type == Type::Hash);
        QVERIFY(contents->keys.size() > 1);
        QVERIFY2(!contents->keys[1].error,
                 contents->keys[1].error ? contents->keys[1].error->text().constData() : "");
        QCOMPARE(contents->keys[1].typeName, "string");
        QCOMPARE(contents->keys[1].text, "7");
    }
};

QTEST_GUILESS_MAIN(KeyContentsTest)
#include "tst_keycontents.moc"
