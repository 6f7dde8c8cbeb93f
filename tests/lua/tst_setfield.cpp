// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

/// lua/set-field/force-expire.lua on a real server, in the form for Redis 7 and in the one for Redis 6.
class SetFieldScript : public QObject
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
            call.script = "set-field/force-expire";
            call.keys = {"l"};
            QTest::newRow(name) << call;
        };
        const Words held{"HSET l pid me lock 2 data d", "PEXPIRE l 60000"};
        const Words mine{"", "pid", "me", "lock", "0"};
        // clang-format off
        row("held",         {held, {}, {}, mine, R"("expired",1)", 60000, {"HMGET l lock pid data", "PERSIST l"}, {R"("0","me","d")", "1"}});
        row("another's",    {held, {}, {}, {"", "pid", "you", "lock", "0"}, R"("owner-changed",-1)", 60000, {}, {}});
        row("nobody's",     {{"HSET l pid me lock 0"}, {}, {}, mine, R"("already-gone",-1)", -1, {}, {}});
        row("without lock", {{"HSET l pid me"}, {}, {}, mine, R"("already-gone",-1)", -1, {}, {}});
        row("gone",         {{}, {}, {}, mine, R"("already-gone",-1)", -2, {}, {}});
        row("a string",     {{"SET l me"}, {}, {}, mine, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
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
        verifyUsage(m_server, "set-field/force-expire",
                    {{{"l"}, {"5", "pid", "me", "lock", "0"}},
                     {{"l"}, {"", "pid", "me", "lock"}},
                     {{"l"}, {"", "", "me", "lock", "0"}},
                     {{"l"}, {"", "pid", "me", "", "0"}},
                     {{""}, {"", "pid", "me", "lock", "0"}},
                     {{}, {"", "pid", "me", "lock", "0"}}});
    }

private:
    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(SetFieldScript)
#include "tst_setfield.moc"
