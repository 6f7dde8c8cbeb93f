// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const Words keys{"lock:a", "lock-signal:a"};

} // namespace

/// lua/python-redis-lock/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class PythonRedisLockScripts : public QObject
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
        const auto row = [](const char *name, const QByteArray &script, NamedCall call) {
            call.script = "python-redis-lock/" + script;
            call.keys = keys;
            QTest::newRow(name) << call;
        };
        const Words held{"SET lock:a t PX 60000"};
        const Words look{"EXISTS lock:a", "LRANGE lock-signal:a 0 -1"};
        const Words left{"GET lock:a", "EXISTS lock-signal:a"};
        // clang-format off
        row("force: at once",         "force-expire", {held, {}, {}, {"", "t", ""}, R"("expired",1)", -2, look, {"0", R"("1")"}});
        row("force: an old signal",   "force-expire", {held + Words{"RPUSH lock-signal:a 1 1 1"}, {}, {}, {"", "t"}, R"("expired",1)", -2, look, {"0", R"("1")"}});
        row("force: endless",         "force-expire", {{"SET lock:a t"}, {}, {}, {"20", "t", ""}, R"("expired",1)", 20'000, left, {R"("t")", "0"}, "those who wait now"});
        row("force: grace lengthens not", "force-expire", {held, {}, {}, {"100", "t", ""}, R"("expired",1)", 60'000, left, {R"("t")", "0"}, "those who wait now"});
        row("force: gone",            "force-expire", {{}, {}, {}, {"", "t", ""}, R"("already-gone",-1)", -2, {}, {}});
        row("force: another's",       "force-expire", {held, {}, {}, {"", "u", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("force: a hash",          "force-expire", {{"HSET lock:a t 1"}, {}, {}, {"", "t", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("force: no signal",       "force-expire", {held + Words{"SET lock-signal:a x"}, {}, {}, {"", "t", ""}, R"("wrong-type",-1)", 60'000, {}, {}, "its signal holds a string"});
        row("release",                "release", {held, {}, {}, {"t"}, R"("released",0)", -2, look, {"0", R"("1")"}});
        row("release: free",          "release", {{}, {}, {}, {"t"}, R"("not-held",-1)", -2, {}, {}});
        row("release: another's",     "release", {held, {}, {}, {"u"}, R"("held-by-other",-1)", 60'000, {}, {}});
        row("release: a hash",        "release", {{"HSET lock:a t 1"}, {}, {}, {"t"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        // clang-format on
    }
    void calls()
    {
        QFETCH(const NamedCall, call);
        verifyCall(m_server, call, flagged());
    }

    void badArguments()
    {
        verifyGraces(m_server, {"SET lock:a t"}, "python-redis-lock/force-expire", keys, {"", "t"});
        verifyUsage(m_server, "python-redis-lock/force-expire",
                    {{keys, {""}},
                     {keys, {"", "t", "1"}},
                     {keys, {"", "t", "", ""}},
                     {{"lock:a"}, {"", "t"}},
                     {{"lock:a", "lock-signal:b"}, {"", "t"}},
                     {{"a", "lock-signal:a"}, {"", "t"}}});
        verifyUsage(m_server, "python-redis-lock/release",
                    {{keys, {}}, {keys, {"t", "u"}}, {{"lock:a", "lock-signal:b"}, {"t"}}});
    }

    /// Each that blocks is woken by one element, and the signal is gone by itself where nobody does.
    void whoBlocksIsWoken()
    {
        for (const auto &[script, arguments] :
             {std::pair<QByteArray, Words>{"force-expire", {"", "t"}}, {"release", {"t"}}}) {
            const QByteArray call =
                ScriptServer::call("python-redis-lock/" + script, flagged(), keys, arguments);
            QProcess waiter;
            m_server.lines({"FLUSHALL", "SET lock:a t"});
            waiter.start(QStringLiteral("redis-cli"),
                         {QStringLiteral("-s"), m_server.socketPath(), QStringLiteral("BLPOP"),
                          QStringLiteral("lock-signal:a"), QStringLiteral("20")});
            QTRY_VERIFY(m_server.cli({"INFO", "clients"}).contains("blocked_clients:1"));
            m_server.lines({call});
            QVERIFY(waiter.waitForFinished(10'000));
            QCOMPARE(waiter.readAllStandardOutput(), "lock-signal:a\n1\n");
            const Words out = m_server.lines({"SET lock:a t", call, "PTTL lock-signal:a"});
            QVERIFY2(out[2].toInt() > 0 && out[2].toInt() <= 1000, out[2]);
        }
    }

private:
    static bool flagged()
    {
        QFETCH_GLOBAL(const bool, flagged);
        return flagged;
    }

    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(PythonRedisLockScripts)
#include "tst_pythonredislock.moc"
