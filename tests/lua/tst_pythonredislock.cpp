// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/python-redis-lock/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class PythonRedisLockScripts : public CallTest
{
    Q_OBJECT

public:
    PythonRedisLockScripts() : CallTest("python-redis-lock", {"lock:a", "lock-signal:a"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words held{"SET lock:a t PX 60000"};
        const Words look{"EXISTS lock:a", "LRANGE lock-signal:a 0 -1"};
        const Words left{"GET lock:a", "EXISTS lock-signal:a"};
        // clang-format off
        row("force: at once",         "force-expire", {held, {"", "t", ""}, R"("expired",1)", -2, look, {"0", R"("1")"}});
        row("force: an old signal",   "force-expire", {held + Words{"RPUSH lock-signal:a 1 1 1"}, {"", "t"}, R"("expired",1)", -2, look, {"0", R"("1")"}});
        row("force: endless",         "force-expire", {{"SET lock:a t"}, {"20", "t", ""}, R"("expired",1)", 20'000, left, {R"("t")", "0"}, "those who wait now"});
        row("force: grace lengthens not", "force-expire", {held, {"100", "t", ""}, R"("expired",1)", 60'000, left, {R"("t")", "0"}, "those who wait now"});
        row("force: gone",            "force-expire", {{}, {"", "t", ""}, R"("already-gone",-1)", -2});
        row("force: another's",       "force-expire", {held, {"", "u", ""}, R"("owner-changed",-1)", 60'000});
        row("force: a hash",          "force-expire", {{"HSET lock:a t 1"}, {"", "t", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("force: no signal",       "force-expire", {held + Words{"SET lock-signal:a x"}, {"", "t", ""}, R"("wrong-type",-1)", 60'000, {}, {}, "its signal holds a string"});
        row("release",                "release", {held, {"t"}, R"("released",0)", -2, look, {"0", R"("1")"}});
        row("release: free",          "release", {{}, {"t"}, R"("not-held",-1)", -2});
        row("release: another's",     "release", {held, {"u"}, R"("held-by-other",-1)", 60'000});
        row("release: a hash",        "release", {{"HSET lock:a t 1"}, {"t"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        // clang-format on
    }

    void badArguments()
    {
        verifyGraces({"SET lock:a t"}, "force-expire", {"", "t"});
        verifyUsage("force-expire", {"", "t"}, {{""}, {"", "t", "1"}, {"", "t", "", ""}},
                    {{"lock:a"}, {"lock:a", "lock-signal:b"}, {"a", "lock-signal:a"}});
        verifyUsage("release", {"t"}, {{}, {"t", "u"}}, {{"lock:a", "lock-signal:b"}});
    }

    /// Each that blocks is woken by one element, and the signal is gone by itself where nobody does.
    void whoBlocksIsWoken()
    {
        for (const auto &[script, arguments] : Uses{{"force-expire", {"", "t"}}, {"release", {"t"}}}) {
            const QByteArray end = call(script, arguments);
            verifyWakesOneWhoBlocks({"BLPOP", "lock-signal:a", "20"}, "SET lock:a t", end,
                                    "lock-signal:a\n1\n");
            const Words out = m_server.lines({"SET lock:a t", end, "PTTL lock-signal:a"});
            QVERIFY2(out[2].toInt() > 0 && out[2].toInt() <= 1000, out[2]);
        }
    }
};

QTEST_GUILESS_MAIN(PythonRedisLockScripts)
#include "tst_pythonredislock.moc"
