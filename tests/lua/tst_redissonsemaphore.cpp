// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray script = "redisson-semaphore/force-expire";
const Words keys{"s", "{s}:timeout"};

} // namespace

/// lua/redisson-semaphore/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class RedissonSemaphoreScripts : public QObject
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
            call.keys = keys;
            call.look = {"GET s", "ZRANGE {s}:timeout 0 -1"};
            QTest::newRow(name) << call;
        };
        const Words given{"SET s 3", "ZADD {s}:timeout 5 a 6 b"};
        const auto user = [](const QByteArray &rules) {
            return Words{"ACL SETUSER worker reset on nopass ~* +@all allchannels " + rules, "AUTH worker x"};
        };
        // clang-format off
        row("one",             {given, {}, {}, {"", "only", "a", ""}, R"("expired",1)", -1, {}, {R"("4")", R"("b")"}});
        row("all",             {given, {}, {}, {"", "all", "a", "", "b", ""}, R"("expired",2)", -1, {}, {R"("5")", ""}});
        row("both, by name",   {given, {}, {}, {"", "only", "b", "", "a", ""}, R"("expired",2)", -1, {}, {R"("5")", ""}});
        row("below zero",      {{"SET s -2", "ZADD {s}:timeout 5 a"}, {}, {}, {"", "all", "a", ""}, R"("expired",1)", -1, {}, {R"("-1")", ""}});
        row("with an expiry",  {{"SET s 0 PX 60000", "ZADD {s}:timeout 5 a"}, {}, {}, {"", "all", "a", ""}, R"("expired",1)", 60000, {}, {R"("1")", ""}});
        row("one of two",      {given, {}, {}, {"", "all", "a", ""}, R"("owner-changed",-1)", -1, {}, {}});
        row("given back",      {given, {}, {}, {"", "only", "c", ""}, R"("owner-changed",-1)", -1, {}, {}});
        row("one given back",  {given, {}, {}, {"", "only", "a", "", "c", ""}, R"("owner-changed",-1)", -1, {}, {}});
        row("none left",       {{"SET s 3"}, {}, {}, {"", "all", "a", ""}, R"("already-gone",-1)", -1, {}, {}});
        row("no semaphore",    {{"ZADD {s}:timeout 5 a"}, {}, {}, {"", "all", "a", ""}, R"("already-gone",-1)", -2, {}, {}});
        row("a hash",          {{"HSET s 3 3", "ZADD {s}:timeout 5 a"}, {}, {}, {"", "all", "a", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("a list beside",   {{"SET s 3", "RPUSH {s}:timeout a"}, {}, {}, {"", "all", "a", ""}, R"("wrong-type",-1)", -1, {}, {}, "its set of permits holds a list"});
        row("no number",       {{"SET s word", "ZADD {s}:timeout 5 a"}, {}, {}, {"", "all", "a", ""}, R"("wrong-type",-1)", -1, {}, {}, "the key holds no number"});
        row("PUBLISH refused", {given + user("resetchannels"), {}, {}, {"", "only", "a", ""}, R"("expired",1)", -1, {}, {R"("4")", R"("b")"}, "waiters not woken: "});
        // clang-format on
    }
    void calls()
    {
        QFETCH_GLOBAL(const bool, flagged);
        QFETCH(const NamedCall, call);
        verifyCall(m_server, call, flagged);
    }

    /// What can't be done whole is not begun.
    void refusalsLeaveAllAsItWas()
    {
        QFETCH_GLOBAL(const bool, flagged);
        for (const char *forbidden : {"-zrem", "-incrby"}) {
            const Words out = m_server.lines(
                {"AUTH default x", "FLUSHALL", "SET s 3", "ZADD {s}:timeout 5 a 6 b",
                 QByteArray("ACL SETUSER worker reset on nopass ~* +@all allchannels ") + forbidden,
                 "AUTH worker x", ScriptServer::call(script, flagged, keys, {"", "only", "a", ""}),
                 "AUTH default x", "GET s", "ZCARD {s}:timeout"});
            QVERIFY2(out[6].startsWith("ERROR"), out[6]);
            QCOMPARE(out.mid(8), (Words{R"("3")", "2"}));
        }
    }

    void badArguments()
    {
        verifyUsage(m_server, script,
                    {{{"s"}, {"", "all", "a", ""}},
                     {{"s", ""}, {"", "all", "a", ""}},
                     {{"", "t"}, {"", "all", "a", ""}},
                     {keys, {"5", "all", "a", ""}},
                     {keys, {"", "some", "a", ""}},
                     {keys, {"", "all"}},
                     {keys, {"", "all", "a"}},
                     {keys, {"", "all", "a", "", "x"}}});
        for (const Words &arguments : {Words{"", "all", "", ""}, Words{"", "all", "a", "", "a", ""}}) {
            const QByteArray reply = m_server.lines({ScriptServer::call(script, true, keys, arguments)})[0];
            QVERIFY2(reply.startsWith("ERROR,\"ERR a permit is empty or given twice"), reply);
        }
    }

    /// By what is free then; a refusal says nothing. A name with a brace stands for itself.
    void waitersAreWoken()
    {
        QFETCH_GLOBAL(const bool, flagged);
        Listener waiter(m_server, "SUBSCRIBE", "redisson_sc:a{b}");
        const auto call = [flagged](const QByteArray &id) {
            return ScriptServer::call(script, flagged, {"a{b}", "a{b}:timeout"}, {"", "only", id, ""});
        };
        m_server.lines({"FLUSHALL", "SET a{b} 2", "ZADD a{b}:timeout 5 x", call("y")});
        QVERIFY(waiter.heardNothing());
        m_server.lines({call("x")});
        QCOMPARE(waiter.heard(1), Words{"3"});
    }

private:
    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(RedissonSemaphoreScripts)
#include "tst_redissonsemaphore.moc"
