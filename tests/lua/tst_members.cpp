// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/members/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class MemberScripts : public CallTest
{
    Q_OBJECT

public:
    MemberScripts() : CallTest("members") {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words sorted{"ZADD lock 5 a 6 b 7 c", "PEXPIRE lock 60000"};
        const Words written{"ZADD lock 5 a 5 __write__", "PEXPIRE lock 60000"};
        const Words set{"SADD lock a b", "PEXPIRE lock 60000"};
        const Words string{"SET lock a PX 60000"};
        const Words gone{"EXISTS lock"};
        // clang-format off
        row("sorted set: all",        "force-expire", {sorted, {"", "all", "c", "", "a", "", "b", ""}, R"("expired",3)", -2, gone, {"0"}});
        row("sorted set: some",       "force-expire", {sorted, {"", "only", "a", "", "b", ""}, R"("expired",2)", 60'000, {"ZRANGE lock 0 -1"}, {R"("c")"}});
        row("sorted set: grace",      "force-expire", {sorted, {"20", "all", "c", "", "a", "", "b", ""}, R"("expired",3)", 20'000, {"ZCARD lock"}, {"3"}});
        row("sorted set: one more",   "force-expire", {sorted, {"", "all", "c", "", "a", ""}, R"("owner-changed",-1)", 60'000});
        row("sorted set: another",    "force-expire", {sorted, {"", "only", "d", ""}, R"("owner-changed",-1)", 60'000});
        row("sorted set: all but one there", "force-expire", {sorted, {"", "all", "a", "", "b", "", "d", ""}, R"("owner-changed",-1)", 60'000});
        row("a writer",               "force-expire", {written, {"", "all", "a", ""}, R"("expired",1)", -2, gone, {"0"}});
        row("a writer alone",         "force-expire", {written, {"", "only", "a", ""}, R"("expired",1)", -2, gone, {"0"}});
        row("a writer's mark",        "force-expire", {written, {"", "all", "a", "", "b", ""}, R"("owner-changed",-1)", 60'000});
        row("set: all",               "force-expire", {set, {"", "all", "b", "", "a", ""}, R"("expired",2)", -2, gone, {"0"}});
        row("set: one",               "force-expire", {set, {"", "only", "b", ""}, R"("expired",1)", 60'000, {"SMEMBERS lock"}, {R"("a")"}});
        row("set: another",           "force-expire", {set, {"", "only", "d", ""}, R"("owner-changed",-1)", 60'000});
        row("string",                 "force-expire", {string, {"", "all", "a", ""}, R"("expired",1)", -2, gone, {"0"}});
        row("string, alone",          "force-expire", {string, {"", "only", "a", ""}, R"("expired",1)", -2, gone, {"0"}});
        row("string: grace",          "force-expire", {{"SET lock a"}, {"20", "all", "a", ""}, R"("expired",1)", 20'000, {"GET lock"}, {R"("a")"}});
        row("string: grace lengthens not", "force-expire", {string, {"100", "all", "a", ""}, R"("expired",1)", 60'000, {"GET lock"}, {R"("a")"}});
        row("string: another's",      "force-expire", {string, {"", "all", "b", ""}, R"("owner-changed",-1)", 60'000});
        row("string: one more",       "force-expire", {string, {"", "all", "a", "", "b", ""}, R"("owner-changed",-1)", 60'000});
        row("gone",                   "force-expire", {{}, {"", "all", "a", ""}, R"("already-gone",-1)", -2});
        row("a hash",                 "force-expire", {{"HSET lock a 1"}, {"", "all", "a", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        // clang-format on
    }

    void badArguments()
    {
        verifyGraces({"SADD lock a"}, "force-expire", {"", "all", "a", ""});
        verifyUsage("force-expire", {"", "all", "a", ""},
                    {{}, {"", "all"}, {"", "x", "a", ""}, {"5", "only", "a", ""}, {"", "all", "a"}},
                    {{""}, {}});
        verifyError("force-expire", {"", "all", "a", "", "a", ""}, "an owner is given twice");
    }
};

QTEST_GUILESS_MAIN(MemberScripts)
#include "tst_members.moc"
