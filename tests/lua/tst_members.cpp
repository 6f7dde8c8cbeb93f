// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray script = "members/force-expire";

} // namespace

/// lua/members/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class MemberScripts : public QObject
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
        const Words sorted{"ZADD lock 5 a 6 b 7 c", "PEXPIRE lock 60000"};
        const Words written{"ZADD lock 5 a 5 __write__", "PEXPIRE lock 60000"};
        const Words set{"SADD lock a b", "PEXPIRE lock 60000"};
        const Words string{"SET lock a PX 60000"};
        const Words gone{"EXISTS lock"};
        // clang-format off
        row("sorted set: all",        {sorted, {}, {}, {"", "all", "c", "", "a", "", "b", ""}, R"("expired",3)", -2, gone, {"0"}});
        row("sorted set: some",       {sorted, {}, {}, {"", "only", "a", "", "b", ""}, R"("expired",2)", 60'000, {"ZRANGE lock 0 -1"}, {R"("c")"}});
        row("sorted set: grace",      {sorted, {}, {}, {"20", "all", "c", "", "a", "", "b", ""}, R"("expired",3)", 20'000, {"ZCARD lock"}, {"3"}});
        row("sorted set: one more",   {sorted, {}, {}, {"", "all", "c", "", "a", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("sorted set: another",    {sorted, {}, {}, {"", "only", "d", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("sorted set: all but one there", {sorted, {}, {}, {"", "all", "a", "", "b", "", "d", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("a writer",               {written, {}, {}, {"", "all", "a", ""}, R"("expired",1)", -2, gone, {"0"}});
        row("a writer alone",         {written, {}, {}, {"", "only", "a", ""}, R"("expired",1)", -2, gone, {"0"}});
        row("a writer's mark",        {written, {}, {}, {"", "all", "a", "", "b", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("set: all",               {set, {}, {}, {"", "all", "b", "", "a", ""}, R"("expired",2)", -2, gone, {"0"}});
        row("set: one",               {set, {}, {}, {"", "only", "b", ""}, R"("expired",1)", 60'000, {"SMEMBERS lock"}, {R"("a")"}});
        row("set: another",           {set, {}, {}, {"", "only", "d", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("string",                 {string, {}, {}, {"", "all", "a", ""}, R"("expired",1)", -2, gone, {"0"}});
        row("string, alone",          {string, {}, {}, {"", "only", "a", ""}, R"("expired",1)", -2, gone, {"0"}});
        row("string: grace",          {{"SET lock a"}, {}, {}, {"20", "all", "a", ""}, R"("expired",1)", 20'000, {"GET lock"}, {R"("a")"}});
        row("string: grace lengthens not", {string, {}, {}, {"100", "all", "a", ""}, R"("expired",1)", 60'000, {"GET lock"}, {R"("a")"}});
        row("string: another's",      {string, {}, {}, {"", "all", "b", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("string: one more",       {string, {}, {}, {"", "all", "a", "", "b", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("gone",                   {{}, {}, {}, {"", "all", "a", ""}, R"("already-gone",-1)", -2, {}, {}});
        row("a hash",                 {{"HSET lock a 1"}, {}, {}, {"", "all", "a", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        // clang-format on
    }
    void calls()
    {
        QFETCH(const NamedCall, call);
        verifyCall(m_server, call, flagged());
    }

    void badArguments()
    {
        verifyGraces(m_server, {"SADD lock a"}, script, {"lock"}, {"", "all", "a", ""});
        verifyUsage(m_server, script,
                    {{{"lock"}, {}},
                     {{"lock"}, {"", "all"}},
                     {{"lock"}, {"", "x", "a", ""}},
                     {{"lock"}, {"5", "only", "a", ""}},
                     {{"lock"}, {"", "all", "a"}},
                     {{""}, {"", "all", "a", ""}},
                     {{}, {"", "all", "a", ""}}});
        QVERIFY(m_server.lines({ScriptServer::call(script, true, {"lock"}, {"", "all", "a", "", "a", ""})})[0]
                    .startsWith("ERROR,\"ERR an owner is given twice"));
    }

private:
    static bool flagged()
    {
        QFETCH_GLOBAL(const bool, flagged);
        return flagged;
    }

    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(MemberScripts)
#include "tst_members.moc"
