// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/node-redisson/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class NodeRedissonScripts : public CallTest
{
    Q_OBJECT

public:
    NodeRedissonScripts() : CallTest("node-redisson", {"orders:7", "redisson:events"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        // clang-format off
        const Words held{"HSET orders:7 me 2", "PEXPIRE orders:7 60000"};
        const Words look{"HGET orders:7 me"};
        row("force: at once",      "force-expire", {held, {"", "me", "2"}, R"("expired",2)", -2, look, {"NULL"}});
        row("force: grace",        "force-expire", {held, {"20", "me", "2"}, R"("expired",2)", 20'000, look, {R"("2")"}});
        row("force: gone",         "force-expire", {{}, {"", "me", "2"}, R"("already-gone",-1)", -2});
        row("force: another's",    "force-expire", {held, {"", "you", "2"}, R"("owner-changed",-1)", 60'000});
        row("force: entered anew", "force-expire", {held, {"", "me", "1"}, R"("holds-changed",2)", 60'000});
        row("force: a string",     "force-expire", {{"SET orders:7 t"}, {"", "me", "1"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("force: PUBLISH refused", "force-expire", {held + silent(), {"", "me", "2"}, R"("expired",2)", -2, look, {"NULL"}, "waiters not woken: "});
        row("release: a level",    "release", {held, {"me", "30", "one"}, R"("unwound",1)", 30'000, look, {R"("1")"}});
        row("release: all",        "release", {held, {"me", "", "all"}, R"("released",0)", -2, look, {"NULL"}});
        row("release: free",       "release", {{}, {"me", "", "all"}, R"("not-held",-1)", -2});
        row("release: another's",  "release", {held, {"you", "", "one"}, R"("held-by-other",-1)", 60'000});
        row("release: a bad count", "release", {{"HSET orders:7 me x"}, {"me", "", "one"}, R"("bad-count",-1)", -1, {}, {}, "stored count: x"});
        // clang-format on
    }

    void badArguments()
    {
        verifyGraces({"HSET orders:7 me 1"}, "force-expire", {"", "me", "1"});
        verifyUsage("force-expire", {"", "me", "1"}, {{""}, {"", "me"}}, {{}, {""}});
        verifyUsage("release", {"me", "", "all"}, {{"me"}, {"me", "", "both"}}, {{""}});
    }

    /// On the channel, and in the stream where it is; it is never made.
    void waitersAreTold()
    {
        Listener waiters(m_server, "SUBSCRIBE", "redisson_lock__channel:{orders:7}");
        const auto end = [this](const QByteArray &grace) { return call("force-expire", {grace, "me", "1"}); };
        m_server.lines({"HSET orders:7 me 1", end("20"), end("")});
        QCOMPARE(waiters.heard(2), (Words{"0", "0"}));
        QCOMPARE(m_server.cli({"EXISTS", "redisson:events"}), "0");
        m_server.lines({"XADD redisson:events * a b", "HSET orders:7 me 1", end("")});
        QVERIFY(m_server.cli({"XREVRANGE", "redisson:events", "+", "-", "COUNT", "1"})
                    .endsWith("redisson_lock__channel:{orders:7}\n0"));
    }
};

QTEST_GUILESS_MAIN(NodeRedissonScripts)
#include "tst_noderedisson.moc"
