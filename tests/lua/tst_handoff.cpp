// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/handoffcalls.h"

using namespace lockscope;
using namespace std::chrono_literals;
using Words = QByteArrayList;

namespace {

/// A call after some redis-cli lines, and what is left then.
struct Step
{
    Words before;
    QByteArray script;
    Words arguments;
    QByteArray outcome; ///< with the holds: "acquired",1
    QByteArray hash;    ///< empty: gone
    qint64 ttl = -2;    ///< in ms, as it was set
    QByteArray queued;  ///< what stands in the queue, quoted
};

} // namespace

/// lua/handoff/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class HandoffScripts : public HandoffTest
{
    Q_OBJECT

private slots:

    void steps_data()
    {
        QTest::addColumn<Step>("step");
        const auto step = [](const QByteArray &name, const Step &row) { QTest::newRow(name) << row; };
        const Words once{"HSET lock a 1", "PEXPIRE lock 60000"};
        const Words thrice{"HSET lock a 3", "PEXPIRE lock 60000"};
        const Words both{"HSET lock a 1 b 2", "PEXPIRE lock 60000"};
        const Words waited =
            once + Words{"RPUSH " + queue + " b c",
                         "HSET " + waiters + " b '9000000000000 30000' c '9000000000000 30000'"};
        const Words deserted = waited + Words{"DEL lock"};
        const QByteArray bc = R"("b","c")";

        // clang-format off
        step("acquire: free",                  {{},       "acquire", {"a", "30", "", "1"},  R"("acquired",1)",       R"("a","1")", 30'000, ""});
        step("acquire: free, patient",         {{},       "acquire", {"a", "30", "5", "1"}, R"("acquired",1)",       R"("a","1")", 30'000, ""});
        step("acquire: the same again",        {once,     "acquire", {"a", "30", "5", "1"}, R"("acquired",1)",       R"("a","1")", 30'000, ""});
        step("acquire: a level more",          {once,     "acquire", {"a", "30", "", "2"},  R"("reentered",2)",      R"("a","2")", 30'000, ""});
        step("acquire: that level again",      {thrice,   "acquire", {"a", "30", "", "3"},  R"("reentered",3)",      R"("a","3")", 30'000, ""});
        step("acquire: a level of nothing",    {{},       "acquire", {"a", "30", "", "2"},  R"("not-held",-1)",      "",           -2,     ""});
        step("acquire: a level of another's",  {once,     "acquire", {"b", "30", "", "2"},  R"("not-held",-1)",      R"("a","1")", 60'000, ""});
        step("acquire: another's",             {once,     "acquire", {"b", "30", "", "1"},  R"("held-by-other",-1)", R"("a","1")", 60'000, ""});
        step("acquire: another's, patient",    {once,     "acquire", {"b", "30", "5", "1"}, R"("queued",1)",         R"("a","1")", 60'000, R"("b")"});
        step("acquire: third in the queue",    {waited,   "acquire", {"d", "30", "5", "1"}, R"("queued",3)",         R"("a","1")", 60'000, R"("b","c","d")"});
        step("acquire: keeps its place",       {waited,   "acquire", {"b", "30", "5", "1"}, R"("queued",1)",         R"("a","1")", 60'000, bc});
        step("acquire: its place in the rear", {waited,   "acquire", {"c", "30", "5", "1"}, R"("queued",2)",         R"("a","1")", 60'000, bc});
        step("acquire: leaves the queue",      {waited,   "acquire", {"b", "30", "", "1"},  R"("held-by-other",-1)", R"("a","1")", 60'000, R"("c")"});
        step("acquire: first of the queue",    {deserted, "acquire", {"b", "30", "5", "1"}, R"("acquired",1)",       R"("b","1")", 30'000, R"("c")"});
        step("acquire: passes the deaf",       {deserted, "acquire", {"c", "30", "5", "1"}, R"("acquired",1)",       R"("c","1")", 30'000, ""});
        step("acquire: all are deaf",          {deserted, "acquire", {"d", "30", "", "1"},  R"("acquired",1)",       R"("d","1")", 30'000, ""});
        step("acquire: count 0",               {{"HSET lock a 0"}, "acquire", {"a", "30", "", "1"}, R"("bad-count",-1)", R"("a","0")", -1, ""});

        step("release: last level",            {once,     "release", {"a", "", "1"},        R"("released",0)",       "",           -2,     ""});
        step("release: the stored level",      {once,     "release", {"a", "", ""},         R"("released",0)",       "",           -2,     ""});
        step("release: one of three",          {thrice,   "release", {"a", "", "3"},        R"("unwound",2)",        R"("a","2")", 60'000, ""});
        step("release: that one again",        {thrice,   "release", {"a", "30", "4"},      R"("unwound",3)",        R"("a","3")", 30'000, ""});
        step("release: one that is stored",    {thrice,   "release", {"a", "30", ""},       R"("unwound",2)",        R"("a","2")", 30'000, ""});
        step("release: all",                   {thrice,   "release", {"a", "", "all"},      R"("released",0)",       "",           -2,     ""});
        step("release: nothing there",         {{},       "release", {"a", "", "1"},        R"("not-held",-1)",      "",           -2,     ""});
        step("release: another's",             {once,     "release", {"b", "", "1"},        R"("held-by-other",-1)", R"("a","1")", 60'000, ""});
        step("release: one of two owners",     {both,     "release", {"a", "", "1"},        R"("released",0)",       R"("b","2")", 60'000, ""});
        step("release: all are deaf",          {waited,   "release", {"a", "", "1"},        R"("released",0)",       "",           -2,     ""});
        step("release: count of text",         {{"HSET lock a x"}, "release", {"a", "", "1"}, R"("bad-count",-1)",   R"("a","x")", -1,     ""});

        step("force: at once",                 {thrice,   "force-expire", {"", "a", "3"},   R"("expired",3)",        "",           -2,     ""});
        step("force: any count",               {thrice,   "force-expire", {"", "a", ""},    R"("expired",3)",        "",           -2,     ""});
        step("force: with grace",              {thrice,   "force-expire", {"5", "a", "3"},  R"("expired",3)",        R"("a","3")", 5'000,  ""});
        step("force: grace is no extension",   {thrice,   "force-expire", {"500", "a", "3"}, R"("expired",3)",       R"("a","3")", 60'000, ""});
        step("force: both owners",             {both,     "force-expire", {"", "b", "2", "a", "1"}, R"("expired",3)", "",          -2,     ""});
        step("force: one of both",             {both,     "force-expire", {"", "a", "1"},   R"("owner-changed",-1)", R"("a","1","b","2")", 60'000, ""});
        step("force: another count",           {thrice,   "force-expire", {"", "a", "2"},   R"("holds-changed",3)",  R"("a","3")", 60'000, ""});
        step("force: another owner",           {thrice,   "force-expire", {"", "b", "3"},   R"("owner-changed",-1)", R"("a","3")", 60'000, ""});
        step("force: gone",                    {{},       "force-expire", {"", "a", "3"},   R"("already-gone",-1)",  "",           -2,     ""});
        step("force: bad count",               {{"HSET lock a x"}, "force-expire", {"", "a", "x"}, R"("expired",-1)", "",          -2,     ""});
        // clang-format on
    }
    void steps()
    {
        QFETCH(const Step, step);
        const Words out =
            m_server.lines(step.before + Words{call(step.script, step.arguments), "HGETALL lock", "PTTL lock",
                                               "LRANGE " + queue + " 0 -1", "HKEYS " + waiters});
        const QByteArray answer = out[out.size() - 5];
        QVERIFY2(answer.startsWith(step.outcome + ','), answer);
        const Words fields = answer.split(',');
        QCOMPARE(fields.size(), step.script == "acquire" ? 5 : 4);
        QVERIFY2(isTtl(fields[2].toLongLong(), step.ttl), answer);
        QCOMPARE(out[out.size() - 4], step.hash);
        QVERIFY2(isTtl(out[out.size() - 3].toLongLong(), step.ttl), out[out.size() - 3]);
        QCOMPARE(out[out.size() - 2], step.queued);
        Words known = out[out.size() - 1].split(',');
        std::ranges::sort(known);
        QCOMPARE(known.join(','), step.queued); // they stand in it in the order of their names
    }

    void badArguments_data()
    {
        addRefusals();
        const Words lock = keysOf("lock");
        refusedLeases({{"acquire", {"a", "LEASE", "", "1"}}, {"release", {"a", "LEASE", "1"}}});
        refusedLeases({{"acquire", {"a", "30", "LEASE", "1"}}}, "ERR patience must be", "patience: ");
        refusedLeases({{"force-expire", {"LEASE", "a", "1"}}}, "ERR grace must be");
        for (const QByteArray &level : Words{"0", "-1", "1.5", "x", "01", " 1", "1e3", "1000000000000000"}) {
            refusal("level " + level, "acquire", {"a", "30", "", level}, "ERR level must be");
            refusal("level " + level, "release", {"a", "", level}, "ERR level must be");
        }
        refusal("empty lease", "acquire", {"a", "", "", "1"}, "ERR lease must be");
        refusal("empty level", "acquire", {"a", "30", "", ""}, "ERR level must be");
        refusal("all levels", "acquire", {"a", "30", "", "all"}, "ERR level must be");
        refusal("an owner twice", "force-expire", {"", "a", "1", "a", "1"}, "ERR an owner is given twice");
        for (const auto &[script, arguments] : Uses{{"acquire", {"a", "30", "", "1"}},
                                                    {"release", {"a", "", "1"}},
                                                    {"force-expire", {"", "a", "1"}}}) {
            refusal("no arguments", script, {});
            refusal("too few", script, arguments.mid(1));
            refusal("too many", script, arguments + Words{"x"});
            refusal("no key", script, arguments, "ERR usage", {});
            refusal("the lock alone", script, arguments, "ERR usage", {"lock"});
            refusal("empty key", script, arguments, "ERR usage", keysOf(""));
            refusal("another's queue", script, arguments, "ERR usage",
                    {"lock", "l:handoff:queue", lock[2], lock[3]});
            refusal("another's waiters", script, arguments, "ERR usage", {"lock", lock[1], "x", lock[3]});
            refusal("another's fence", script, arguments, "ERR usage", {"lock", lock[1], lock[2], "lock"});
            if (script != "force-expire")
                refusal("empty owner", script, Words{""} + arguments.mid(1), "ERR owner must not be empty");
        }
    }
    void badArguments() { verifyRefusal({"HSET lock a 1", "PEXPIRE lock 60000"}); }

    void wrongTypes()
    {
        const Words keys = keysOf("lock");
        for (qsizetype i = 0; i < keys.size(); ++i) {
            const QByteArray name = i == 0 ? "the key" : keys[i].mid(4);
            for (const auto &[script, arguments] : Uses{{"acquire", {"a", "30", "", "1"}},
                                                        {"release", {"a", "", "1"}},
                                                        {"force-expire", {"", "a", "1"}}}) {
                if (script == "release" && i > 0)
                    continue; // another's companion must not keep a lock held: see releasesBesideAnothersKey()
                const ScriptRun run =
                    m_server.run({"ZADD " + keys[i] + " 1 x"}, call(script, arguments), keys[i]);
                const QByteArray message =
                    name + " holds a zset, not a " + Words{"hash", "list", "hash", "string"}[i];
                QVERIFY2(run.reply.startsWith("\"wrong-type\",-1,") &&
                             run.reply.contains('"' + message + '"'),
                         run.reply);
                QCOMPARE(run.dumpAfter, run.dumpBefore);
                QCOMPARE(run.keys, 1);
            }
        }
    }

    void releasesBesideAnothersKey()
    {
        const auto b = listen("b");
        for (const QByteArray &other : {queue, waiters, fence}) {
            m_server.lines({"FLUSHALL"});
            run("acquire", {"a", "30", "", "1"});
            run("acquire", {"b", "30", "100", "1"});
            m_server.lines({"DEL " + other, "ZADD " + other + " 1 x"});
            const QByteArray answer = run("release", {"a", "", "1"}).join(',');
            QVERIFY2(answer.startsWith("\"released\",0,-2,\"waiters not woken: WRONGTYPE "), answer);
            QCOMPARE(m_server.lines({"EXISTS lock", "TYPE " + other}), (Words{"0", "\"zset\""}));
            QVERIFY(heard(*b, 10ms).isEmpty());
            if (other == fence) // the first waiter is the first still
                QCOMPARE(m_server.lines({"LRANGE " + queue + " 0 -1"})[0], "\"b\"");
        }
    }

    void stockCommandLine()
    {
        const Words keys = keysOf("lock:user:1");
        const auto cli = [&](const QByteArray &script, const Words &arguments) {
            return m_server.cli(Words{"--eval", scriptPath("handoff/" + script)} + keys + Words{","} +
                                arguments);
        };
        QVERIFY(cli("acquire", {"thread-x", "30", "", "1"}).startsWith("acquired\n1\n"));
        QVERIFY(cli("acquire", {"thread-y", "30", "60", "1"}).startsWith("queued\n1\n"));
        QVERIFY(cli("release", {"thread-x", "30", "1"}).startsWith("released\n0\n"));
        QVERIFY(cli("force-expire", {"", "thread-y", ""}).startsWith("already-gone\n"));
    }

    void leasesAreMilliseconds_data() { addLeases(); }
    void leasesAreMilliseconds()
    {
        QFETCH(const QByteArray, seconds);
        QFETCH(const qint64, milliseconds);
        verifyLease({}, "acquire", {"a", "LEASE", "", "1"}, R"("acquired",1)");
        verifyLease({"HSET lock a 2"}, "release", {"a", "LEASE", "2"}, R"("unwound",1)");
        // A patience that no clock can hold must not break anything.
        const ScriptRun queued = m_server.run({"HSET lock b 1"}, call("acquire", {"a", "30", seconds, "1"}));
        QVERIFY2(queued.reply.startsWith(R"("queued",1,-1)"), queued.reply);
        if (milliseconds > 1000)
            QVERIFY(isTtl(m_server.lines({"PTTL " + queue})[0].toLongLong(), milliseconds));
    }

    void anyBytes()
    {
        const QByteArray key("\0l\r\n\xff {x", 8);
        const QByteArray owner("\xff\r\n\0\"' %s", 9);
        const QByteArray other("\xff\r\n\0\"\" %s", 9);
        const Words keys = keysOf(key);
        const Words out = m_server.lines(
            {call("acquire", {owner, "30", "", "1"}, keys), call("acquire", {other, "30", "9", "1"}, keys),
             call("acquire", {other, "30", "9", "1"}, keys), call("release", {other, "", "1"}, keys),
             call("release", {owner, "", "1"}, keys), "EXISTS " + ScriptServer::quoted(key)});
        const Words outcomes{"\"acquired\"",      "\"queued\"",   "\"queued\"",
                             "\"held-by-other\"", "\"released\"", "0"};
        for (qsizetype i = 0; i < out.size(); ++i)
            QCOMPARE(out[i].split(',')[0], outcomes[i]);
    }

    void everythingExpires()
    {
        run("acquire", {"a", "30", "", "1"});
        run("acquire", {"b", "30", "100", "1"});
        run("acquire", {"c", "30", "20", "1"}); // the shorter patience does not shorten the queue's life
        const Words left = m_server.lines({"PTTL lock", "PTTL " + queue, "PTTL " + waiters, "PTTL " + fence});
        QVERIFY(isTtl(left[0].toLongLong(), 30'000));
        QVERIFY(isTtl(left[1].toLongLong(), 100'000));
        QVERIFY(isTtl(left[2].toLongLong(), 100'000));
        QVERIFY(isTtl(left[3].toLongLong(), 86'400'000));
    }

    void fenceGrows()
    {
        qint64 last = 0;
        for (int i = 0; i < 50; ++i) {
            const qint64 token = run("acquire", {"a", "30", "", "1"})[4].toLongLong();
            QVERIFY2(token > last, QByteArray::number(token));
            last = token;
            QCOMPARE(run("acquire", {"a", "30", "", "2"})[4].toLongLong(), last);
            if (i % 10 == 9)
                m_server.lines({"FLUSHALL"});
            else
                run("release", {"a", "", "all"});
        }
        // A clock that was set back, and a token that is none.
        m_server.lines({"FLUSHALL", "SET " + fence + " 8000000000000000"});
        QCOMPARE(run("acquire", {"a", "30", "", "1"})[4], "8000000000000001");
        m_server.lines({"DEL lock", "SET " + fence + " rubbish"});
        QVERIFY(run("acquire", {"a", "30", "", "1"})[4].toLongLong() > last);
    }

    void fenceOfAClockSetBack_data()
    {
        QTest::addColumn<QByteArray>("script");
        for (const char *script : {"release", "acquire", "force-expire"})
            QTest::newRow(script) << QByteArray(script);
    }
    /// What is handed over carries a larger token than the last one, whatever the clock says by now.
    void fenceOfAClockSetBack()
    {
        QFETCH(const QByteArray, script);
        const auto b = listen("b");
        for (const auto &[stored, expected] :
             {std::pair<QByteArray, QByteArray>{"8000000000000000", "8000000000000001"},
              {"8999999999999998", "8999999999999999"},
              {"9999999999999999999", ""}}) { // no double counts so far: the clock's
            m_server.lines({"FLUSHALL"});
            run("acquire", {"a", "30", "", "1"});
            run("acquire", {"b", "30", "100", "1"});
            m_server.lines({"SET " + fence + ' ' + stored});
            if (script == "acquire")
                m_server.lines({"DEL lock"});
            run(script, freeing(script));
            const QByteArray token = heard(*b).split(' ')[0];
            if (!expected.isEmpty())
                QCOMPARE(token, expected);
            QCOMPARE(token.size(), 16);
            QCOMPARE(m_server.lines({"GET " + fence})[0], '"' + token + '"');
            QVERIFY(isTtl(m_server.lines({"PTTL " + fence})[0].toLongLong(), 86'400'000));
        }
    }

    void refusedPublishLeavesTheLockFree()
    {
        const auto b = listen("b");
        m_server.lines({"ACL SETUSER worker reset on nopass ~* +@all resetchannels"});
        for (const QByteArray script : {"release", "force-expire", "acquire"}) {
            m_server.lines({"FLUSHALL"});
            run("acquire", {"a", "30", "", "1"});
            run("acquire", {"b", "30", "100", "1"});
            if (script == "acquire")
                m_server.lines({"DEL lock"});
            m_server.lines({"AUTH worker x"});
            const QByteArray answer = run(script, freeing(script)).join(',');
            m_server.lines({"AUTH default x"});
            QVERIFY2(answer.contains("\"waiters not woken: ") && answer.contains(publishRefusal()), answer);
            QCOMPARE(m_server.lines({"EXISTS lock", "LRANGE " + queue + " 0 -1"}), (Words{"0", R"("b")"}));
            QVERIFY(heard(*b, 10ms).isEmpty());
            // Its own timer brings the waiter back, and it is still the first.
            QCOMPARE(run("acquire", {"b", "30", "100", "1"})[0], "\"acquired\"");
        }
    }

    /// The lock has ended: a refusal after that hides nothing.
    void whatIsRefusedAfterTheEndIsTold()
    {
        for (const QByteArray refused : {"lindex", "hget", "lpop", "hdel"}) {
            m_server.lines(
                Words{"FLUSHALL", "HSET lock a 1", "RPUSH " + queue + " b", "HSET " + waiters + " b 1"} +
                userWith('-' + refused));
            const QByteArray answer = run("force-expire", {"", "a", ""}).join(',');
            m_server.lines({"AUTH default x"});
            if (refused == "hget") { // what is needed before the end
                QVERIFY2(answer.startsWith("ERROR"), answer);
                QCOMPARE(m_server.lines({"EXISTS lock"})[0], "1");
                continue;
            }
            QVERIFY2(answer.startsWith(R"("expired",1)") && answer.contains("waiters not woken"), answer);
            QCOMPARE(m_server.lines({"EXISTS lock"})[0], "0");
        }
    }

    void fieldsThatEndSooner()
    {
        verifyFieldsEnd({"HSET lock a 2", "PEXPIRE lock 60000"}, "force-expire", {"30", "a", "2"},
                        keysOf("lock"));
    }

    /// A lock that could not be given an end must not stay, neither the caller's nor one that is handed over.
    void noPermissionToExpire()
    {
        const auto b = listen("b");
        m_server.lines(userWith("-pexpire"));
        const QByteArray refused = run("acquire", {"a", "30", "", "1"}).join(',');
        QVERIFY2(refused.startsWith("ERROR"), refused);
        m_server.lines({"AUTH default x"});
        QCOMPARE(m_server.lines({"EXISTS lock"})[0], "0");
        run("acquire", {"a", "30", "", "1"});
        run("acquire", {"b", "30", "100", "1"});
        m_server.lines({"AUTH worker x"});
        QVERIFY(run("release", {"a", "", "1"}).join(',').contains("waiters not woken: "));
        m_server.lines({"AUTH default x"});
        QCOMPARE(m_server.lines({"EXISTS lock"})[0], "0");
        QVERIFY(heard(*b, 10ms).isEmpty());
        // Its queue could not be given an end either: its own timer brings it back.
        QCOMPARE(m_server.lines({"EXISTS " + queue})[0], "0");
        QCOMPARE(run("acquire", {"b", "30", "100", "1"})[0], "\"acquired\"");
    }

    /// Nobody queues who can't give the queue an end: it would stay after all have gone.
    void noPermissionToExpireAQueue()
    {
        m_server.lines({"ACL SETUSER worker reset on nopass ~* &* +@all -pexpire"});
        run("acquire", {"a", "30", "", "1"});
        m_server.lines({"AUTH worker x"});
        QByteArray refused = run("acquire", {"b", "30", "100", "1"}).join(',');
        m_server.lines({"AUTH default x"});
        QVERIFY2(refused.startsWith("ERROR"), refused);
        QCOMPARE(m_server.lines({"EXISTS " + queue + ' ' + waiters, "HGETALL lock"}),
                 (Words{"0", R"("a","1")"}));

        // A queue that another has begun stays his, with the end that he gave it.
        run("acquire", {"c", "30", "20", "1"});
        m_server.lines({"AUTH worker x"});
        refused = run("acquire", {"b", "30", "100", "1"}).join(',');
        m_server.lines({"AUTH default x"});
        QVERIFY2(refused.startsWith("ERROR"), refused);
        QCOMPARE(m_server.lines({"LRANGE " + queue + " 0 -1", "HKEYS " + waiters}),
                 (Words{R"("c")", R"("c")"}));
        for (const QByteArray &companion : {queue, waiters})
            QVERIFY(isTtl(m_server.lines({"PTTL " + companion})[0].toLongLong(), 20'000));
    }

    void fullServer()
    {
        const auto b = listen("b");
        m_server.lines({"CONFIG SET maxmemory 1"});
        const QByteArray refused = run("acquire", {"a", "30", "", "1"}).join(',');
        QVERIFY2(isCause(refused, "OOM "), refused);
        QCOMPARE(m_server.lines({"DBSIZE"})[0], "0");
        m_server.lines({"CONFIG SET maxmemory 0"});
        run("acquire", {"a", "30", "", "1"});
        run("acquire", {"b", "30", "100", "1"});
        m_server.lines({"CONFIG SET maxmemory 1"});
        QCOMPARE(run("release", {"a", "", "1"})[0], "\"released\"");
        QVERIFY(!heard(*b).isEmpty());
        QCOMPARE(m_server.lines({"HGETALL lock"})[0], R"("b","1")");
    }
};

QTEST_GUILESS_MAIN(HandoffScripts)
#include "tst_handoff.moc"
