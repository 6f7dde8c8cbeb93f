// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/othernodes.h"
#include "tests/support/scriptserver.h"

#include <QRegularExpression>

#include <memory>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray lock = "{l}";
const QByteArray queue = "redisson_lock_queue:{l}";
const QByteArray timeouts = "redisson_lock_timeout:{l}";
const QByteArray channel = "redisson_lock__channel:{l}:";
const Words fairKeys{lock, queue, timeouts};
const QByteArray line = "{l}:handoff:queue";
const Words handoffKeys{lock, line, "{l}:handoff:waiters", "{l}:handoff:fence"};
const QByteArray wake = "{l}:handoff:wake:";

} // namespace

/// The scripts that go by who listens, where those who wait may subscribe to another server: a replica, a replica of it, a
/// replica that is away for a moment, another node of a cluster. Their silence is no proof, and nobody is passed over.
class OtherNodes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void initTestCase_data();
    void init();

    void aWaiterElsewhereIsNotRemoved();
    void aFairQueueIsKept();
    void aHandedLockIsHeardElsewhere_data();
    void aHandedLockIsHeardElsewhere();
    void askingIsForbidden();
    void aReplicaThatIsAway();

private:
    struct Place
    {
        ScriptServer *server;
        RedisServer *other;
        QByteArray why;
    };
    Place place();
    static QByteArray call(const QByteArray &script, const Words &keys, const Words &arguments)
    {
        return ScriptServer::call(script, true, keys, arguments);
    }
    static Words fairLock(const QByteArrayList &waiters);
    static Words handoffLock(const QByteArrayList &waiters);

    std::unique_ptr<ScriptServer> m_master;
    std::unique_ptr<RedisServer> m_replica;
    std::unique_ptr<RedisServer> m_behindIt;
    std::unique_ptr<ScriptServer> m_node;
    std::unique_ptr<RedisServer> m_otherNode;
};

void OtherNodes::initTestCase_data()
{
    QTest::addColumn<QByteArray>("where");
    QTest::newRow("at a replica") << QByteArray("replica");
    QTest::newRow("at a replica of a replica") << QByteArray("behind it");
    QTest::newRow("at another node") << QByteArray("node");
}

void OtherNodes::initTestCase()
{
    m_master = std::make_unique<ScriptServer>(masterSettings());
    m_replica = std::make_unique<RedisServer>(replicaSettings(*m_master));
    m_behindIt = std::make_unique<RedisServer>(replicaSettings(*m_replica));
    m_node = std::make_unique<ScriptServer>(nodeSettings());
    m_otherNode = std::make_unique<RedisServer>(nodeSettings());
    QVERIFY(isInStep(*m_replica) && isInStep(*m_behindIt));
    QVERIFY(makeCluster(*m_node, *m_otherNode));
}

void OtherNodes::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
}

OtherNodes::Place OtherNodes::place()
{
    QFETCH_GLOBAL(const QByteArray, where);
    if (where == "node")
        return {m_node.get(), m_otherNode.get(), "the other nodes of this cluster may have subscribers too"};
    return {m_master.get(), where == "replica" ? m_replica.get() : m_behindIt.get(),
            "the replicas of this server may have subscribers too"};
}

Words OtherNodes::fairLock(const QByteArrayList &waiters)
{
    Words lines{"FLUSHALL", "HSET {l} a:1 1", "RPUSH " + queue + ' ' + waiters.join(' ')};
    for (const QByteArray &waiter : waiters)
        lines << "ZADD " + timeouts + " 99999999999999 " + waiter;
    return lines;
}

Words OtherNodes::handoffLock(const QByteArrayList &waiters)
{
    Words lines{"FLUSHALL", "HSET {l} a 1", "PEXPIRE {l} 60000", "RPUSH " + line + ' ' + waiters.join(' ')};
    for (const QByteArray &waiter : waiters)
        lines << "HSET {l}:handoff:waiters " + waiter + " '9000000000000 30000'";
    return lines;
}

void OtherNodes::aWaiterElsewhereIsNotRemoved()
{
    const auto [server, other, why] = place();
    Listener fair(*other, "SUBSCRIBE", channel + "b:1");
    Listener inLine(*other, "SUBSCRIBE", wake + "b");
    Words out = server->lines(fairLock({"b:1"}) +
                              Words{call("redisson-fair/remove-waiter", fairKeys, {"b:1"}), "LLEN " + queue,
                                    call("redisson-fair/remove-waiter", fairKeys, {"c:1"})});
    QCOMPARE(out.mid(4), (Words{R"("not-heard",-1,-1,")" + why + '"', "1", R"("not-waiting",-1,-1,"")"}));
    out = server->lines(handoffLock({"b"}) + Words{call("handoff/remove-waiter", handoffKeys, {"b"}),
                                                   "LLEN " + line,
                                                   call("handoff/remove-waiter", handoffKeys, {"c"})});
    QVERIFY2(out[5].startsWith(R"("not-heard",-1,)") && out[5].endsWith(why + '"'), out[5]);
    QCOMPARE(out[6], "1");
    QVERIFY2(out[7].startsWith(R"("not-waiting",-1,)"), out[7]);
    QVERIFY(fair.heardNothing() && inLine.heardNothing());
}

void OtherNodes::aFairQueueIsKept()
{
    const auto [server, other, why] = place();
    Listener second(*other, "SUBSCRIBE", channel + "c:1");
    const Words out = server->lines(fairLock({"b:1", "c:1"}) +
                                    Words{call("redisson-fair/force-expire", fairKeys, {"", "a:1", "1"}),
                                          "EXISTS {l}", "LRANGE " + queue + " 0 -1", "ZCARD " + timeouts});
    QVERIFY2(out[5].startsWith(R"("expired",1,-2,"the first 2 in the queue were not heard here and stay: )"),
             out[5]);
    QVERIFY2(out[5].endsWith(why + '"'), out[5]);
    QCOMPARE(out.mid(6), (Words{"0", R"("b:1","c:1")", "2"}));
    QCOMPARE(second.heard(1), Words{"0"});
}

void OtherNodes::aHandedLockIsHeardElsewhere_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<Words>("arguments");
    QTest::newRow("release") << QByteArray("release") << Words{"a", "", "all"};
    QTest::newRow("force-expire") << QByteArray("force-expire") << Words{"", "a", "1"};
    QTest::newRow("acquire") << QByteArray("acquire") << Words{"d", "30", "", "1"};
}

/// It works already, as far as it knows: the lock must not go to the next.
void OtherNodes::aHandedLockIsHeardElsewhere()
{
    QFETCH(const QByteArray, script);
    QFETCH(const Words, arguments);
    const auto [server, other, why] = place();
    Listener first(*other, "SUBSCRIBE", wake + "b");
    Listener second(*server, "SUBSCRIBE", wake + "c");
    Words before = handoffLock({"b", "c"});
    if (script == "acquire")
        before << "DEL {l}";
    const Words out = server->lines(before + Words{call("handoff/" + script, handoffKeys, arguments),
                                                   "HGETALL {l}", "LRANGE " + line + " 0 -1"});
    const qsizetype at = before.size();
    QCOMPARE(out[at + 1], R"("b","1")");
    QCOMPARE(out[at + 2], R"("c")");
    if (script != "acquire")
        QVERIFY2(out[at].contains("was handed the lock, but not heard here"), out[at]);
    QCOMPARE(first.heard(1).size(), 1);
    QVERIFY(second.heardNothing());
}

/// Whoever may not ask what servers there are can't tell.
void OtherNodes::askingIsForbidden()
{
    ScriptServer alone;
    const QByteArray why = "whether other servers have subscribers too may not be asked here";
    const Words user{"ACL SETUSER worker reset on nopass ~* &* +@all -info", "AUTH worker x"};
    const Words out =
        alone.lines(fairLock({"b:1"}) + user +
                    Words{call("redisson-fair/remove-waiter", fairKeys, {"b:1"}),
                          call("redisson-fair/force-expire", fairKeys, {"", "a:1", "1"}), "LLEN " + queue});
    QVERIFY2(out[6].startsWith("\"not-heard\"") && out[6].contains(why), out[6]);
    QVERIFY2(out[7].startsWith("\"expired\"") && out[7].contains(why), out[7]);
    QCOMPARE(out[8], "1");
}

/// It counts as one until the server has long done without: its subscribers hear what was published meanwhile.
void OtherNodes::aReplicaThatIsAway()
{
    ScriptServer master(masterSettings());
    {
        RedisServer replica(replicaSettings(master));
        QVERIFY(isInStep(replica));
    }
    QTRY_VERIFY(master.cli({"INFO", "replication"}).contains("connected_slaves:0"));
    const Words out =
        master.lines(fairLock({"b:1"}) + Words{call("redisson-fair/remove-waiter", fairKeys, {"b:1"})});
    QVERIFY2(out[4].startsWith("\"not-heard\""), out[4]);
}

QTEST_GUILESS_MAIN(OtherNodes)
#include "tst_othernodes.moc"
