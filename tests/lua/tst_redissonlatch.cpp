// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const QByteArray script = "redisson-latch/force-expire";

} // namespace

/// lua/redisson-latch/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class RedissonLatchScripts : public QObject
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
            call.keys = {"latch"};
            QTest::newRow(name) << call;
        };
        const Words closed{"SET latch 3"};
        const Words silent{"ACL SETUSER worker reset on nopass ~* +@all resetchannels", "AUTH worker x"};
        // clang-format off
        row("closed",          {closed, {}, {}, {"", "3", ""}, R"("expired",-1)", -2, {"EXISTS latch"}, {"0"}});
        row("counted down",    {closed, {}, {}, {"", "4"}, R"("holds-changed",-1)", -1, {}, {}});
        row("open",            {{}, {}, {}, {"", "3"}, R"("already-gone",-1)", -2, {}, {}});
        row("a hash",          {{"HSET latch 3 3"}, {}, {}, {"", "3"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("PUBLISH refused", {closed + silent, {}, {}, {"", "3"}, R"("expired",-1)", -2, {"EXISTS latch"}, {"0"}, "waiters not woken: "});
        // clang-format on
    }
    void calls()
    {
        QFETCH_GLOBAL(const bool, flagged);
        QFETCH(const NamedCall, call);
        verifyCall(m_server, call, flagged);
    }

    void badArguments()
    {
        verifyUsage(m_server, script,
                    {{{"latch"}, {""}},
                     {{"latch"}, {"5", "3"}},
                     {{"latch"}, {"", "3", "1"}},
                     {{"latch"}, {"", "3", "", "x"}},
                     {{""}, {"", "3"}},
                     {{}, {"", "3"}}});
    }

    /// By 0, which says open; a refusal says nothing. The braces stand there whatever the name has.
    void waitersAreWoken()
    {
        QFETCH_GLOBAL(const bool, flagged);
        Listener waiter(m_server, "SUBSCRIBE", "redisson_countdownlatch__channel__{a{b}}");
        const auto call = [flagged](const QByteArray &seen) {
            return ScriptServer::call(script, flagged, {"a{b}"}, {"", seen});
        };
        m_server.lines({"FLUSHALL", "SET a{b} 2", call("1")});
        QVERIFY(waiter.heardNothing());
        m_server.lines({call("2")});
        QCOMPARE(waiter.heard(1), Words{"0"});
    }

private:
    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(RedissonLatchScripts)
#include "tst_redissonlatch.moc"
