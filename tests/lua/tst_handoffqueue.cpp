// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

const Words keys{"lock", "lock:handoff:queue", "lock:handoff:waiters", "lock:handoff:fence"};

} // namespace

/// What operators need of lua/handoff/ besides on a real server, in the form for Redis 7 and in the one for Redis 6.
class HandoffQueueScripts : public QObject
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
            call.script = "handoff/remove-waiter";
            call.keys = keys;
            QTest::newRow(name) << call;
        };
        const Words held{"HSET lock a 1", "PEXPIRE lock 60000", "RPUSH lock:handoff:queue b c",
                         "HSET lock:handoff:waiters b '9000000000000 30000' c '9000000000000 30000'"};
        const Words look{"LRANGE lock:handoff:queue 0 -1", "HKEYS lock:handoff:waiters"};
        // clang-format off
        row("the head",     {held, {}, {}, {"b"}, R"("removed",-1)", 60'000, look, {R"("c")", R"("c")"}});
        row("the last",     {held, {}, {}, {"c"}, R"("removed",-1)", 60'000, look, {R"("b")", R"("b")"}});
        row("of a free lock", {held + Words{"DEL lock"}, {}, {}, {"b"}, R"("removed",-1)", -2, look, {R"("c")", R"("c")"}});
        row("not there",    {held, {}, {}, {"d"}, R"("not-waiting",-1)", 60'000, {}, {}});
        row("no queue",     {{}, {}, {}, {"b"}, R"("not-waiting",-1)", -2, {}, {}});
        row("a string",     {{"SET lock a"}, {}, {}, {"b"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("another's key", {{"SET lock:handoff:queue a"}, {}, {}, {"b"}, R"("wrong-type",-1)", -2, {}, {}, ":handoff:queue holds a string"});
        // clang-format on
    }
    void calls()
    {
        QFETCH(const NamedCall, call);
        verifyCall(m_server, call, flagged());
    }

    void badArguments()
    {
        verifyUsage(m_server, "handoff/remove-waiter",
                    {{keys, {}}, {keys, {"b", "c"}}, {{"lock"}, {"b"}}, {{}, {"b"}}});
        QVERIFY(m_server.lines({ScriptServer::call("handoff/remove-waiter", true, keys, {""})})[0].startsWith(
            "ERROR,\"ERR waiter"));
    }

    /// Its message would give it the lock, so none is sent to find out.
    void aListeningWaiterStays()
    {
        Listener waiter(m_server, "SUBSCRIBE", "lock:handoff:wake:b");
        const QByteArray call = ScriptServer::call("handoff/remove-waiter", flagged(), keys, {"b"});
        const Words out = m_server.lines({"FLUSHALL", call, "RPUSH lock:handoff:queue b",
                                          "HSET lock:handoff:waiters b '9000000000000 30000'", call,
                                          "LLEN lock:handoff:queue"});
        QCOMPARE(out[1], R"("not-waiting",-1,-2,"")");
        QCOMPARE(out[4], R"("still-listens",-1,-2,"")");
        QCOMPARE(out[5], "1");
        QVERIFY(waiter.heardNothing());
    }

    /// For an operator, who does not know how often: a level more, and never fewer.
    void theNextLevel()
    {
        const auto call = [](const QByteArray &owner) {
            return ScriptServer::call("handoff/acquire", flagged(), keys, {owner, "30", "", "next"});
        };
        const Words out =
            m_server.lines({"FLUSHALL", call("a"), call("a"), call("b"), "HSET lock a 7", call("a"),
                            "HGET lock a", "HSET lock a 999999999999999", call("a")});
        QVERIFY2(out[1].startsWith(R"("acquired",1,)"), out[1]);
        QVERIFY2(out[2].startsWith(R"("reentered",2,)"), out[2]);
        QVERIFY2(out[3].startsWith(R"("held-by-other",-1,)"), out[3]);
        QVERIFY2(out[5].startsWith(R"("reentered",8,)"), out[5]);
        QCOMPARE(out[6], R"("8")");
        QVERIFY2(out[8].startsWith(R"("bad-count",-1,)"), out[8]);
    }

private:
    static bool flagged()
    {
        QFETCH_GLOBAL(const bool, flagged);
        return flagged;
    }

    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(HandoffQueueScripts)
#include "tst_handoffqueue.moc"
