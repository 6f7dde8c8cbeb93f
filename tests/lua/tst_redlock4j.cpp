// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/redlock4j/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class Redlock4jScripts : public CallTest
{
    Q_OBJECT

public:
    Redlock4jScripts() : CallTest("redlock4j", {"l", "l:queue"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const QByteArray head = "0123456789abcdef0123456789abcdef01234567";
        const QByteArray next = "fedcba9876543210fedcba9876543210fedcba98";
        const QByteArray gone = "0";
        const Words look{"EXISTS l", "ZRANGE l:queue 0 -1"};
        const QByteArray own = "89abcdef0123456789abcdef0123456701234567";
        const Words held{"SET l " + own + " PX 60000"};
        const Words lent{"SET l t PX 60000", "ZADD l:queue 1 " + head};
        const Words fair = held + Words{"ZADD l:queue 1 " + head + " 2 " + next};
        const Words foreign = held + Words{"ZADD l:queue 1 job"};
        // clang-format off
        row("release",                "release", {held, {own}, R"("released",0)", -2, look, {gone, ""}});
        row("release: fair",          "release", {fair, {own}, R"("released",0)", -2, look, {gone, '"' + next + '"'}});
        row("release: foreign queue", "release", {foreign, {own}, R"("released",0)", -2, look, {gone, R"("job")"}});
        row("release: an operator's", "release", {lent, {"t"}, R"("released",0)", -2, look, {gone, '"' + head + '"'}});
        row("force: an operator's",   "force-expire", {lent, {"", "t"}, R"("expired",1)", -2, look, {gone, '"' + head + '"'}});
        row("release: other",         "release", {fair, {"u"}, R"("held-by-other",-1)", 60000});
        row("release: free",          "release", {{}, {"t"}, R"("not-held",-1)", -2});
        row("release: a hash",        "release", {{"HSET l t 1"}, {"t"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("force",                  "force-expire", {held, {"", own}, R"("expired",1)", -2, look, {gone, ""}});
        row("force: fair",            "force-expire", {fair, {"", own, ""}, R"("expired",1)", -2, look, {gone, '"' + next + '"'}});
        row("force: grace",           "force-expire", {fair, {"5", own}, R"("expired",1)", 5000, look, {"1", '"' + head + "\",\"" + next + '"'}});
        row("force: other",           "force-expire", {fair, {"", "u"}, R"("owner-changed",-1)", 60000});
        row("force: free",            "force-expire", {{}, {"", "t"}, R"("already-gone",-1)", -2});
        row("force: a list",          "force-expire", {{"RPUSH l t"}, {"", "t"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a list"});
        // clang-format on
    }

    void badArguments()
    {
        verifyUsage("release", {"t"}, {{}, {"t", "x"}}, {{"l"}, {"l", "queue"}, {"", ":queue"}});
        verifyUsage("force-expire", {"", "t"}, {{""}, {"", "t", "1"}}, {{"l"}, {"l", "queue"}});
        verifyGraces({"SET l t PX 60000"}, "force-expire", {"", "t"});
        verifyError("release", {""}, "token must not be empty");
    }
};

QTEST_GUILESS_MAIN(Redlock4jScripts)
#include "tst_redlock4j.moc"
