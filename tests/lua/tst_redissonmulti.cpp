// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/redisson-multi/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class RedissonMultiScripts : public CallTest
{
    Q_OBJECT

public:
    RedissonMultiScripts() : CallTest("redisson-multi") {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words two{"HSET lock v a:1 v:a:1:lock_count 2 v:a:1:expire_time 9999 w b:1 w:b:1:lock_count 1 "
                        "w:b:1:expire_time 9999",
                        "PEXPIRE lock 60000"};
        const Words gone{"EXISTS lock"};
        const Words left{"HKEYS lock"};
        // clang-format off
        row("all",             "force-expire", {two, {"", "all", "v:a:1", "2", "w:b:1", "1"}, R"("expired",3)", -2, gone, {"0"}});
        row("one",             "force-expire", {two, {"", "only", "v:a:1", "2"}, R"("expired",2)", 60'000, left, {R"("w","w:b:1:lock_count","w:b:1:expire_time")"}});
        row("one after the other", "force-expire", {two, {"", "only", "v:a:1", "", "w:b:1", ""}, R"("expired",3)", -2, gone, {"0"}});
        row("half a lock",     "force-expire", {{"HSET lock v a:1"}, {"", "all", "v:a:1", ""}, R"("expired",-1)", -2, gone, {"0"}});
        row("grace",           "force-expire", {two, {"20", "all", "v:a:1", "2", "w:b:1", "1"}, R"("expired",3)", 20'000, {"HLEN lock"}, {"6"}});
        row("grace lengthens not", "force-expire", {two, {"100", "all", "v:a:1", "2", "w:b:1", "1"}, R"("expired",3)", 60'000, {"HLEN lock"}, {"6"}});
        row("gone",            "force-expire", {{}, {"", "all", "v:a:1", "2"}, R"("already-gone",-1)", -2});
        row("one more",        "force-expire", {two, {"", "all", "v:a:1", "2"}, R"("owner-changed",-1)", 60'000});
        row("another's value", "force-expire", {two, {"", "only", "v:b:1", "2"}, R"("owner-changed",-1)", 60'000});
        row("count changed",   "force-expire", {two, {"", "only", "v:a:1", "1"}, R"("holds-changed",2)", 60'000});
        row("a string",        "force-expire", {{"SET lock a"}, {"", "all", "v:a:1", "2"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("PUBLISH refused", "force-expire", {two + silent(), {"", "all", "v:a:1", "2", "w:b:1", "1"}, R"("expired",3)", -2, gone, {"0"}, "waiters not woken: "});
        // clang-format on
    }

    void badArguments()
    {
        verifyGraces({"HSET lock v a:1"}, "force-expire", {"", "all", "v:a:1", ""});
        verifyUsage("force-expire", {"", "all", "v:a:1", "1"},
                    {{},
                     {"", "all"},
                     {"", "x", "v:a:1", "1"},
                     {"5", "only", "v:a:1", "1"},
                     {"", "all", "v:a:1", "1", "x"}},
                    {{""}, {"lock", "b"}});
        verifyError("force-expire", {"", "all", "v", "1"}, "a value");
        verifyError("force-expire", {"", "all", "v:a", "1", "v:a", "1"}, "a value");
    }

    void waitersAreWoken()
    {
        Listener waiter(m_server, "SUBSCRIBE", "redisson_lock__channel:{lock}");
        m_server.lines(
            {"HSET lock v a:1 v:a:1:lock_count 1 w a:1", call("force-expire", {"", "all", "v:a:1", "1"})});
        QVERIFY(waiter.heardNothing());
        m_server.lines({call("force-expire", {"20", "all", "v:a:1", "1", "w:a:1", ""}),
                        call("force-expire", {"", "only", "v:a:1", "1"})});
        QCOMPARE(waiter.heard(2), (Words{"0", "0"}));
    }
};

QTEST_GUILESS_MAIN(RedissonMultiScripts)
#include "tst_redissonmulti.moc"
