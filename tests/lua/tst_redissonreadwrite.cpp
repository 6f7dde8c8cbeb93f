// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

namespace {

/// The key of a reader's hold.
QByteArray timeout(const QByteArray &owner, int level = 1)
{
    return "{lock}:" + owner + ":rwlock_timeout:" + QByteArray::number(level);
}

} // namespace

/// lua/redisson-read-write/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class RedissonReadWriteScripts : public CallTest
{
    Q_OBJECT

public:
    RedissonReadWriteScripts() : CallTest("redisson-read-write") {}

private slots:
    void calls_data()
    {
        QTest::addColumn<NamedCall>("call");
        const Words written{"HSET lock mode write a:1:write 2", "PEXPIRE lock 60000"};
        const Words read{"HSET lock mode read a:1 2 b:1 1", "PEXPIRE lock 60000",
                         "SET " + timeout("a:1") + " 1 PX 50000", "SET " + timeout("a:1", 2) + " 1 PX 60000",
                         "SET " + timeout("b:1") + " 1 PX 30000"};
        const Words both{"HSET lock mode write a:1:write 1 a:1 1", "PEXPIRE lock 60000",
                         "SET " + timeout("a:1") + " 1 PX 30000"};
        const Words ofA{timeout("a:1"), timeout("a:1", 2)};
        const Words all = ofA + Words{timeout("b:1")};
        const Words size{"DBSIZE"};
        const auto row = [this](const char *name, const QByteArray &script, NamedCall call) {
            call.keys.prepend("lock");
            ScriptTest::row(name, script, call);
        };
        const Words hash{"HGETALL lock", "DBSIZE"};
        // clang-format off
        row("a writer",              "force-expire", {written, {"", "write", "all", "a:1:write", "2"}, R"("expired",2)", -2, size, {"0"}});
        row("a writer, mode not said", "force-expire", {written, {"", "", "all", "a:1:write", ""}, R"("expired",2)", -2, size, {"0"}});
        row("all readers",           "force-expire", {read, {"", "read", "all", "a:1", "2", "b:1", "1"}, R"("expired",3)", -2, size, {"0"}, {}, all});
        row("readers, keys unknown", "force-expire", {read, {"", "read", "all", "a:1", "2", "b:1", "1"}, R"("expired",3)", -2, size, {"3"}});
        row("one reader",            "force-expire", {read, {"", "read", "only", "a:1", "2"}, R"("expired",2)", 30'000, hash, {R"("mode","read","b:1","1")", "2"}, {}, all});
        row("the shorter reader",    "force-expire", {read, {"", "read", "only", "b:1", "1"}, R"("expired",1)", 60'000, hash, {R"("mode","read","a:1","2")", "3"}, {}, all});
        row("one, others unknown",   "force-expire", {read, {"", "read", "only", "a:1", "2"}, R"("expired",2)", 60'000, hash, {R"("mode","read","b:1","1")", "2"}, {}, ofA});
        row("one, others half known", "force-expire", {read, {"", "read", "only", "b:1", "1"}, R"("expired",1)", 60'000, hash, {R"("mode","read","a:1","2")", "3"}, {}, {timeout("b:1"), timeout("a:1")}});
        row("the last reader alone", "force-expire", {{"HSET lock mode read a:1 1"}, {"", "read", "only", "a:1", "1"}, R"("expired",1)", -2, size, {"0"}, {}, {timeout("a:1")}});
        row("a writer that reads",   "force-expire", {both, {"", "write", "all", "a:1:write", "1", "a:1", "1"}, R"("expired",2)", -2, size, {"0"}, {}, {timeout("a:1")}});
        row("its writing alone",     "force-expire", {both, {"", "write", "only", "a:1:write", "1"}, R"("expired",1)", 30'000, hash, {R"("mode","read","a:1","1")", "2"}, {}, {timeout("a:1")}});
        row("its reading alone",     "force-expire", {both, {"", "", "only", "a:1", "1"}, R"("expired",1)", 60'000, hash, {R"("mode","write","a:1:write","1")", "1"}, {}, {timeout("a:1")}});
        row("grace",                 "force-expire", {read, {"20", "read", "all", "a:1", "2", "b:1", "1"}, R"("expired",3)", 20'000, size, {"4"}, {}, all});
        row("grace lengthens not",   "force-expire", {read, {"100", "read", "all", "a:1", "2", "b:1", "1"}, R"("expired",3)", 60'000, size, {"4"}, {}, all});
        row("gone",                  "force-expire", {{}, {"", "read", "all", "a:1", "2"}, R"("already-gone",-1)", -2});
        row("a reader more",         "force-expire", {read, {"", "read", "all", "a:1", "2"}, R"("owner-changed",-1)", 60'000, {}, {}, {}, ofA});
        row("a reader less",         "force-expire", {read, {"", "read", "all", "a:1", "2", "b:1", "1", "c:1", "1"}, R"("owner-changed",-1)", 60'000, {}, {}, {}, all});
        row("another reader",        "force-expire", {read, {"", "read", "only", "c:1", "2"}, R"("owner-changed",-1)", 60'000, {}, {}, {}, ofA});
        row("count changed",         "force-expire", {read, {"", "read", "all", "a:1", "1", "b:1", "1"}, R"("holds-changed",3)", 60'000, {}, {}, {}, all});
        row("mode changed",          "force-expire", {read, {"", "write", "only", "a:1", "2"}, R"("holds-changed",2)", 60'000, {}, {}, "its mode is now read", ofA});
        row("no mode",               "force-expire", {{"HSET lock a:1 1"}, {"", "read", "all", "a:1", "1"}, R"("wrong-type",-1)", -1, {}, {}, "the hash has no mode"});
        row("a string",              "force-expire", {{"SET lock a"}, {"", "read", "all", "a:1", "1"}, R"("wrong-type",-1)", -1, {}, {}, "the key holds a string"});
        row("PUBLISH refused",       "force-expire", {written + silent(), {"", "write", "all", "a:1:write", "2"}, R"("expired",2)", -2, size, {"0"}, "waiters not woken: "});
        // clang-format on
    }

    void badArguments()
    {
        const Words good{"", "read", "all", "a:1", "1"};
        verifyGraces({"HSET lock mode read a:1 1"}, "force-expire", good);
        verifyUsage("force-expire", good,
                    {{},
                     {"", "read", "all"},
                     {"", "x", "all", "a:1", "1"},
                     {"", "read", "some", "a:1", "1"},
                     {"5", "read", "only", "a:1", "1"},
                     good + Words{"x"}},
                    {{}, {""}, {"lock", "other"}, {"lock", "{other}:a:1:rwlock_timeout:1"}});
        for (const QByteArray field : {"mode", "a:1"})
            verifyError("force-expire", good + Words{field, "1"}, "an owner is given twice");
    }

    /// All of them, by 1; also of a shorter time. Not where one of several readers goes, for nobody can enter then.
    void waitersAreWoken()
    {
        const auto end = [this](const Words &arguments) { return call("force-expire", arguments); };
        Listener waiter(m_server, "SUBSCRIBE", "redisson_rwlock:{lock}");
        m_server.lines({"HSET lock mode read a:1 1 b:1 1", end({"", "", "only", "b:1", "1"}),
                        end({"", "", "all", "b:1", "1"})});
        QVERIFY(waiter.heardNothing());
        m_server.lines({end({"20", "", "all", "a:1", "1"})});
        QCOMPARE(waiter.heard(1), Words{"1"});
        m_server.lines({end({"", "", "all", "a:1", "1"})});
        QCOMPARE(waiter.heard(2), (Words{"1", "1"}));
        m_server.lines({"HSET lock mode write a:1:write 1 a:1 1", end({"", "", "only", "a:1:write", "1"})});
        QCOMPARE(waiter.heard(3), (Words{"1", "1", "1"}));
    }
};

QTEST_GUILESS_MAIN(RedissonReadWriteScripts)
#include "tst_redissonreadwrite.moc"
