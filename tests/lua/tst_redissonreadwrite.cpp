// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/namedcall.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

/// The key of a reader's hold.
QByteArray timeout(const QByteArray &owner, int level = 1)
{
    return "{lock}:" + owner + ":rwlock_timeout:" + QByteArray::number(level);
}

const QByteArray script = "redisson-read-write/force-expire";

} // namespace

/// lua/redisson-read-write/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class RedissonReadWriteScripts : public QObject
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
            call.keys.prepend("lock");
            QTest::newRow(name) << call;
        };
        const Words written{"HSET lock mode write a:1:write 2", "PEXPIRE lock 60000"};
        const Words read{"HSET lock mode read a:1 2 b:1 1", "PEXPIRE lock 60000",
                         "SET " + timeout("a:1") + " 1 PX 50000", "SET " + timeout("a:1", 2) + " 1 PX 60000",
                         "SET " + timeout("b:1") + " 1 PX 30000"};
        const Words both{"HSET lock mode write a:1:write 1 a:1 1", "PEXPIRE lock 60000",
                         "SET " + timeout("a:1") + " 1 PX 30000"};
        const Words ofA{timeout("a:1"), timeout("a:1", 2)};
        const Words all = ofA + Words{timeout("b:1")};
        const Words size{"DBSIZE"};
        const Words hash{"HGETALL lock", "DBSIZE"};
        const Words silent{"ACL SETUSER worker reset on nopass ~* +@all resetchannels", "AUTH worker x"};
        // clang-format off
        row("a writer",              {written, {}, {}, {"", "write", "all", "a:1:write", "2"}, R"("expired",2)", -2, size, {"0"}});
        row("a writer, mode not said", {written, {}, {}, {"", "", "all", "a:1:write", ""}, R"("expired",2)", -2, size, {"0"}});
        row("all readers",           {read, {}, all, {"", "read", "all", "a:1", "2", "b:1", "1"}, R"("expired",3)", -2, size, {"0"}});
        row("readers, keys unknown", {read, {}, {}, {"", "read", "all", "a:1", "2", "b:1", "1"}, R"("expired",3)", -2, size, {"3"}});
        row("one reader",            {read, {}, all, {"", "read", "only", "a:1", "2"}, R"("expired",2)", 30'000, hash, {R"("mode","read","b:1","1")", "2"}});
        row("the shorter reader",    {read, {}, all, {"", "read", "only", "b:1", "1"}, R"("expired",1)", 60'000, hash, {R"("mode","read","a:1","2")", "3"}});
        row("one, others unknown",   {read, {}, ofA, {"", "read", "only", "a:1", "2"}, R"("expired",2)", 60'000, hash, {R"("mode","read","b:1","1")", "2"}});
        row("one, others half known", {read, {}, {timeout("b:1"), timeout("a:1")}, {"", "read", "only", "b:1", "1"}, R"("expired",1)", 60'000, hash, {R"("mode","read","a:1","2")", "3"}});
        row("the last reader alone", {{"HSET lock mode read a:1 1"}, {}, {timeout("a:1")}, {"", "read", "only", "a:1", "1"}, R"("expired",1)", -2, size, {"0"}});
        row("a writer that reads",   {both, {}, {timeout("a:1")}, {"", "write", "all", "a:1:write", "1", "a:1", "1"}, R"("expired",2)", -2, size, {"0"}});
        row("its writing alone",     {both, {}, {timeout("a:1")}, {"", "write", "only", "a:1:write", "1"}, R"("expired",1)", 30'000, hash, {R"("mode","read","a:1","1")", "2"}});
        row("its reading alone",     {both, {}, {timeout("a:1")}, {"", "", "only", "a:1", "1"}, R"("expired",1)", 60'000, hash, {R"("mode","write","a:1:write","1")", "1"}});
        row("grace",                 {read, {}, all, {"20", "read", "all", "a:1", "2", "b:1", "1"}, R"("expired",3)", 20'000, size, {"4"}});
        row("grace lengthens not",   {read, {}, all, {"100", "read", "all", "a:1", "2", "b:1", "1"}, R"("expired",3)", 60'000, size, {"4"}});
        row("gone",                  {{}, {}, {}, {"", "read", "all", "a:1", "2"}, R"("already-gone",-1)", -2, {}, {}});
        row("a reader more",         {read, {}, ofA, {"", "read", "all", "a:1", "2"}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("a reader less",         {read, {}, all, {"", "read", "all", "a:1", "2", "b:1", "1", "c:1", "1"}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("another reader",        {read, {}, ofA, {"", "read", "only", "c:1", "2"}, R"("owner-changed",-1)", 60'000, {}, {}});
        row("count changed",         {read, {}, all, {"", "read", "all", "a:1", "1", "b:1", "1"}, R"("holds-changed",3)", 60'000, {}, {}});
        row("mode changed",          {read, {}, ofA, {"", "write", "only", "a:1", "2"}, R"("holds-changed",2)", 60'000, {}, {}, "its mode is now read"});
        row("no mode",               {{"HSET lock a:1 1"}, {}, {}, {"", "read", "all", "a:1", "1"}, R"("wrong-type",-1)", -1, {}, {}, "the hash has no mode"});
        row("a string",              {{"SET lock a"}, {}, {}, {"", "read", "all", "a:1", "1"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("PUBLISH refused",       {written + silent, {}, {}, {"", "write", "all", "a:1:write", "2"}, R"("expired",2)", -2, size, {"0"}, "waiters not woken: "});
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
        verifyGraces(m_server, {"HSET lock mode read a:1 1"}, script, {"lock"},
                     {"", "read", "all", "a:1", "1"});
        const Words good{"", "read", "all", "a:1", "1"};
        verifyUsage(m_server, script,
                    {{{}, good},
                     {{""}, good},
                     {{"lock"}, {}},
                     {{"lock"}, {"", "read", "all"}},
                     {{"lock"}, {"", "x", "all", "a:1", "1"}},
                     {{"lock"}, {"", "read", "some", "a:1", "1"}},
                     {{"lock"}, {"5", "read", "only", "a:1", "1"}},
                     {{"lock"}, good + Words{"x"}},
                     {{"lock", "other"}, good},
                     {{"lock", "{other}:a:1:rwlock_timeout:1"}, good}});
        for (const QByteArray field : {"mode", "a:1"}) {
            const QByteArray reply =
                m_server.lines({ScriptServer::call(script, true, {"lock"}, good + Words{field, "1"})})[0];
            QVERIFY2(reply.startsWith("ERROR,\"ERR an owner is given twice"), reply);
        }
    }

    /// All of them, by 1; also of a shorter time. Not where one of several readers goes, for nobody can enter then.
    void waitersAreWoken()
    {
        QFETCH_GLOBAL(const bool, flagged);
        const auto call = [flagged](const Words &arguments) {
            return ScriptServer::call(script, flagged, {"lock"}, arguments);
        };
        Listener waiter(m_server, "SUBSCRIBE", "redisson_rwlock:{lock}");
        m_server.lines({"FLUSHALL", "HSET lock mode read a:1 1 b:1 1", call({"", "", "only", "b:1", "1"}),
                        call({"", "", "all", "b:1", "1"})});
        QVERIFY(waiter.heardNothing());
        m_server.lines({call({"20", "", "all", "a:1", "1"})});
        QCOMPARE(waiter.heard(1), Words{"1"});
        m_server.lines({call({"", "", "all", "a:1", "1"})});
        QCOMPARE(waiter.heard(2), (Words{"1", "1"}));
        m_server.lines({"HSET lock mode write a:1:write 1 a:1 1", call({"", "", "only", "a:1:write", "1"})});
        QCOMPARE(waiter.heard(3), (Words{"1", "1", "1"}));
    }

private:
    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(RedissonReadWriteScripts)
#include "tst_redissonreadwrite.moc"
