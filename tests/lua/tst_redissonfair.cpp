// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray queue = "redisson_lock_queue:{lock}";
const QByteArray timeouts = "redisson_lock_timeout:{lock}";
const QByteArray fence = "redisson_lock_token:{lock}";
const QByteArray channel = "redisson_lock__channel:{lock}";
const Words three{"lock", queue, timeouts};
const QByteArray later = " 99999999999999 ";

} // namespace

/// lua/redisson-fair/ on a real server, in the form for Redis 7 and in the one for Redis 6: what an operator does to
/// Redisson's plain, fair and fenced locks.
class RedissonFairScripts : public CallTest
{
    Q_OBJECT

public:
    RedissonFairScripts() : CallTest("redisson-fair", three) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words twice{"HSET lock a:1 2", "PEXPIRE lock 60000"};
        const Words once{"HSET lock a:1 1", "PEXPIRE lock 60000"};
        const Words waiting{"RPUSH " + queue + " s:1 b:1 c:1",
                            "ZADD " + timeouts + " 5 s:1" + later + "b:1" + later + "c:1"};
        const Words fenced{"SET " + fence + " 41"};
        const Words look{"EXISTS lock", "LLEN " + queue, "ZCARD " + timeouts, "GET " + fence};
        const Words hash{"HGETALL lock"};
        const auto row = [this](const char *name, const QByteArray &script, NamedCall call) {
            if (call.keys.isEmpty() && script == "acquire")
                call.keys = Words{"lock", queue, fence};
            ScriptTest::row(name, script, call);
        };
        const QByteArray deaf = "the first 2 in the queue did not listen";
        const QByteArray refused = "waiters not woken: ";
        // clang-format off
        row("force: plain",            "force-expire", {twice, {"", "a:1", "2"}, R"("expired",2)", -2, look, {"0", "0", "0", "NULL"}, {}, {"lock"}});
        row("force: any count",        "force-expire", {twice, {"", "a:1", ""}, R"("expired",2)", -2, look, {"0", "0", "0", "NULL"}});
        row("force: fenced",           "force-expire", {twice + fenced, {"", "a:1", "2"}, R"("expired",2)", -2, look, {"0", "0", "0", R"("41")"}});
        row("force: a queue, stale head dropped", "force-expire", {twice + waiting, {"", "a:1", "2"}, R"("expired",2)", -2, look, {"0", "0", "0", "NULL"}, deaf + " and were dropped"});
        if (RedisServer::majorVersion() >= 7) // before it nothing is sharded
            row("force: sharded, on a plain server",  "force-expire", {twice + waiting, {"", "a:1", "2", "sharded"}, R"("expired",2)", -2, look, {"0", "0", "0", "NULL"}, deaf + " and were dropped"});
        row("force: grace",            "force-expire", {twice, {"30", "a:1", "2"}, R"("expired",2)", 30'000, hash, {R"("a:1","2")"}});
        row("force: grace of endless", "force-expire", {{"HSET lock a:1 2"}, {"30", "a:1", "2"}, R"("expired",2)", 30'000, hash, {R"("a:1","2")"}});
        row("force: grace lengthens not", "force-expire", {twice, {"100", "a:1", "2"}, R"("expired",2)", 60'000, hash, {R"("a:1","2")"}});
        row("force: gone",             "force-expire", {waiting, {"", "a:1", "2"}, R"("already-gone",-1)", -2});
        row("force: another's",        "force-expire", {twice + waiting, {"", "b:1", "2"}, R"("owner-changed",-1)", 60'000});
        row("force: another as well",  "force-expire", {twice + Words{"HSET lock b:1 1"}, {"", "a:1", "2"}, R"("owner-changed",-1)", 60'000});
        row("force: count changed",    "force-expire", {twice + waiting, {"", "a:1", "1"}, R"("holds-changed",2)", 60'000});
        row("force: corruption",       "force-expire", {{"HSET lock a:1 x"}, {"", "a:1", "x"}, R"("expired",-1)", -2, {"EXISTS lock"}, {"0"}});
        row("force: a string",         "force-expire", {{"SET lock a:1"}, {"", "a:1", "1"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string, not a hash"});
        row("force: no queue of ours", "force-expire", {twice + Words{"SET " + queue + " x"}, {"", "a:1", "2"}, R"("wrong-type",-1)", 60'000, {}, {}, "redisson_lock_queue holds a string"});
        row("force: PUBLISH refused",  "force-expire", {twice + waiting + silent(), {"", "a:1", "2"}, R"("expired",2)", -2, {"EXISTS lock"}, {"0"}, refused});

        row("release: one of two",     "release", {twice, {"a:1", "", "one"}, R"("unwound",1)", 60'000, hash, {R"("a:1","1")"}});
        row("release: one, renewed",   "release", {twice, {"a:1", "30", "one"}, R"("unwound",1)", 30'000, hash, {R"("a:1","1")"}});
        row("release: last",           "release", {once, {"a:1", "30", "one"}, R"("released",0)", -2, look, {"0", "0", "0", "NULL"}, {}, {"lock"}});
        row("release: all, a queue",   "release", {twice + waiting, {"a:1", "", "all"}, R"("released",0)", -2, look, {"0", "2", "2", "NULL"}});
        row("release: of several",     "release", {once + Words{"HSET lock b:1 1"}, {"a:1", "", "one"}, R"("released",0)", 60'000, hash, {R"("b:1","1")"}});
        row("release: another's",      "release", {once, {"b:1", "", "one"}, R"("held-by-other",-1)", 60'000});
        row("release: free",           "release", {{}, {"b:1", "", "one"}, R"("not-held",-1)", -2});
        row("release: corruption",     "release", {{"HSET lock a:1 0"}, {"a:1", "", "all"}, R"("bad-count",-1)", -1, {}, {}, "stored count: 0"});
        row("release: a string",       "release", {{"SET lock a:1"}, {"a:1", "", "all"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("release: PUBLISH refused", "release", {once + silent(), {"a:1", "", "all"}, R"("released",0)", -2, {"EXISTS lock"}, {"0"}, refused});

        row("acquire: free",           "acquire", {{}, {"a:1", "30"}, R"("acquired",1)", 30'000, hash, {R"("a:1","1")"}});
        row("acquire: free, key only", "acquire", {{}, {"a:1", "30"}, R"("acquired",1)", 30'000, hash, {R"("a:1","1")"}, {}, {"lock"}});
        row("acquire: own, fenced",    "acquire", {twice + fenced, {"a:1", "30"}, R"("reentered",3)", 30'000, {"GET " + fence}, {R"("42")"}, "fencing token: 42"});
        row("acquire: another's",      "acquire", {once, {"b:1", "30"}, R"("held-by-other",-1)", 60'000});
        row("acquire: free, a queue",  "acquire", {waiting, {"d:1", "30"}, R"("held-by-other",-1)", -2, {}, {}, "nobody holds it, but a queue"});
        row("acquire: own, a queue",   "acquire", {once + waiting, {"a:1", "30"}, R"("reentered",2)", 30'000, hash, {R"("a:1","2")"}});
        row("acquire: corruption",     "acquire", {{"HSET lock a:1 0"}, {"a:1", "30"}, R"("bad-count",-1)", -1, {}, {}, "stored count: 0"});

        row("remove: a waiter",        "remove-waiter", {once + waiting, {"c:1"}, R"("removed",-1)", 60'000, {"LRANGE " + queue + " 0 -1", "ZCARD " + timeouts}, {R"("s:1","b:1")", "2"}});
        row("remove: the head",        "remove-waiter", {once + waiting, {"s:1"}, R"("removed",-1)", 60'000, {"LRANGE " + queue + " 0 -1"}, {R"("b:1","c:1")"}});
        row("remove: half there",      "remove-waiter", {{"ZADD " + timeouts + " 5 s:1"}, {"s:1"}, R"("removed",-1)", -2, {"EXISTS " + timeouts}, {"0"}});
        row("remove: not there",       "remove-waiter", {once + waiting, {"d:1"}, R"("not-waiting",-1)", 60'000});
        row("remove: no queue",        "remove-waiter", {once, {"d:1"}, R"("not-waiting",-1)", 60'000});
        row("remove: no queue of ours", "remove-waiter", {once + Words{"SET " + queue + " x"}, {"d:1"}, R"("wrong-type",-1)", 60'000, {}, {}, "redisson_lock_queue holds a string"});

        row("wake: nobody listens",    "wake", {{"RPUSH " + queue + " b:1", "ZADD " + timeouts + later + "b:1"}, {}, R"("not-heard",-1)", -2, {}, {}, "first in the queue: b:1"});
        row("wake: held",              "wake", {once + waiting, {}, R"("held-by-other",-1)", 60'000});
        row("wake: no queue",          "wake", {{}, {}, R"("not-waiting",-1)", -2});
        row("wake: a string",          "wake", {{"SET lock a:1"}, {}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("wake: no queue of ours",  "wake", {{"SET " + queue + " x"}, {}, R"("wrong-type",-1)", -2, {}, {}, "redisson_lock_queue holds a string"});
        // clang-format on
    }

    void fieldsThatEndSooner_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<Words>("arguments");
        QTest::newRow("acquire") << QByteArray("acquire") << Words{"a:1", "30"};
        QTest::newRow("release") << QByteArray("release") << Words{"a:1", "30", "one"};
        QTest::newRow("force") << QByteArray("force-expire") << Words{"30", "a:1", "2"};
    }
    void fieldsThatEndSooner()
    {
        QFETCH(const QByteArray, script);
        QFETCH(const Words, arguments);
        verifyFieldsEnd({"HSET lock a:1 2", "PEXPIRE lock 60000"}, script, arguments, {"lock"});
    }

    /// The lock has ended: a refusal after that is told, and hides nothing.
    void refusedAfterTheEnd_data()
    {
        QTest::addColumn<QByteArray>("refused");
        for (const char *command : {"lindex", "zscore", "lpop", "zrem", "lrange", "time"})
            QTest::newRow(command) << QByteArray(command);
    }
    void refusedAfterTheEnd()
    {
        QFETCH(const QByteArray, refused);
        for (const auto &[script, arguments, answer] :
             {std::tuple<QByteArray, Words, QByteArray>{"force-expire", {"", "a:1", "1"}, R"("expired",1)"},
              {"release", {"a:1", "", "one"}, R"("released",0)"}}) {
            const Words out = m_server.lines(
                Words{"FLUSHALL", "HSET lock a:1 1", "RPUSH " + queue + " s:1 b:1",
                      "ZADD " + timeouts + " 5 s:1" + later + "b:1"} +
                userWith('-' + refused) + Words{call(script, arguments), "AUTH default x", "EXISTS lock"});
            QCOMPARE(out.last(), "0");
            if (script == "release" && refused == "lrange") // not asked there
                continue;
            QVERIFY2(out[6].startsWith(answer + ",-2,\"waiters not woken: "), out[6]);
        }
    }

    void badArguments()
    {
        const Words odd{"lock", "redisson_lock_queue:lock", timeouts};
        verifyGraces({"HSET lock a:1 1"}, "force-expire", {"", "a:1", "1"});
        verifyUsage("force-expire", {"", "a", "1"}, {{}, {""}, {"", "a"}, {"", "a", "1", "x"}},
                    {odd, {"lock", queue}, {}, {""}});
        verifyUsage("release", {"a", "", "one"}, {{"a", ""}, {"a", "", "two"}, {"a", "", "one", "x"}}, {odd});
        verifyUsage("acquire", {"a", "30"}, {}, {three});
        verifyUsage("acquire", {"a"}, {}, {{"lock"}});
        verifyUsage("acquire", {"a", "30", "x"}, {}, {{"lock"}});
        verifyUsage("remove-waiter", {"a"}, {{}, {"a", "x"}}, {{"lock"}, odd});
        verifyUsage("wake", {}, {{"a"}}, {{"lock"}, odd, {}});
        verifyError("force-expire", {"", "a", "1", "a", "1"}, "");
        verifyError("release", {"", "", "one"}, "");
        verifyError("remove-waiter", {""}, "");
    }

    /// Whoever may not ask who listens removes nobody.
    void notAllowedToAsk()
    {
        const Words out =
            m_server.lines(Words{"RPUSH " + queue + " b:1"} + userWith("-pubsub") +
                           Words{call("remove-waiter", {"b:1"}), "AUTH default x", "LLEN " + queue});
        QVERIFY2(out[3].startsWith("ERROR,"), out[3]);
        QVERIFY2(out[3].contains("can't run this command") || out[3].contains("no permissions to run"),
                 out[3]);
        QCOMPARE(out.last(), "1");
    }

    /// A plain lock's waiters by its channel, also of a shorter time; a refusal wakes nobody.
    void plainWaitersAreWoken()
    {
        Listener plain(m_server, "SUBSCRIBE", channel);
        m_server.lines({"FLUSHALL", "HSET lock a:1 1", call("force-expire", {"", "b:1", "1"}),
                        call("release", {"b:1", "", "one"})});
        QVERIFY(plain.heardNothing());
        m_server.lines({call("force-expire", {"30", "a:1", "1"}), call("force-expire", {"40", "a:1", "1"})});
        QCOMPARE(plain.heard(1), Words{"0"});
        m_server.lines(
            {call("force-expire", {"", "a:1", "1"}), "HSET lock a:1 1", call("release", {"a:1", "", "one"})});
        QCOMPARE(plain.heard(3), (Words{"0", "0", "0"}));
    }

    /// The first in the queue that listens; one that does not would keep it waiting, and goes.
    void theQueueIsWoken()
    {
        const Words before{"FLUSHALL", "HSET lock a:1 1", "RPUSH " + queue + " s:1 b:1 c:1 d:1",
                           "ZADD " + timeouts + " 5 s:1" + later + "b:1" + later + "c:1" + later + "d:1"};
        Listener stale(m_server, "SUBSCRIBE", channel + ":s:1");
        Listener third(m_server, "SUBSCRIBE", channel + ":c:1");
        Listener fourth(m_server, "SUBSCRIBE", channel + ":d:1");
        Words out = m_server.lines(
            before + Words{call("force-expire", {"", "a:1", "1"}), "LRANGE " + queue + " 0 -1"});
        QVERIFY2(out[4].contains("the first in the queue did not listen"), out[4]);
        QCOMPARE(out[5], R"("c:1","d:1")");
        QCOMPARE(third.heard(1), Words{"0"});
        m_server.lines({"HSET lock a:1 1"});
        out = m_server.lines({call("release", {"a:1", "", "one"})});
        QCOMPARE(third.heard(2), (Words{"0", "0"}));
        QVERIFY(stale.heardNothing() && fourth.heardNothing());
    }

    /// As a release would: whoever is first hears of it, once its time-outs are gone; nothing is sent while the lock is held.
    void theHeadOfAnOrphanIsWoken()
    {
        Listener stale(m_server, "SUBSCRIBE", channel + ":s:1");
        Listener first(m_server, "SUBSCRIBE", channel + ":b:1");
        Listener second(m_server, "SUBSCRIBE", channel + ":c:1");
        const Words out =
            m_server.lines({"FLUSHALL", "RPUSH " + queue + " s:1 b:1 c:1",
                            "ZADD " + timeouts + " 5 s:1" + later + "b:1" + later + "c:1", "HSET lock a:1 1",
                            call("wake", {}), "DEL lock", call("wake", {}), "LRANGE " + queue + " 0 -1"});
        QCOMPARE(out[4], R"("held-by-other",-1,-1,"")");
        QCOMPARE(out[6], R"("woken",-1,-2,"first in the queue: b:1")");
        QCOMPARE(out[7], R"("b:1","c:1")");
        QCOMPARE(first.heard(1), Words{"0"});
        QVERIFY(stale.heardNothing() && second.heardNothing());
        const Words late =
            m_server.lines({"ZADD " + timeouts + " 5 b:1 5 c:1", call("wake", {}), "EXISTS " + queue});
        QCOMPARE(late[1], R"("not-waiting",-1,-2,"")");
        QCOMPARE(late[2], "0");
    }

    void aListeningWaiterStays()
    {
        Listener second(m_server, "SUBSCRIBE", channel + ":b:1");
        const Words before{"FLUSHALL", "RPUSH " + queue + " s:1 b:1",
                           "ZADD " + timeouts + later + "s:1" + later + "b:1"};
        const Words out = m_server.lines(before + Words{call("remove-waiter", {"b:1"}), "LLEN " + queue});
        QCOMPARE(out[3], R"("still-listens",-1,-2,"")");
        QCOMPARE(out[4], "2");
        QVERIFY(second.heardNothing());
        // The lock is free: the new head is to take it.
        QCOMPARE(m_server.lines({call("remove-waiter", {"s:1"})})[0], R"("removed",-1,-2,"")");
        QCOMPARE(second.heard(1), Words{"0"});
    }
};

QTEST_GUILESS_MAIN(RedissonFairScripts)
#include "tst_redissonfair.moc"
