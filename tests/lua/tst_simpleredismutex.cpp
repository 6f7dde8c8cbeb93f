// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

/// lua/simple-redis-mutex/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class SimpleRedisMutexScripts : public QObject
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
            call.script = "simple-redis-mutex/" + script;
            call.keys = Words{"@simple-redis-mutex:lock-a"};
            QTest::newRow(name) << call;
        };
        // clang-format off
        const Words held{"SET @simple-redis-mutex:lock-a 0.5 PX 60000"};
        const Words silent{"ACL SETUSER worker reset on nopass ~* +@all resetchannels", "AUTH worker x"};
        const Words look{"GET @simple-redis-mutex:lock-a"};
        row("force: at once",     "force-expire", {held, {}, {}, {"", "0.5", ""}, R"("expired",1)", -2, look, {"NULL"}});
        row("force: grace",       "force-expire", {held, {}, {}, {"20", "0.5"}, R"("expired",1)", 20'000, look, {R"("0.5")"}});
        row("force: gone",        "force-expire", {{}, {}, {}, {"", "0.5", ""}, R"("already-gone",-1)", -2, {}, {}});
        row("force: another's",   "force-expire", {held, {}, {}, {"", "0.6", ""}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("force: PUBLISH refused", "force-expire", {held + silent, {}, {}, {"", "0.5", ""}, R"("expired",1)", -2, look, {"NULL"}, "waiters not woken: "});
        row("release",            "release", {held, {}, {}, {"0.5"}, R"("released",0)", -2, look, {"NULL"}});
        row("release: free",      "release", {{}, {}, {}, {"0.5"}, R"("not-held",-1)", -2, {}, {}});
        row("release: another's", "release", {held, {}, {}, {"0.6"}, R"("held-by-other",-1)", 60'000, {}, {}});
        // clang-format on
    }
    void calls()
    {
        QFETCH(const NamedCall, call);
        verifyCall(m_server, call, flagged());
    }

    void badArguments()
    {
        const Words keys{"@simple-redis-mutex:lock-a"};
        verifyGraces(m_server, {"SET @simple-redis-mutex:lock-a t"}, "simple-redis-mutex/force-expire", keys,
                     {"", "t"});
        verifyUsage(m_server, "simple-redis-mutex/force-expire",
                    {{keys, {""}}, {keys, {"", "t", "1"}}, {{}, {"", "t"}}, {{""}, {"", "t"}}});
        verifyUsage(m_server, "simple-redis-mutex/release", {{keys, {}}, {keys, {"t", "u"}}, {{""}, {"t"}}});
    }

    /// As the library itself writes it; what would not be JSON is never sent.
    void waitersAreTold()
    {
        Listener waiters(m_server, "SUBSCRIBE", "@simple-redis-mutex:locks-releases");
        const auto release = [](const QByteArray &key) {
            return ScriptServer::call("simple-redis-mutex/release", flagged(), {key}, {"0.5"});
        };
        m_server.lines({"FLUSHALL", "SET 'k\"a' 0.5", "SET k\\a 0.5", "SET k 0.5"});
        const QByteArrayList answers = m_server.lines({release("k\"a"), release("k\\a")});
        for (const QByteArray &answer : answers)
            QVERIFY2(answer.contains("waiters not woken"), answer.constData());
        QVERIFY(waiters.heardNothing());
        m_server.lines({release("k")});
        QCOMPARE(waiters.heard(1), (Words{R"({ "key": "k", "value": "0.5" })"}));
    }

private:
    static bool flagged()
    {
        QFETCH_GLOBAL(const bool, flagged);
        return flagged;
    }

    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(SimpleRedisMutexScripts)
#include "tst_simpleredismutex.moc"
