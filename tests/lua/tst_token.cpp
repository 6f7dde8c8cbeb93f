// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

using namespace lockscope;

/// lua/token/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class TokenScripts : public ScriptTest
{
    Q_OBJECT

public:
    TokenScripts() : ScriptTest("token") {}

private slots:
    void fromTheStockCommandLine()
    {
        const auto eval = [this](const QByteArray &script, const Words &arguments) {
            return m_server.cli(Words{"--no-raw", "--eval", scriptPath("token/" + script), "lock_1", ","} +
                                arguments);
        };
        m_server.cli({"FLUSHALL"});
        QCOMPARE(eval("acquire", {"t1", "30"}), "(integer) 1");
        QCOMPARE(eval("acquire", {"t2", "30"}), "(integer) 0");
        QCOMPARE(m_server.cli({"GET", "lock_1"}), "t1");
        QCOMPARE(eval("release", {"t2"}), "(integer) 0");
        QCOMPARE(eval("release", {"t1"}), "(integer) 1");
        QCOMPARE(eval("release", {"t1"}), "(integer) 0");
        QCOMPARE(eval("release", {"t1", "done"}), "(integer) 1");
        QCOMPARE(eval("force-expire", {"", "t1"}), "(nil)");
    }

    void steps_data()
    {
        QTest::addColumn<ScriptStep>("step");
        const auto step = [](const QByteArray &name, const ScriptStep &row) { QTest::newRow(name) << row; };

        const Words absent;
        const Words held{"SET lock t PX 60000"};
        const Words endless{"SET lock t"};

        // clang-format off
        step("acquire: free",                 {absent,  "acquire", {"t", "30"}, "1", "acquired",      1, R"("t")", 30'000});
        step("acquire: another's",            {held,    "acquire", {"u", "30"}, "0", "held-by-other", -1, "same",  60'000});
        step("acquire: own, not re-entrant",  {held,    "acquire", {"t", "30"}, "0", "held-by-other", -1, "same",  60'000});
        step("acquire: another's, no expiry", {endless, "acquire", {"u", "30"}, "0", "held-by-other", -1, "same",  -1});
        step("acquire: an empty value",       {{"SET lock ''"}, "acquire", {"u", "30"}, "0", "held-by-other", -1, "same", -1});

        step("release: own",                  {held,    "release", {"t"},            "1", "released",      0, "gone",  -2});
        step("release: own, deleted",         {held,    "release", {"t", "deleted"}, "1", "released",      0, "gone",  -2});
        step("release: own, done",            {held,    "release", {"t", "done"},    "1", "released",      0, "gone",  -2});
        step("release: absent",               {absent,  "release", {"t"},            "0", "not-held",      -1, "gone", -2});
        step("release: absent, deleted",      {absent,  "release", {"t", "deleted"}, "0", "not-held",      -1, "gone", -2});
        step("release: absent, done",         {absent,  "release", {"t", "done"},    "1", "not-held",      -1, "gone", -2});
        step("release: another's",            {held,    "release", {"u"},            "0", "held-by-other", -1, "same", 60'000});
        step("release: another's, done",      {held,    "release", {"u", "done"},    "0", "held-by-other", -1, "same", 60'000});
        step("release: token is a prefix",    {{"SET lock tt"}, "release", {"t"},    "0", "held-by-other", -1, "same", -1});
        step("release: a token called named", {{"SET lock named"}, "release", {"named"}, "1", "released",  0, "gone",  -2});
        step("release: a token called done",  {{"SET lock done"}, "release", {"done"}, "1", "released",    0, "gone",  -2});

        step("extend: longer",                {held,    "extend", {"t", "100"}, "1", "extended",      1, "same",  100'000});
        step("extend: shorter",               {held,    "extend", {"t", "30"},  "1", "extended",      1, "same",  30'000});
        step("extend: without expiry",        {endless, "extend", {"t", "30"},  "1", "extended",      1, "same",  30'000});
        step("extend: absent",                {absent,  "extend", {"t", "30"},  "0", "not-held",      -1, "gone", -2});
        step("extend: another's",             {held,    "extend", {"u", "30"},  "0", "held-by-other", -1, "same", 60'000});

        step("force: as seen",                {held,    "force-expire", {"", "t"},        "1", "expired",       1, "gone",  -2});
        step("force: as seen, as a pair",     {held,    "force-expire", {"", "t", ""},    "1", "expired",       1, "gone",  -2});
        step("force: without expiry",         {endless, "force-expire", {"", "t"},        "1", "expired",       1, "gone",  -2});
        step("force: another's",              {held,    "force-expire", {"", "u"},        "0", "owner-changed", -1, "same", 60'000});
        step("force: another's, as a pair",   {held,    "force-expire", {"", "u", ""},    "0", "owner-changed", -1, "same", 60'000});
        step("force: another's, grace",       {held,    "force-expire", {"30", "u"},      "0", "owner-changed", -1, "same", 60'000});
        step("force: token is a prefix",      {{"SET lock tt"}, "force-expire", {"", "t"}, "0", "owner-changed", -1, "same", -1});
        step("force: absent",                 {absent,  "force-expire", {"", "t"},        "NULL", "already-gone", -1, "gone", -2});
        step("force: absent, grace",          {absent,  "force-expire", {"30", "t", ""},  "NULL", "already-gone", -1, "gone", -2});
        step("force: grace shortens",         {held,    "force-expire", {"30", "t", ""},  "1", "expired",       1, "same",  30'000});
        step("force: grace ends the endless", {endless, "force-expire", {"30", "t"},      "1", "expired",       1, "same",  30'000});
        step("force: grace never lengthens",  {held,    "force-expire", {"100", "t"},     "1", "expired",       1, "same",  60'000});
        step("force: a token called named",   {{"SET lock named"}, "force-expire", {"", "named"}, "1", "expired", 1, "gone", -2});
        step("force: the time left fell",     {held,    "force-expire", {"", "t", "", "pttl<=60000"}, "1", "expired", 1, "gone", -2});
        step("force: the time left rose",     {held,    "force-expire", {"", "t", "", "pttl<=30000"}, "0", "lease-changed", 1, "same", 60'000});
        step("force: it rose, with a grace",  {held,    "force-expire", {"20", "t", "pttl<=30000"}, "0", "lease-changed", 1, "same", 60'000});
        step("force: it has lost its expiry", {endless, "force-expire", {"", "t", "", "pttl<=30000"}, "0", "lease-changed", 1, "same", -1});
        step("force: it has one by now",      {held,    "force-expire", {"", "t", "", "pttl<=-1"},   "0", "lease-changed", 1, "same", 60'000});
        step("force: still without expiry",   {endless, "force-expire", {"", "t", "", "pttl<=-1"},   "1", "expired", 1, "gone", -2});
        step("force: a token like a time",    {{"SET lock pttl<=1"}, "force-expire", {"", "pttl<=1"}, "1", "expired", 1, "gone", -2});
        step("force: an empty token",         {{"SET lock ''"},    "force-expire", {"", ""},      "1", "expired", 1, "gone", -2});

        const QList<std::pair<QByteArray, Words>> others{
            {"list", {"RPUSH lock t"}}, {"hash", {"HSET lock t 1"}}, {"set", {"SADD lock t"}},
            {"zset", {"ZADD lock 1 t"}}, {"stream", {"XADD lock * t 1"}}};
        for (const auto &[type, make] : others) {
            const Words before = make + Words{"PEXPIRE lock 60000"};
            const QByteArray message = "the key holds a " + type + ", not a string";
            for (const auto &[script, arguments] : Uses{{"acquire", {"t", "30"}}, {"release", {"t"}},
                                                    {"release", {"t", "done"}}, {"extend", {"t", "30"}}, {"force-expire", {"", "t"}}})
                step(script + " at a " + type, {before, script, arguments, "ERROR,\"WRONGTYPE " + message, "wrong-type", -1, "same", 60'000, message});
        }
        // clang-format on
    }
    void steps() { verifyStep(); }

    void badArguments_data()
    {
        addRefusals();
        refusedLeases({{"acquire", {"t", "LEASE"}}, {"extend", {"t", "LEASE", "named"}}});
        refusedLeases({{"force-expire", {"LEASE", "t"}}}, "ERR grace must be");
        for (const QByteArray script : {"acquire", "extend"}) {
            refusal("empty lease", script, {"t", ""}, "ERR lease must be");
            refusal("no lease", script, {"t"});
            refusal("no lease, named", script, {"t", "named"}, "ERR lease must be");
            refusal("unknown word", script, {"t", "30", "other"});
            refusal("too many", script, {"t", "30", "named", "named"});
        }
        refusal("unknown form", "release", {"t", "gone"});
        refusal("empty form", "release", {"t", ""});
        refusal("too many", "release", {"t", "done", "deleted", "named"});
        refusal("no token", "force-expire", {""});
        refusal("a count", "force-expire", {"", "t", "1"});
        refusal("two pairs", "force-expire", {"", "t", "", "u", ""});

        for (const auto &[script, arguments] : Uses{{"acquire", {"t", "30"}},
                                                    {"release", {"t"}},
                                                    {"extend", {"t", "30"}},
                                                    {"force-expire", {"", "t"}}}) {
            refusal("no arguments", script, {});
            refusal("no key", script, arguments, "ERR usage", {});
            refusal("empty key", script, arguments, "ERR usage", {""});
            refusal("two keys", script, arguments, "ERR usage", {"lock", "lock"});
            if (script != "force-expire")
                refusal("empty token", script, Words{""} + arguments.mid(1), "ERR token must not be empty");
        }
    }
    void badArguments() { verifyRefusal({"SET lock t PX 60000"}); }

    void leasesAreMilliseconds_data() { addLeases(); }
    void leasesAreMilliseconds()
    {
        verifyLease({}, "acquire", {"t", "LEASE", "named"}, R"("acquired",1)");
        verifyLease({"SET lock t"}, "extend", {"t", "LEASE", "named"}, R"("extended",1)");
        verifyLease({"SET lock t"}, "force-expire", {"LEASE", "t", "named"}, R"("expired",1)");
    }

    void anyBytes()
    {
        const QByteArray key("\0l\r\n\xff {x", 8);
        const QByteArray token("\xff\r\n\0\"'", 6);
        const QByteArray other("\xff\r\n\0\"\"", 6);
        const QByteArray length = "STRLEN " + ScriptServer::quoted(key);
        const Words out = m_server.lines(
            {"FLUSHALL", call("acquire", {token, "30"}, {key}), call("acquire", {token, "30"}, {key}), length,
             call("extend", {token, "30"}, {key}), call("extend", {other, "30"}, {key}),
             call("release", {other}, {key}), call("force-expire", {"", other}, {key}),
             call("force-expire", {"", token}, {key}), call("acquire", {other, "30"}, {key}),
             call("release", {other}, {key}), "DBSIZE"});
        QCOMPARE(out, (Words{"\"OK\"", "1", "0", "6", "1", "0", "0", "0", "1", "1", "1", "0"}));
    }

    void fullServer()
    {
        const ScriptRun acquired = runOnFull({}, "acquire", {"t", "30", "named"});
        QVERIFY2(isCause(acquired.reply, "OOM "), acquired.reply);
        QCOMPARE(acquired.keys, 0);
        for (const auto &[script, arguments] : Uses{{"release", {"t"}}, {"force-expire", {"", "t"}}}) {
            const ScriptRun ended = runOnFull({"SET lock t"}, script, arguments);
            QCOMPARE(ended.reply, "1");
            QCOMPARE(ended.keys, 0);
        }
        QCOMPARE(runOnFull({"SET lock t"}, "extend", {"t", "30"}).reply, "1");
    }

    void hugeValueIsNotRead()
    {
        const ScriptRun run =
            m_server.run({"SET lock tt", "CONFIG RESETSTAT"}, call("force-expire", {"", "t"}));
        QCOMPARE(run.reply, "0");
        // One GET is the look afterwards.
        QVERIFY(m_server.cli({"INFO", "commandstats"}).contains("cmdstat_get:calls=1,"));
    }

    /// A lock without expiry must not exist even for a moment: one command sets both.
    void expiryComesWithTheValue()
    {
        const ScriptRun run = m_server.run(userWith("-expire -pexpire -setnx"), call("acquire", {"t", "30"}));
        QCOMPARE(run.reply, "1");
        QVERIFY(isTtl(run.pttl, 30'000));
    }
};

QTEST_GUILESS_MAIN(TokenScripts)
#include "tst_token.moc"
