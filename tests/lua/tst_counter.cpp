// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

/// lua/counter/release.lua on a real server, in the form for Redis 7 and in the one for Redis 6.
class CounterScript : public QObject
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
            call.script = "counter/release";
            call.keys = {"l"};
            QTest::newRow(name) << call;
        };
        const Words three{"SET l 3 PX 60000"};
        const Words look{"GET l", "PERSIST l"};
        // clang-format off
        row("one of three", {three, {}, {}, {"3"}, R"("unwound",2)", 60000, look, {R"("2")", "1"}});
        row("the last",     {{"SET l 1 PX 60000"}, {}, {}, {"1"}, R"("released",0)", 60000, look, {R"("0")", "1"}});
        row("no count",     {{"SET l exclusive"}, {}, {}, {"exclusive"}, R"("released",0)", -2, {"EXISTS l"}, {"0"}});
        row("none holds",   {{"SET l 0"}, {}, {}, {"0"}, R"("not-held",-1)", -1, {}, {}});
        row("too few",      {{"SET l -1"}, {}, {}, {"-1"}, R"("not-held",-1)", -1, {}, {}});
        row("one more",     {three, {}, {}, {"2"}, R"("held-by-other",-1)", 60000, {}, {}});
        row("gone",         {{}, {}, {}, {"1"}, R"("not-held",-1)", -2, {}, {}});
        row("a hash",       {{"HSET l 1 1"}, {}, {}, {"1"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a hash"});
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
        verifyUsage(m_server, "counter/release",
                    {{{"l"}, {}}, {{"l"}, {"1", "1"}}, {{""}, {"1"}}, {{}, {"1"}}});
        const QByteArray reply =
            m_server.lines({ScriptServer::call("counter/release", true, {"l"}, {""})})[0];
        QVERIFY2(reply.startsWith("ERROR,\"ERR token must not be empty"), reply);
    }

private:
    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(CounterScript)
#include "tst_counter.moc"
