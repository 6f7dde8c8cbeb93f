// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/counter/release.lua on a real server, in the form for Redis 7 and in the one for Redis 6.
class CounterScript : public CallTest
{
    Q_OBJECT

public:
    CounterScript() : CallTest("counter", {"l"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words three{"SET l 3 PX 60000"};
        const Words look{"GET l", "PERSIST l"};
        // clang-format off
        row("one of three", "release", {three, {"3"}, R"("unwound",2)", 60000, look, {R"("2")", "1"}});
        row("the last",     "release", {{"SET l 1 PX 60000"}, {"1"}, R"("released",0)", 60000, look, {R"("0")", "1"}});
        row("no count",     "release", {{"SET l exclusive"}, {"exclusive"}, R"("released",0)", -2, {"EXISTS l"}, {"0"}});
        row("none holds",   "release", {{"SET l 0"}, {"0"}, R"("not-held",-1)", -1});
        row("too few",      "release", {{"SET l -1"}, {"-1"}, R"("not-held",-1)", -1});
        row("one more",     "release", {three, {"2"}, R"("held-by-other",-1)", 60000});
        row("gone",         "release", {{}, {"1"}, R"("not-held",-1)", -2});
        row("a hash",       "release", {{"HSET l 1 1"}, {"1"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        // clang-format on
    }

    void badArguments()
    {
        verifyUsage("release", {"1"}, {{}, {"1", "1"}}, {{""}, {}});
        verifyError("release", {""}, "token must not be empty");
    }
};

QTEST_GUILESS_MAIN(CounterScript)
#include "tst_counter.moc"
