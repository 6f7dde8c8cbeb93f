// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/reentrant/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class ReentrantScripts : public ScriptTest
{
    Q_OBJECT

public:
    ReentrantScripts() : ScriptTest("reentrant") {}

private slots:
    void publishedTranscript()
    {
        struct Step
        {
            QByteArray script, owner, printed, hash;
            qint64 ttl;
        };
        const QList<Step> steps{
            {"acquire", "thread-x", "(integer) 1", R"("thread-x","1")", 30'000},
            {"acquire", "thread-x", "(integer) 1", R"("thread-x","2")", 30'000},
            {"acquire", "thread-y", "(integer) 0", R"("thread-x","2")", 5'000},
            {"release", "thread-x", "(integer) 1", R"("thread-x","1")", 30'000},
            {"release", "thread-x", "(integer) 1", "", -2},
            {"release", "thread-x", "(nil)", "", -2},
        };
        m_server.cli({"FLUSHALL"});
        for (const Step &step : steps) {
            QCOMPARE(m_server.cli({"--no-raw", "--eval", scriptPath("reentrant/" + step.script),
                                   "lock:user:123456", ",", step.owner, "30"}),
                     step.printed);
            const QByteArrayList left = m_server.lines({"HGETALL lock:user:123456", "PTTL lock:user:123456"});
            QCOMPARE(left[0], step.hash);
            QVERIFY2(isTtl(left[1].toLongLong(), step.ttl), left[1]);
            // A lease that the next step does not renew is to show.
            m_server.cli({"PEXPIRE", "lock:user:123456", "5000"});
        }
    }

    void steps_data()
    {
        QTest::addColumn<ScriptStep>("step");
        const auto step = [](const QByteArray &name, const ScriptStep &row) { QTest::newRow(name) << row; };

        const Words absent;
        const Words once{"HSET lock a 1", "PEXPIRE lock 60000"};
        const Words thrice{"HSET lock a 3", "PEXPIRE lock 60000"};
        const Words endless{"HSET lock a 2"};
        const Words both{"HSET lock a 1 b 2", "PEXPIRE lock 60000"};
        const Words most{"HSET lock a 999999999999999", "PEXPIRE lock 60000"};

        // clang-format off
        step("acquire: free",                   {absent,  "acquire", {"a", "30"}, "1", "acquired",      1, R"("a","1")", 30'000});
        step("acquire: own",                    {once,    "acquire", {"a", "30"}, "1", "reentered",     2, R"("a","2")", 30'000});
        step("acquire: own, shorter lease",     {thrice,  "acquire", {"a", "10"}, "1", "reentered",     4, R"("a","4")", 10'000});
        step("acquire: own, without expiry",    {endless, "acquire", {"a", "30"}, "1", "reentered",     3, R"("a","3")", 30'000});
        step("acquire: another's",              {once,    "acquire", {"b", "30"}, "0", "held-by-other", -1, "same",      60'000});
        step("acquire: another's, no expiry",   {endless, "acquire", {"b", "30"}, "0", "held-by-other", -1, "same",      -1});
        step("acquire: several owners, own",    {both,    "acquire", {"b", "30"}, "1", "reentered",     3, R"("a","1","b","3")", 30'000});

        step("release: last level",             {once,    "release", {"a"},             "1", "released", 0, "gone",       -2});
        step("release: last level with lease",  {once,    "release", {"a", "30"},       "1", "released", 0, "gone",       -2});
        step("release: one of three",           {thrice,  "release", {"a"},             "1", "unwound",  2, R"("a","2")", 60'000});
        step("release: one, empty lease",       {thrice,  "release", {"a", ""},         "1", "unwound",  2, R"("a","2")", 60'000});
        step("release: one, renewed",           {thrice,  "release", {"a", "30"},       "1", "unwound",  2, R"("a","2")", 30'000});
        step("release: one, expiry given",      {endless, "release", {"a", "30"},       "1", "unwound",  1, R"("a","1")", 30'000});
        step("release: one, endless as it was", {endless, "release", {"a"},             "1", "unwound",  1, R"("a","1")", -1});
        step("release: all",                    {thrice,  "release", {"a", "", "all"},  "1", "released", 0, "gone",       -2});
        step("release: all, lease left out",    {thrice,  "release", {"a", "all"},      "1", "released", 0, "gone",       -2});
        step("release: an owner called all",    {{"HSET lock all 2"}, "release", {"all"}, "1", "unwound", 1, R"("all","1")", -1});
        step("release: an owner called named",  {{"HSET lock named 2"}, "release", {"named"}, "1", "unwound", 1, R"("named","1")", -1});
        step("release: all, lease given",       {thrice,  "release", {"a", "30", "all"}, "1", "released", 0, "gone",      -2});
        step("release: absent",                 {absent,  "release", {"a", "30"},       "NULL", "not-held",      -1, "gone", -2});
        step("release: another's",              {thrice,  "release", {"b", "30"},       "NULL", "held-by-other", -1, "same", 60'000});
        step("release: all of another's",       {thrice,  "release", {"b", "", "all"},  "NULL", "held-by-other", -1, "same", 60'000});
        step("release: several owners, last",   {both,    "release", {"a", "30"},       "1", "released", 0, R"("b","2")", 60'000});
        step("release: several owners, all",    {both,    "release", {"b", "", "all"},  "1", "released", 0, R"("a","1")", 60'000});
        step("release: several owners, one",    {both,    "release", {"b", "30"},       "1", "unwound",  1, R"("a","1","b","1")", 30'000});
        step("release: the highest count",      {most,    "release", {"a"},             "1", "unwound",  999'999'999'999'998, R"("a","999999999999998")", 60'000});

        step("extend: longer",                  {thrice,  "extend", {"a", "100"}, "1", "extended",      3, "same", 100'000});
        step("extend: shorter",                 {thrice,  "extend", {"a", "30"},  "1", "extended",      3, "same", 30'000});
        step("extend: without expiry",          {endless, "extend", {"a", "30"},  "1", "extended",      2, "same", 30'000});
        step("extend: absent",                  {absent,  "extend", {"a", "30"},  "0", "not-held",      -1, "gone", -2});
        step("extend: another's",               {thrice,  "extend", {"b", "30"},  "0", "held-by-other", -1, "same", 60'000});

        step("force: as seen",                  {thrice,  "force-expire", {"", "a", "3"},   "1", "expired",       3, "gone", -2});
        step("force: any count",                {thrice,  "force-expire", {"", "a", ""},    "1", "expired",       3, "gone", -2});
        step("force: without expiry",           {endless, "force-expire", {"", "a", "2"},   "1", "expired",       2, "gone", -2});
        step("force: count changed",            {thrice,  "force-expire", {"", "a", "2"},   "0", "holds-changed", 3, "same", 60'000});
        step("force: count is compared as text", {thrice, "force-expire", {"", "a", "03"},  "0", "holds-changed", 3, "same", 60'000});
        step("force: owner changed",            {thrice,  "force-expire", {"", "b", "3"},   "0", "owner-changed", -1, "same", 60'000});
        step("force: owner came",               {both,    "force-expire", {"", "a", "1"},   "0", "owner-changed", -1, "same", 60'000});
        step("force: owner went",               {once,    "force-expire", {"", "a", "1", "b", "2"}, "0", "owner-changed", -1, "same", 60'000});
        step("force: several, as seen",         {both,    "force-expire", {"", "b", "2", "a", "1"}, "1", "expired",       3, "gone", -2});
        step("force: several, one changed",     {both,    "force-expire", {"", "a", "2", "b", "2"}, "0", "holds-changed", 3, "same", 60'000});
        step("force: several, one replaced",    {both,    "force-expire", {"", "a", "2", "c", "2"}, "0", "owner-changed", -1, "same", 60'000});
        step("force: absent",                   {absent,  "force-expire", {"", "a", "1"},   "NULL", "already-gone", -1, "gone", -2});
        step("force: absent, with grace",       {absent,  "force-expire", {"5", "a", "1"},  "NULL", "already-gone", -1, "gone", -2});
        step("force: grace shortens",           {thrice,  "force-expire", {"30", "a", "3"}, "1", "expired", 3, "same", 30'000});
        step("force: grace ends the endless",   {endless, "force-expire", {"30", "a", "2"}, "1", "expired", 2, "same", 30'000});
        step("force: grace never lengthens",    {thrice,  "force-expire", {"100", "a", "3"}, "1", "expired", 3, "same", 60'000});
        step("force: grace, count changed",     {thrice,  "force-expire", {"30", "a", "1"}, "0", "holds-changed", 3, "same", 60'000});
        step("force: the time left fell",       {thrice,  "force-expire", {"", "a", "3", "pttl<=60000"}, "1", "expired", 3, "gone", -2});
        step("force: the time left rose",       {thrice,  "force-expire", {"", "a", "3", "pttl<=30000"}, "0", "lease-changed", 3, "same", 60'000});
        step("force: it rose, with a grace",    {thrice,  "force-expire", {"20", "a", "", "pttl<=30000"}, "0", "lease-changed", 3, "same", 60'000});
        step("force: it has lost its expiry",   {endless, "force-expire", {"", "a", "2", "pttl<=30000"}, "0", "lease-changed", 2, "same", -1});
        step("force: it has one by now",        {thrice,  "force-expire", {"", "a", "3", "pttl<=-1"}, "0", "lease-changed", 3, "same", 60'000});
        step("force: still without expiry",     {endless, "force-expire", {"", "a", "2", "pttl<=-1"}, "1", "expired", 2, "gone", -2});
        step("force: another count, a new lease", {thrice, "force-expire", {"", "a", "2", "pttl<=30000"}, "0", "holds-changed", 3, "same", 60'000});
        step("force: an owner like a time",     {{"HSET lock pttl<=1 1"}, "force-expire", {"", "pttl<=1", "1"}, "1", "expired", 1, "gone", -2});
        step("force: a count like a time",      {{"HSET lock a pttl<=1"}, "force-expire", {"", "a", "pttl<=1"}, "1", "expired", -1, "gone", -2});
        step("force: an owner called named",    {{"HSET lock named 1"}, "force-expire", {"", "named", "1"}, "1", "expired", 1, "gone", -2});
        step("force: a count called named",     {{"HSET lock a named"}, "force-expire", {"", "a", "named"}, "1", "expired", -1, "gone", -2});
        step("force: an empty owner",           {{"HSET lock '' 1"},    "force-expire", {"", "", "1"},      "1", "expired", 1, "gone", -2});

        for (const QByteArray text : {"0", "-1", "+1", "01", "abc", "", " 1", "1.0", "1e3", "9223372036854775807", "1000000000000000"}) {
            const Words bad{"HSET lock a \"" + text + '"', "PEXPIRE lock 60000"};
            const QByteArray name = ": count \"" + text + '"';
            const QByteArray message = "stored count: " + text;
            step("acquire" + name, {bad, "acquire", {"a", "30"}, "ERROR,\"ERR the stored count", "bad-count", -1, "same", 60'000, message});
            step("release" + name, {bad, "release", {"a", "30"}, "ERROR,\"ERR the stored count", "bad-count", -1, "same", 60'000, message});
            step("release all" + name, {bad, "release", {"a", "", "all"}, "ERROR,\"ERR the stored count", "bad-count", -1, "same", 60'000, message});
            step("extend" + name, {bad, "extend", {"a", "30"}, "ERROR,\"ERR the stored count", "bad-count", -1, "same", 60'000, message});
            step("another's" + name, {bad, "acquire", {"b", "30"}, "0", "held-by-other", -1, "same", 60'000});
            step("force" + name, {bad, "force-expire", {"", "a", text}, "1", "expired", -1, "gone", -2});
        }
        step("acquire: the highest count",      {most, "acquire", {"a", "30"}, "ERROR,\"ERR the stored count", "bad-count", -1, "same", 60'000,
             "stored count: 999999999999999"});

        const QList<std::pair<QByteArray, Words>> others{
            {"list", {"RPUSH lock a 1"}}, {"string", {"SET lock a"}}, {"set", {"SADD lock a"}},
            {"zset", {"ZADD lock 1 a"}}, {"stream", {"XADD lock * a 1"}}};
        for (const auto &[type, make] : others) {
            const Words before = make + Words{"PEXPIRE lock 60000"};
            const QByteArray message = "the key holds a " + type + ", not a hash";
            for (const auto &[script, arguments] : Uses{{"acquire", {"a", "30"}}, {"release", {"a", "30"}},
                                                    {"extend", {"a", "30"}}, {"force-expire", {"", "a", "1"}}})
                step(script + " at a " + type, {before, script, arguments, "ERROR,\"WRONGTYPE " + message, "wrong-type", -1, "same", 60'000, message});
        }
        // clang-format on
    }
    void steps() { verifyStep(); }

    void badArguments_data()
    {
        addRefusals();
        refusedLeases({{"acquire", {"a", "LEASE"}},
                       {"release", {"a", "LEASE"}},
                       {"release", {"a", "LEASE", "all"}},
                       {"extend", {"a", "LEASE", "named"}}});
        refusedLeases({{"force-expire", {"LEASE", "a", "3"}}}, "ERR grace must be");
        for (const QByteArray script : {"acquire", "extend"}) {
            refusal("empty lease", script, {"a", ""}, "ERR lease must be");
            refusal("no lease", script, {"a"});
            refusal("no lease, named", script, {"a", "named"}, "ERR lease must be");
            refusal("unknown word", script, {"a", "30", "other"});
            refusal("too many", script, {"a", "30", "named", "named"});
        }
        refusal("unknown word", "release", {"a", "30", "other"});
        refusal("too many", "release", {"a", "30", "30", "all", "named"});
        refusal("no owner", "force-expire", {""});
        refusal("no owner, named", "force-expire", {"", "named"});
        refusal("half a pair", "force-expire", {"", "a"});
        refusal("a pair and a half", "force-expire", {"", "a", "3", "b"});
        refusal("an owner twice", "force-expire", {"", "a", "3", "a", "3"}, "ERR an owner is given twice");

        for (const auto &[script, arguments] : Uses{{"acquire", {"a", "30"}},
                                                    {"release", {"a", "30"}},
                                                    {"extend", {"a", "30"}},
                                                    {"force-expire", {"", "a", "3"}}}) {
            refusal("no arguments", script, {});
            refusal("no key", script, arguments, "ERR usage", {});
            refusal("empty key", script, arguments, "ERR usage", {""});
            refusal("two keys", script, arguments, "ERR usage", {"lock", "lock"});
            if (script != "force-expire")
                refusal("empty owner", script, {"", "30"}, "ERR owner must not be empty");
        }
    }
    void badArguments() { verifyRefusal({"HSET lock a 3", "PEXPIRE lock 60000"}); }

    void leasesAreMilliseconds_data() { addLeases(); }
    void leasesAreMilliseconds()
    {
        verifyLease({}, "acquire", {"a", "LEASE", "named"}, R"("acquired",1)");
        verifyLease({"HSET lock a 1"}, "extend", {"a", "LEASE", "named"}, R"("extended",1)");
        verifyLease({"HSET lock a 2"}, "release", {"a", "LEASE", "named"}, R"("unwound",1)");
        verifyLease({"HSET lock a 2"}, "force-expire", {"LEASE", "a", "2", "named"}, R"("expired",2)");
    }

    void fieldsThatEndSooner_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<Words>("arguments");
        QTest::newRow("acquire") << QByteArray("acquire") << Words{"a", "30", "named"};
        QTest::newRow("extend") << QByteArray("extend") << Words{"a", "30", "named"};
        QTest::newRow("release") << QByteArray("release") << Words{"a", "30", "named"};
        QTest::newRow("force") << QByteArray("force-expire") << Words{"30", "a", "2", "named"};
    }
    void fieldsThatEndSooner()
    {
        QFETCH(const QByteArray, script);
        QFETCH(const Words, arguments);
        verifyFieldsEnd({"HSET lock a 2", "PEXPIRE lock 60000"}, script, arguments, {"lock"});
    }

    /// What was seen to be left was the fields' too.
    void theTimeLeftIsThatOfTheFields()
    {
        const auto ended = [](const QByteArray &most, const QByteArray &left) {
            return ScriptServer::call("reentrant/force-expire", flagged(), {"lock"},
                                      {"", "a", "2", "pttl<=" + most, "named"}, fieldsEnd(left));
        };
        Words out = m_server.lines({"FLUSHALL", "HSET lock a 2", ended("5000", "7000"), ended("-1", "7000"),
                                    ended("8000", "-1"), ended("8000", "7000")});
        QVERIFY2(out[2].startsWith("\"lease-changed\",2,7000"), out[2]);
        QVERIFY2(out[3].startsWith("\"lease-changed\",2,7000"), out[3]);
        QVERIFY2(out[4].startsWith("\"lease-changed\",2,-1"), out[4]);
        QVERIFY2(out[5].startsWith("\"expired\",2"), out[5]);
    }

    void anyBytes()
    {
        const QByteArray key("\0l\r\n\xff {x", 8);
        const QByteArray owner("\xff\r\n\0\"'", 6);
        const QByteArray other("\xff\r\n\0\"", 5);
        const QByteArray read = "HGET " + ScriptServer::quoted(key) + ' ' + ScriptServer::quoted(owner);
        const Words out = m_server.lines(
            {"FLUSHALL", call("acquire", {owner, "30"}, {key}), call("acquire", {owner, "30"}, {key}),
             call("acquire", {other, "30"}, {key}), read, call("extend", {owner, "30"}, {key}),
             call("release", {owner}, {key}), read, call("force-expire", {"", other, "1"}, {key}),
             call("force-expire", {"", owner, "1"}, {key}), "DBSIZE"});
        QCOMPARE(out, (Words{"\"OK\"", "1", "1", "0", "\"2\"", "1", "1", "\"1\"", "0", "1", "0"}));
    }

    void fullServer()
    {
        const ScriptRun acquired = runOnFull({}, "acquire", {"a", "30", "named"});
        QVERIFY2(isCause(acquired.reply, "OOM "), acquired.reply);
        QCOMPARE(acquired.keys, 0);
        const ScriptRun released = runOnFull({"HSET lock a 1"}, "release", {"a"});
        QCOMPARE(released.reply, "1");
        QCOMPARE(released.keys, 0);
        const ScriptRun unwound = runOnFull({"HSET lock a 2"}, "release", {"a", "30"});
        QCOMPARE(unwound.reply, "1");
        QCOMPARE(unwound.content, R"("a","1")");
        QCOMPARE(runOnFull({"HSET lock a 2"}, "extend", {"a", "30"}).reply, "1");
        const ScriptRun forced = runOnFull({"HSET lock a 2"}, "force-expire", {"", "a", "2"});
        QCOMPARE(forced.reply, "1");
        QCOMPARE(forced.keys, 0);
    }

    void noPermissionToExpire()
    {
        const Words user = userWith("-pexpire");
        const ScriptRun acquired = m_server.run(user, call("acquire", {"a", "30"}));
        QVERIFY2(acquired.reply.startsWith("ERROR,"), acquired.reply);
        QCOMPARE(acquired.keys, 0);
        for (const QByteArray script : {"acquire", "release"}) {
            const ScriptRun run = m_server.run(Words{"HSET lock a 2"} + user, call(script, {"a", "30"}));
            QVERIFY2(run.reply.startsWith("ERROR,"), run.reply);
            QCOMPARE(run.dumpAfter, run.dumpBefore);
        }
    }

    void hugeHashIsNotRead()
    {
        const ScriptRun run =
            m_server.run({"HSET lock a 1 b 1", "CONFIG RESETSTAT"}, call("force-expire", {"", "a", "1"}));
        QCOMPARE(run.reply, "0");
        const QByteArray counted = m_server.cli({"INFO", "commandstats"});
        QVERIFY(counted.contains("cmdstat_hlen:calls=1,"));
        QVERIFY(!counted.contains("cmdstat_hget:"));
    }

    void waitersAreWoken_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("channel");
        QTest::newRow("plain") << QByteArray("lock") << QByteArray("redisson_lock__channel:{lock}");
        QTest::newRow("hash tag") << QByteArray("a:{b}:c") << QByteArray("redisson_lock__channel:a:{b}:c");
        QTest::newRow("brace") << QByteArray("a{b") << QByteArray("redisson_lock__channel:a{b");
        QTest::newRow("closing brace") << QByteArray("a}b") << QByteArray("redisson_lock__channel:{a}b}");
        QTest::newRow("bytes") << QByteArray("\0\r\n\xff", 4)
                               << "redisson_lock__channel:{" + QByteArray("\0\r\n\xff", 4) + '}';
    }
    void waitersAreWoken()
    {
        QFETCH(const QByteArray, key);
        QFETCH(const QByteArray, channel);
        Listener waiter(m_server, "SUBSCRIBE", channel);
        // Neither a refusal nor a grace wakes anyone: the lock is still there.
        const QByteArray make = "HSET " + ScriptServer::quoted(key) + " a 1";
        QCOMPARE(m_server.run({make}, call("force-expire", {"", "b", "1"}, {key}), key).reply, "0");
        QCOMPARE(m_server.run({make}, call("force-expire", {"30", "a", "1"}, {key}), key).reply, "1");
        QCOMPARE(m_server.run({make}, call("force-expire", {"", "a", "1"}, {key}), key).reply, "1");
        QCOMPARE(waiter.heard(1), Words{"0"});
    }

    void refusedPublishDoesNotHideTheEnd()
    {
        const Words before = Words{"HSET lock a 2"} + silent();
        const ScriptRun named = m_server.run(before, call("force-expire", {"", "a", "2", "named"}));
        QVERIFY2(named.reply.startsWith("\"expired\",2,-2,\"waiters not woken: "), named.reply);
        QVERIFY2(named.reply.contains(publishRefusal()), named.reply);
        QCOMPARE(named.keys, 0);
        const ScriptRun published = m_server.run(before, call("force-expire", {"", "a", "2"}));
        QCOMPARE(published.reply, "1");
        QCOMPARE(published.keys, 0);
    }
};

QTEST_GUILESS_MAIN(ReentrantScripts)
#include "tst_reentrant.moc"
