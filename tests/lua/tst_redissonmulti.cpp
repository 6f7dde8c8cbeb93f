// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray script = "redisson-multi/force-expire";

} // namespace

/// lua/redisson-multi/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class RedissonMultiScripts : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<bool>("flagged");
        ScriptServer::addForms();
    }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const auto row = [](const char *name, NamedCall call) {
            call.script = script;
            call.keys = {"lock"};
            QTest::newRow(name) << call;
        };
        const Words two{"HSET lock v a:1 v:a:1:lock_count 2 v:a:1:expire_time 9999 w b:1 w:b:1:lock_count 1 "
                        "w:b:1:expire_time 9999",
                        "PEXPIRE lock 60000"};
        const Words gone{"EXISTS lock"};
        const Words left{"HKEYS lock"};
        const Words silent{"ACL SETUSER worker reset on nopass ~* +@all resetchannels", "AUTH worker x"};
        // clang-format off
        row("all",             {two, {}, {}, {"", "all", "v:a:1", "2", "w:b:1", "1"}, R"("expired",3)", -2, gone, {"0"}});
        row("one",             {two, {}, {}, {"", "only", "v:a:1", "2"}, R"("expired",2)", 60'000, left, {R"("w","w:b:1:lock_count","w:b:1:expire_time")"}});
        row("one after the other", {two, {}, {}, {"", "only", "v:a:1", "", "w:b:1", ""}, R"("expired",3)", -2, gone, {"0"}});
        row("half a lock",     {{"HSET lock v a:1"}, {}, {}, {"", "all", "v:a:1", ""}, R"("expired",-1)", -2, gone, {"0"}});
        row("grace",           {two, {}, {}, {"20", "all", "v:a:1", "2", "w:b:1", "1"}, R"("expired",3)", 20'000, {"HLEN lock"}, {"6"}});
        row("grace lengthens not", {two, {}, {}, {"100", "all", "v:a:1", "2", "w:b:1", "1"}, R"("expired",3)", 60'000, {"HLEN lock"}, {"6"}});
        row("gone",            {{}, {}, {}, {"", "all", "v:a:1", "2"}, R"("already-gone",-1)", -2, {}, {}});
        row("one more",        {two, {}, {}, {"", "all", "v:a:1", "2"}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("another's value", {two, {}, {}, {"", "only", "v:b:1", "2"}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("count changed",   {two, {}, {}, {"", "only", "v:a:1", "1"}, R"("holds-changed",2)", 60'000, {}, {}});
        row("a string",        {{"SET lock a"}, {}, {}, {"", "all", "v:a:1", "2"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("PUBLISH refused", {two + silent, {}, {}, {"", "all", "v:a:1", "2", "w:b:1", "1"}, R"("expired",3)", -2, gone, {"0"}, "waiters not woken: "});
        // clang-format on
    }
    void calls()
    {
        QFETCH(const NamedCall, call);
        verifyCall(m_server, call, flagged());
    }

    void badArguments()
    {
        verifyGraces(m_server, {"HSET lock v a:1"}, script, {"lock"}, {"", "all", "v:a:1", ""});
        verifyUsage(m_server, script,
                    {{{"lock"}, {}},
                     {{"lock"}, {"", "all"}},
                     {{"lock"}, {"", "x", "v:a:1", "1"}},
                     {{"lock"}, {"5", "only", "v:a:1", "1"}},
                     {{"lock"}, {"", "all", "v:a:1", "1", "x"}},
                     {{""}, {"", "all", "v:a:1", "1"}},
                     {{"lock", "b"}, {"", "all", "v:a:1", "1"}}});
        for (const Words &arguments : {Words{"", "all", "v", "1"}, Words{"", "all", "v:a", "1", "v:a", "1"}})
            QVERIFY(m_server.lines({ScriptServer::call(script, true, {"lock"}, arguments)})[0].startsWith(
                "ERROR,\"ERR a value"));
    }

    void waitersAreWoken()
    {
        Listener waiter(m_server, "SUBSCRIBE", "redisson_lock__channel:{lock}");
        const auto call = [](const Words &arguments) {
            return ScriptServer::call(script, flagged(), {"lock"}, arguments);
        };
        m_server.lines(
            {"FLUSHALL", "HSET lock v a:1 v:a:1:lock_count 1 w a:1", call({"", "all", "v:a:1", "1"})});
        QVERIFY(waiter.heardNothing());
        m_server.lines({call({"20", "all", "v:a:1", "1", "w:a:1", ""}), call({"", "only", "v:a:1", "1"})});
        QCOMPARE(waiter.heard(2), (Words{"0", "0"}));
    }

private:
    static bool flagged()
    {
        QFETCH_GLOBAL(const bool, flagged);
        return flagged;
    }

    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(RedissonMultiScripts)
#include "tst_redissonmulti.moc"
