// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray digest = "uniquejobs:d";
const Words seven{digest + ":LOCKED",           digest,           digest + ":QUEUED",
                  digest + ":PRIMED",           digest + ":INFO", "uniquejobs:digests",
                  "uniquejobs:expiring_digests"};
const Words keys = seven + Words{digest + ":RUN:LOCKED", digest + ":RUN", digest + ":RUN:QUEUED",
                                 digest + ":RUN:PRIMED", digest + ":RUN:INFO"};

} // namespace

/// lua/sidekiq-unique-jobs/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class SidekiqUniqueJobsScripts : public CallTest
{
    Q_OBJECT

public:
    SidekiqUniqueJobsScripts() : CallTest("sidekiq-unique-jobs", keys) {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words indexed{"ZADD uniquejobs:digests 1 uniquejobs:d 1 other",
                            "ZADD uniquejobs:expiring_digests 1 uniquejobs:d 1 other"};
        const Words locked = indexed + Words{"HSET uniquejobs:d:LOCKED j 1700000000.1 k 1700000000.2",
                                             "SET uniquejobs:d j", "SET uniquejobs:d:INFO i"};
        const Words running{"HSET uniquejobs:d:RUN:LOCKED r 1700000000.3", "SET uniquejobs:d:RUN r"};
        const Words waiting{"RPUSH uniquejobs:d:QUEUED w"};
        const Words described = indexed + Words{"HSET uniquejobs:d:LOCKED j '{\"worker\":1}'"};
        const Words look{"KEYS *d", "ZRANGE uniquejobs:digests 0 -1",
                         "ZRANGE uniquejobs:expiring_digests 0 -1", "LRANGE uniquejobs:d:QUEUED 0 -1"};
        const Words count{"DBSIZE", "LRANGE uniquejobs:d:QUEUED 0 -1", "ZCARD uniquejobs:digests"};
        const QByteArray other = R"("other")";
        // clang-format off
        row("both jobs",            "force-expire", {locked, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, look, {"", other, other, R"("1")"}});
        row("both, nothing left behind", "force-expire", {locked, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, count, {"3", R"("1")", "1"}});
        row("both, another runs",   "force-expire", {locked + running, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, {"DBSIZE", "EXISTS uniquejobs:d:RUN"}, {"5", "1"}, "its lock for the time of running stays"});
        row("both, of a run",       "force-expire", {locked, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, count, {"3", R"("1")", "1"}, {}, seven});
        row("both, one waits",      "force-expire", {locked + waiting, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, count, {"5", R"("1","w")", "2"}});
        row("one of them",          "force-expire", {locked, {"", "only", "j", ""}, R"("expired",1)", -1, {"HKEYS uniquejobs:d:LOCKED", "ZCARD uniquejobs:digests", "LRANGE uniquejobs:d:QUEUED 0 -1"}, {R"("k")", "2", R"("1")"}});
        row("version 9",            "force-expire", {described, {"", "all", "j", ""}, R"("expired",1)", -2, {"DBSIZE", "ZRANGE uniquejobs:digests 0 -1"}, {"2", other}});
        row("one more",             "force-expire", {locked, {"", "all", "j", ""}, R"("owner-changed",-1)", -1});
        row("another",              "force-expire", {locked, {"", "only", "x", ""}, R"("owner-changed",-1)", -1});
        row("gone",                 "force-expire", {indexed, {"", "all", "j", ""}, R"("already-gone",-1)", -2});
        row("a string",             "force-expire", {{"SET uniquejobs:d:LOCKED j"}, {"", "all", "j", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("no queue of theirs",   "force-expire", {locked + Words{"SET uniquejobs:d:QUEUED x"}, {"", "all", "j", "", "k", ""}, R"("wrong-type",-1)", -1, {}, {}, "QUEUED holds a string"});
        // clang-format on
    }

    void badArguments()
    {
        Words odd = keys;
        odd[5] = "other:digests";
        verifyUsage("force-expire", {"", "all", "j", ""},
                    {{}, {"", "all"}, {"5", "all", "j", ""}, {"", "x", "j", ""}, {"", "all", "j"}},
                    {odd, keys.first(keys.size() - 1), {digest + ":LOCKED"}, {}});
        verifyError("force-expire", {"", "all", "j", "", "j", ""}, "a job is given twice");
    }

    /// A job that waits blocks on a list that is empty: it is woken all the same, and what wakes it ends by itself.
    void whoBlocksIsWoken()
    {
        const QByteArray end = call("force-expire", {"", "all", "j", ""});
        const QByteArray make = "HSET uniquejobs:d:LOCKED j 1";
        Words move{"BRPOPLPUSH", "uniquejobs:d:QUEUED", "uniquejobs:d:PRIMED", "20"};
        if (RedisServer::majorVersion() >= 7) // the same under its newer name
            move = {"BLMOVE", move[1], move[2], "RIGHT", "LEFT", "20"};
        verifyWakesOneWhoBlocks(move, make, end, "1\n");
        const Words out = m_server.lines({make, end, "PTTL uniquejobs:d:QUEUED"});
        QVERIFY2(out[2].toInt() > 0 && out[2].toInt() <= 5000, out[2]);
    }
};

QTEST_GUILESS_MAIN(SidekiqUniqueJobsScripts)
#include "tst_sidekiquniquejobs.moc"
