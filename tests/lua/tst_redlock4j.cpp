// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

/// lua/redlock4j/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class Redlock4jScripts : public QObject
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
        const auto row = [](const char *name, const char *script, NamedCall call) {
            call.script = QByteArray("redlock4j/") + script;
            call.keys = {"l", "l:queue"};
            call.look = {"EXISTS l", "ZRANGE l:queue 0 -1"};
            QTest::newRow(name) << call;
        };
        const QByteArray head = "0123456789abcdef0123456789abcdef01234567";
        const QByteArray next = "fedcba9876543210fedcba9876543210fedcba98";
        const QByteArray gone = "0";
        const QByteArray own = "89abcdef0123456789abcdef0123456701234567";
        const Words held{"SET l " + own + " PX 60000"};
        const Words lent{"SET l t PX 60000", "ZADD l:queue 1 " + head};
        const Words fair = held + Words{"ZADD l:queue 1 " + head + " 2 " + next};
        const Words foreign = held + Words{"ZADD l:queue 1 job"};
        // clang-format off
        row("release",                "release", {held, {}, {}, {own}, R"("released",0)", -2, {}, {gone, ""}});
        row("release: fair",          "release", {fair, {}, {}, {own}, R"("released",0)", -2, {}, {gone, '"' + next + '"'}});
        row("release: foreign queue", "release", {foreign, {}, {}, {own}, R"("released",0)", -2, {}, {gone, R"("job")"}});
        row("release: an operator's", "release", {lent, {}, {}, {"t"}, R"("released",0)", -2, {}, {gone, '"' + head + '"'}});
        row("force: an operator's",   "force-expire", {lent, {}, {}, {"", "t"}, R"("expired",1)", -2, {}, {gone, '"' + head + '"'}});
        row("release: other",         "release", {fair, {}, {}, {"u"}, R"("held-by-other",-1)", 60000, {}, {}});
        row("release: free",          "release", {{}, {}, {}, {"t"}, R"("not-held",-1)", -2, {}, {}});
        row("release: a hash",        "release", {{"HSET l t 1"}, {}, {}, {"t"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
        row("force",                  "force-expire", {held, {}, {}, {"", own}, R"("expired",1)", -2, {}, {gone, ""}});
        row("force: fair",            "force-expire", {fair, {}, {}, {"", own, ""}, R"("expired",1)", -2, {}, {gone, '"' + next + '"'}});
        row("force: grace",           "force-expire", {fair, {}, {}, {"5", own}, R"("expired",1)", 5000, {}, {"1", '"' + head + "\",\"" + next + '"'}});
        row("force: other",           "force-expire", {fair, {}, {}, {"", "u"}, R"("owner-changed",-1)", 60000, {}, {}});
        row("force: free",            "force-expire", {{}, {}, {}, {"", "t"}, R"("already-gone",-1)", -2, {}, {}});
        row("force: a list",          "force-expire", {{"RPUSH l t"}, {}, {}, {"", "t"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a list"});
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
        const Words keys{"l", "l:queue"};
        verifyUsage(m_server, "redlock4j/release",
                    {{{"l"}, {"t"}},
                     {{"l", "queue"}, {"t"}},
                     {{"", ":queue"}, {"t"}},
                     {keys, {}},
                     {keys, {"t", "x"}}});
        verifyUsage(m_server, "redlock4j/force-expire",
                    {{{"l"}, {"", "t"}}, {{"l", "queue"}, {"", "t"}}, {keys, {""}}, {keys, {"", "t", "1"}}});
        verifyGraces(m_server, {"SET l t PX 60000"}, "redlock4j/force-expire", keys, {"", "t"});
        const QByteArray reply =
            m_server.lines({ScriptServer::call("redlock4j/release", true, keys, {""})})[0];
        QVERIFY2(reply.startsWith("ERROR,\"ERR token must not be empty"), reply);
    }

private:
    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(Redlock4jScripts)
#include "tst_redlock4j.moc"
