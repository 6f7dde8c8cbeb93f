// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/redisson-latch/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class RedissonLatchScripts : public CallTest
{
    Q_OBJECT

public:
    RedissonLatchScripts() : CallTest("redisson-latch", {"latch"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words closed{"SET latch 3"};
        // clang-format off
        row("closed",          "force-expire", {closed, {"", "3", ""}, R"("expired",-1)", -2, {"EXISTS latch"}, {"0"}});
        row("counted down",    "force-expire", {closed, {"", "4"}, R"("holds-changed",-1)", -1});
        row("open",            "force-expire", {{}, {"", "3"}, R"("already-gone",-1)", -2});
        row("a hash",          "force-expire", {{"HSET latch 3 3"}, {"", "3"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("PUBLISH refused", "force-expire", {closed + silent(), {"", "3"}, R"("expired",-1)", -2, {"EXISTS latch"}, {"0"}, "waiters not woken: "});
        // clang-format on
    }

    void badArguments()
    {
        verifyUsage("force-expire", {"", "3"}, {{""}, {"5", "3"}, {"", "3", "1"}, {"", "3", "", "x"}},
                    {{""}, {}});
    }

    /// By 0, which says open; a refusal says nothing. The braces stand there whatever the name has.
    void waitersAreWoken()
    {
        Listener waiter(m_server, "SUBSCRIBE", "redisson_countdownlatch__channel__{a{b}}");
        const auto end = [this](const QByteArray &seen) {
            return call("force-expire", {"", seen}, {"a{b}"});
        };
        m_server.lines({"SET a{b} 2", end("1")});
        QVERIFY(waiter.heardNothing());
        m_server.lines({end("2")});
        QCOMPARE(waiter.heard(1), Words{"0"});
    }
};

QTEST_GUILESS_MAIN(RedissonLatchScripts)
#include "tst_redissonlatch.moc"
