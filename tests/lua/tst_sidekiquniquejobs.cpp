// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray script = "sidekiq-unique-jobs/force-expire";
const QByteArray digest = "uniquejobs:d";
const Words seven{digest + ":LOCKED",           digest,           digest + ":QUEUED",
                  digest + ":PRIMED",           digest + ":INFO", "uniquejobs:digests",
                  "uniquejobs:expiring_digests"};
const Words keys = seven + Words{digest + ":RUN:LOCKED", digest + ":RUN", digest + ":RUN:QUEUED",
                                 digest + ":RUN:PRIMED", digest + ":RUN:INFO"};

} // namespace

/// lua/sidekiq-unique-jobs/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class SidekiqUniqueJobsScripts : public QObject
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
            if (call.keys.isEmpty())
                call.keys = keys;
            QTest::newRow(name) << call;
        };
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
        row("both jobs",            {locked, {}, {}, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, look, {"", other, other, R"("1")"}});
        row("both, nothing left behind", {locked, {}, {}, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, count, {"3", R"("1")", "1"}});
        row("both, another runs",   {locked + running, {}, {}, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, {"DBSIZE", "EXISTS uniquejobs:d:RUN"}, {"5", "1"}, "its lock for the time of running stays"});
        row("both, of a run",       {locked, {}, seven, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, count, {"3", R"("1")", "1"}});
        row("both, one waits",      {locked + waiting, {}, {}, {"", "all", "j", "", "k", ""}, R"("expired",2)", -2, count, {"5", R"("1","w")", "2"}});
        row("one of them",          {locked, {}, {}, {"", "only", "j", ""}, R"("expired",1)", -1, {"HKEYS uniquejobs:d:LOCKED", "ZCARD uniquejobs:digests", "LRANGE uniquejobs:d:QUEUED 0 -1"}, {R"("k")", "2", R"("1")"}});
        row("version 9",            {described, {}, {}, {"", "all", "j", ""}, R"("expired",1)", -2, {"DBSIZE", "ZRANGE uniquejobs:digests 0 -1"}, {"2", other}});
        row("one more",             {locked, {}, {}, {"", "all", "j", ""}, R"("owner-changed",-1)", -1, {}, {}});
        row("another",              {locked, {}, {}, {"", "only", "x", ""}, R"("owner-changed",-1)", -1, {}, {}});
        row("gone",                 {indexed, {}, {}, {"", "all", "j", ""}, R"("already-gone",-1)", -2, {}, {}});
        row("a string",             {{"SET uniquejobs:d:LOCKED j"}, {}, {}, {"", "all", "j", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("no queue of theirs",   {locked + Words{"SET uniquejobs:d:QUEUED x"}, {}, {}, {"", "all", "j", "", "k", ""}, R"("wrong-type",-1)", -1, {}, {}, "QUEUED holds a string"});
        // clang-format on
    }
    void calls()
    {
        QFETCH(const NamedCall, call);
        verifyCall(m_server, call, flagged());
    }

    void badArguments()
    {
        Words odd = keys;
        odd[5] = "other:digests";
        Words half = keys;
        half.removeLast();
        verifyUsage(m_server, script,
                    {{keys, {}},
                     {keys, {"", "all"}},
                     {keys, {"5", "all", "j", ""}},
                     {keys, {"", "x", "j", ""}},
                     {keys, {"", "all", "j"}},
                     {odd, {"", "all", "j", ""}},
                     {half, {"", "all", "j", ""}},
                     {{digest + ":LOCKED"}, {"", "all", "j", ""}},
                     {{}, {"", "all", "j", ""}}});
        QVERIFY(m_server.lines({ScriptServer::call(script, true, keys, {"", "all", "j", "", "j", ""})})[0]
                    .startsWith("ERROR,\"ERR a job is given twice"));
    }

    /// A job that waits blocks on a list that is empty: it is woken all the same, and what wakes it ends by itself.
    void whoBlocksIsWoken()
    {
        const QByteArray call = ScriptServer::call(script, flagged(), keys, {"", "all", "j", ""});
        QProcess waiter;
        m_server.lines({"FLUSHALL", "HSET uniquejobs:d:LOCKED j 1"});
        const QStringList ends{QStringLiteral("uniquejobs:d:QUEUED"), QStringLiteral("uniquejobs:d:PRIMED")};
        const QStringList move =
            RedisServer::majorVersion() >= 7
                ? QStringList{QStringLiteral("BLMOVE")} + ends +
                      QStringList{QStringLiteral("RIGHT"), QStringLiteral("LEFT")}
                : QStringList{QStringLiteral("BRPOPLPUSH")} + ends; // the same under its older name
        waiter.start(QStringLiteral("redis-cli"), QStringList{QStringLiteral("-s"), m_server.socketPath()} +
                                                      move + QStringList{QStringLiteral("20")});
        QTRY_VERIFY(m_server.cli({"INFO", "clients"}).contains("blocked_clients:1"));
        m_server.lines({call});
        QVERIFY(waiter.waitForFinished(10'000));
        QCOMPARE(waiter.readAllStandardOutput(), "1\n");
        const Words out = m_server.lines({"HSET uniquejobs:d:LOCKED j 1", call, "PTTL uniquejobs:d:QUEUED"});
        QVERIFY2(out[2].toInt() > 0 && out[2].toInt() <= 5000, out[2]);
    }

private:
    static bool flagged()
    {
        QFETCH_GLOBAL(const bool, flagged);
        return flagged;
    }

    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(SidekiqUniqueJobsScripts)
#include "tst_sidekiquniquejobs.moc"
