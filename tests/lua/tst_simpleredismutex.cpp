// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/simple-redis-mutex/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class SimpleRedisMutexScripts : public CallTest
{
    Q_OBJECT

public:
    SimpleRedisMutexScripts() : CallTest("simple-redis-mutex", {"@simple-redis-mutex:lock-a"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        // clang-format off
        const Words held{"SET @simple-redis-mutex:lock-a 0.5 PX 60000"};
        const Words look{"GET @simple-redis-mutex:lock-a"};
        row("force: at once",     "force-expire", {held, {"", "0.5", ""}, R"("expired",1)", -2, look, {"NULL"}});
        row("force: grace",       "force-expire", {held, {"20", "0.5"}, R"("expired",1)", 20'000, look, {R"("0.5")"}});
        row("force: gone",        "force-expire", {{}, {"", "0.5", ""}, R"("already-gone",-1)", -2});
        row("force: another's",   "force-expire", {held, {"", "0.6", ""}, R"("owner-changed",-1)", 60'000});
        row("force: PUBLISH refused", "force-expire", {held + silent(), {"", "0.5", ""}, R"("expired",1)", -2, look, {"NULL"}, "waiters not woken: "});
        row("release",            "release", {held, {"0.5"}, R"("released",0)", -2, look, {"NULL"}});
        row("release: free",      "release", {{}, {"0.5"}, R"("not-held",-1)", -2});
        row("release: another's", "release", {held, {"0.6"}, R"("held-by-other",-1)", 60'000});
        // clang-format on
    }

    void badArguments()
    {
        verifyGraces({"SET @simple-redis-mutex:lock-a t"}, "force-expire", {"", "t"});
        verifyUsage("force-expire", {"", "t"}, {{""}, {"", "t", "1"}}, {{}, {""}});
        verifyUsage("release", {"t"}, {{}, {"t", "u"}}, {{""}});
    }

    /// As the library itself writes it; what would not be JSON is never sent.
    void waitersAreTold()
    {
        Listener waiters(m_server, "SUBSCRIBE", "@simple-redis-mutex:locks-releases");
        const auto release = [this](const QByteArray &key) { return call("release", {"0.5"}, {key}); };
        m_server.lines({"SET 'k\"a' 0.5", "SET k\\a 0.5", "SET k 0.5"});
        const QByteArrayList answers = m_server.lines({release("k\"a"), release("k\\a")});
        for (const QByteArray &answer : answers)
            QVERIFY2(answer.contains("waiters not woken"), answer.constData());
        QVERIFY(waiters.heardNothing());
        m_server.lines({release("k")});
        QCOMPARE(waiters.heard(1), (Words{R"({ "key": "k", "value": "0.5" })"}));
    }
};

QTEST_GUILESS_MAIN(SimpleRedisMutexScripts)
#include "tst_simpleredismutex.moc"
