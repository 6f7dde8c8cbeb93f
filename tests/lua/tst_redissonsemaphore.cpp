// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/redisson-semaphore/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class RedissonSemaphoreScripts : public CallTest
{
    Q_OBJECT

public:
    RedissonSemaphoreScripts() : CallTest("redisson-semaphore", {"s", "{s}:timeout"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words given{"SET s 3", "ZADD {s}:timeout 5 a 6 b"};
        const Words look{"GET s", "ZRANGE {s}:timeout 0 -1"};
        // clang-format off
        row("one",             "force-expire", {given, {"", "only", "a", ""}, R"("expired",1)", -1, look, {R"("4")", R"("b")"}});
        row("all",             "force-expire", {given, {"", "all", "a", "", "b", ""}, R"("expired",2)", -1, look, {R"("5")", ""}});
        row("both, by name",   "force-expire", {given, {"", "only", "b", "", "a", ""}, R"("expired",2)", -1, look, {R"("5")", ""}});
        row("below zero",      "force-expire", {{"SET s -2", "ZADD {s}:timeout 5 a"}, {"", "all", "a", ""}, R"("expired",1)", -1, look, {R"("-1")", ""}});
        row("with an expiry",  "force-expire", {{"SET s 0 PX 60000", "ZADD {s}:timeout 5 a"}, {"", "all", "a", ""}, R"("expired",1)", 60000, look, {R"("1")", ""}});
        row("one of two",      "force-expire", {given, {"", "all", "a", ""}, R"("owner-changed",-1)", -1});
        row("given back",      "force-expire", {given, {"", "only", "c", ""}, R"("owner-changed",-1)", -1});
        row("one given back",  "force-expire", {given, {"", "only", "a", "", "c", ""}, R"("owner-changed",-1)", -1});
        row("none left",       "force-expire", {{"SET s 3"}, {"", "all", "a", ""}, R"("already-gone",-1)", -1});
        row("no semaphore",    "force-expire", {{"ZADD {s}:timeout 5 a"}, {"", "all", "a", ""}, R"("already-gone",-1)", -2});
        row("a hash",          "force-expire", {{"HSET s 3 3", "ZADD {s}:timeout 5 a"}, {"", "all", "a", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("a list beside",   "force-expire", {{"SET s 3", "RPUSH {s}:timeout a"}, {"", "all", "a", ""}, R"("wrong-type",-1)", -1, {}, {}, "its set of permits holds a list"});
        row("no number",       "force-expire", {{"SET s word", "ZADD {s}:timeout 5 a"}, {"", "all", "a", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds no number"});
        row("PUBLISH refused", "force-expire", {given + silent(), {"", "only", "a", ""}, R"("expired",1)", -1, look, {R"("4")", R"("b")"}, "waiters not woken: "});
        // clang-format on
    }

    /// What can't be done whole is not begun.
    void refusalsLeaveAllAsItWas()
    {
        for (const QByteArray forbidden : {"-zrem", "-incrby"}) {
            const Words out = m_server.lines(Words{"FLUSHALL", "SET s 3", "ZADD {s}:timeout 5 a 6 b"} +
                                             userWith(forbidden) +
                                             Words{call("force-expire", {"", "only", "a", ""}),
                                                   "AUTH default x", "GET s", "ZCARD {s}:timeout"});
            QVERIFY2(out[5].startsWith("ERROR"), out[5]);
            QCOMPARE(out.mid(7), (Words{R"("3")", "2"}));
        }
    }

    void badArguments()
    {
        verifyUsage("force-expire", {"", "all", "a", ""},
                    {{"5", "all", "a", ""},
                     {"", "some", "a", ""},
                     {"", "all"},
                     {"", "all", "a"},
                     {"", "all", "a", "", "x"}},
                    {{"s"}, {"s", ""}, {"", "t"}});
        for (const Words &arguments : {Words{"", "all", "", ""}, Words{"", "all", "a", "", "a", ""}})
            verifyError("force-expire", arguments, "a permit is empty or given twice");
    }

    /// By what is free then; a refusal says nothing. A name with a brace stands for itself.
    void waitersAreWoken()
    {
        Listener waiter(m_server, "SUBSCRIBE", "redisson_sc:a{b}");
        const auto end = [this](const QByteArray &id) {
            return call("force-expire", {"", "only", id, ""}, {"a{b}", "a{b}:timeout"});
        };
        m_server.lines({"SET a{b} 2", "ZADD a{b}:timeout 5 x", end("y")});
        QVERIFY(waiter.heardNothing());
        m_server.lines({end("x")});
        QCOMPARE(waiter.heard(1), Words{"3"});
    }
};

QTEST_GUILESS_MAIN(RedissonSemaphoreScripts)
#include "tst_redissonsemaphore.moc"
