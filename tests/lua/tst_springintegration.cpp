// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/spring-integration/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class SpringIntegrationScripts : public CallTest
{
    Q_OBJECT

public:
    SpringIntegrationScripts() : CallTest("spring-integration", {"r:s:lock"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words held{"SET r:s:lock t PX 60000"};
        const Words look{"GET r:s:lock"};
        // clang-format off
        row("force: at once",     "force-expire", {held, {"", "t", ""}, R"("expired",1)", -2, look, {"NULL"}});
        row("force: grace",       "force-expire", {held, {"20", "t"}, R"("expired",1)", 20'000, look, {R"("t")"}});
        row("force: grace lengthens not", "force-expire", {held, {"100", "t"}, R"("expired",1)", 60'000, look, {R"("t")"}});
        row("force: gone",        "force-expire", {{}, {"", "t", ""}, R"("already-gone",-1)", -2});
        row("force: another's",   "force-expire", {held, {"", "u", ""}, R"("owner-changed",-1)", 60'000});
        row("force: a hash",      "force-expire", {{"HSET r:s:lock t 1"}, {"", "t", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("force: PUBLISH refused", "force-expire", {held + silent(), {"", "t", ""}, R"("expired",1)", -2, look, {"NULL"}, "waiters not woken: "});
        row("release",            "release", {held, {"t"}, R"("released",0)", -2, look, {"NULL"}});
        row("release: free",      "release", {{}, {"t"}, R"("not-held",-1)", -2});
        row("release: another's", "release", {held, {"u"}, R"("held-by-other",-1)", 60'000});
        row("release: a hash",    "release", {{"HSET r:s:lock t 1"}, {"t"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        // clang-format on
    }

    void badArguments()
    {
        verifyGraces({"SET r:s:lock t"}, "force-expire", {"", "t"});
        verifyUsage("force-expire", {"", "t"}, {{""}, {"", "t", "1"}}, {{}, {""}});
        verifyUsage("release", {"t"}, {{}, {"t", "u"}}, {{""}});
    }

    /// Wherever in the key the registry's own ends; a key of nothing but colons ends too.
    void registriesAreTold()
    {
        Listener one(m_server, "PSUBSCRIBE", "r-channel:*");
        Listener two(m_server, "PSUBSCRIBE", "r:s-channel:*");
        m_server.lines(
            {"SET r:s:lock t", call("force-expire", {"20", "t"}), call("force-expire", {"", "u"})});
        QVERIFY(one.heardNothing() && two.heardNothing());
        m_server.lines({call("force-expire", {"", "t"}), "SET r:s:lock t", call("release", {"t"})});
        QCOMPARE(one.heard(2), (Words{"r:s:lock", "r:s:lock"}));
        QCOMPARE(two.heard(2), (Words{"r:s:lock", "r:s:lock"}));
        const QByteArray colons(1000, ':');
        QCOMPARE(
            m_server.lines({"CONFIG RESETSTAT", "SET " + colons + " t", call("release", {"t"}, {colons})})[2],
            R"("released",0,-2,"")");
        QVERIFY(m_server.cli({"INFO", "commandstats"}).contains("cmdstat_publish:calls=16,"));
    }
};

QTEST_GUILESS_MAIN(SpringIntegrationScripts)
#include "tst_springintegration.moc"
