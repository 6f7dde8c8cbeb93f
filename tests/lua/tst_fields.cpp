// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/fields/force-expire.lua with a set of locks beside the lock, on a real server, in the form for Redis 7 and in the one
/// for Redis 6.
class FieldScripts : public CallTest
{
    Q_OBJECT

public:
    FieldScripts() : CallTest("fields", {"lock", "locks"}) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words two{"HSET lock a R b R", "PEXPIRE lock 60000", "SADD locks lock other"};
        const Words look{"SMEMBERS locks"};
        // clang-format off
        row("all",          "force-expire", {two, {"", "all", "a", "R", "b", "R"}, R"("expired",2)", -2, look, {R"("other")"}});
        row("some",         "force-expire", {two, {"", "only", "a", "R"}, R"("expired",1)", 60'000, {"HKEYS lock", "SCARD locks"}, {R"("b")", "2"}});
        row("grace",        "force-expire", {two, {"20", "all", "a", "R", "b", "R"}, R"("expired",2)", 20'000, {"SCARD locks"}, {"2"}});
        row("another",      "force-expire", {two, {"", "all", "a", "W", "b", "R"}, R"("owner-changed",-1)", 60'000, {"SCARD locks"}, {"2"}});
        row("no such set",  "force-expire", {{"HSET lock a R"}, {"", "all", "a", "R"}, R"("expired",1)", -2, {"EXISTS locks"}, {"0"}});
        row("no set",       "force-expire", {{"HSET lock a R", "SET locks x"}, {"", "all", "a", "R"}, R"("expired",1)", -2, {"GET locks"}, {R"("x")"}, "still in a set of locks: WRONGTYPE"});
        // clang-format on
    }
};

QTEST_GUILESS_MAIN(FieldScripts)
#include "tst_fields.moc"
