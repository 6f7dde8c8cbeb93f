// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/set-field/force-expire.lua on a real server, in the form for Redis 7 and in the one for Redis 6.
class SetFieldScript : public CallTest
{
    Q_OBJECT

public:
    SetFieldScript() : CallTest("set-field", {"l"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words held{"HSET l pid me lock 2 data d", "PEXPIRE l 60000"};
        const Words mine{"", "pid", "me", "lock", "0"};
        // clang-format off
        row("held",         "force-expire", {held, mine, R"("expired",1)", 60000, {"HMGET l lock pid data", "PERSIST l"}, {R"("0","me","d")", "1"}});
        row("another's",    "force-expire", {held, {"", "pid", "you", "lock", "0"}, R"("owner-changed",-1)", 60000});
        row("nobody's",     "force-expire", {{"HSET l pid me lock 0"}, mine, R"("already-gone",-1)", -1});
        row("without lock", "force-expire", {{"HSET l pid me"}, mine, R"("already-gone",-1)", -1});
        row("gone",         "force-expire", {{}, mine, R"("already-gone",-1)", -2});
        row("a string",     "force-expire", {{"SET l me"}, mine, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        // clang-format on
    }

    void badArguments()
    {
        verifyUsage("force-expire", {"", "pid", "me", "lock", "0"},
                    {{"5", "pid", "me", "lock", "0"},
                     {"", "pid", "me", "lock"},
                     {"", "", "me", "lock", "0"},
                     {"", "pid", "me", "", "0"}},
                    {{""}, {}});
    }
};

QTEST_GUILESS_MAIN(SetFieldScript)
#include "tst_setfield.moc"
