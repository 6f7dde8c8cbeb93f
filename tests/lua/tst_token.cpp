// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lua/scriptserver.h"

#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

/// lua/token/ on a real server, in the form for Redis 7 and in the one for Redis 6.
class TokenScripts : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data();
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void cleanup() { m_server.lines({"CONFIG SET maxmemory 0"}); }

    void fromTheStockCommandLine();
    void steps_data();
    void steps();
    void badArguments_data();
    void badArguments();
    void leasesAreMilliseconds_data();
    void leasesAreMilliseconds();
    void anyBytes();
    void fullServer();
    void hugeValueIsNotRead();
    void expiryComesWithTheValue();

private:
    static bool flagged()
    {
        QFETCH_GLOBAL(bool, flagged);
        return flagged;
    }
    static QByteArray call(const QByteArray &script, const Words &arguments, const Words &keys = {"lock"})
    {
        return ScriptServer::call("token/" + script, flagged(), keys, arguments);
    }

    ScriptServer m_server;
};

void TokenScripts::initTestCase_data()
{
    QTest::addColumn<bool>("flagged");
    ScriptServer::addForms();
}

void TokenScripts::fromTheStockCommandLine()
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

void TokenScripts::steps_data()
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
        for (const auto &[script, arguments] : {std::pair<QByteArray, Words>{"acquire", {"t", "30"}}, {"release", {"t"}},
                                                {"release", {"t", "done"}}, {"extend", {"t", "30"}}, {"force-expire", {"", "t"}}})
            step(script + " at a " + type, {before, script, arguments, "ERROR,\"WRONGTYPE " + message, "wrong-type", -1, "same", 60'000, message});
    }
    // clang-format on
}

void TokenScripts::steps()
{
    QFETCH(const ScriptStep, step);
    verifyStep(m_server, "token", step, flagged());
}

void TokenScripts::badArguments_data()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<Words>("keys");
    QTest::addColumn<Words>("arguments");
    QTest::addColumn<QByteArray>("error");

    const auto row = [](const QByteArray &name, const QByteArray &script, const Words &arguments,
                        const QByteArray &error, const Words &keys = {"lock"}) {
        QTest::newRow(script + ": " + name) << script << keys << arguments << error;
    };
    for (const QByteArray &lease : badLeases) {
        const QByteArray name = "lease " + lease.left(20).toPercentEncoding();
        row(name, "acquire", {"t", lease}, "ERR lease must be");
        row(name, "extend", {"t", lease, "named"}, "ERR lease must be");
        row(name, "force-expire", {lease, "t"}, "ERR grace must be");
    }
    for (const QByteArray script : {"acquire", "extend"}) {
        row("empty lease", script, {"t", ""}, "ERR lease must be");
        row("no lease", script, {"t"}, "ERR usage");
        row("no lease, named", script, {"t", "named"}, "ERR lease must be");
        row("unknown word", script, {"t", "30", "other"}, "ERR usage");
        row("too many", script, {"t", "30", "named", "named"}, "ERR usage");
    }
    row("unknown form", "release", {"t", "gone"}, "ERR usage");
    row("empty form", "release", {"t", ""}, "ERR usage");
    row("too many", "release", {"t", "done", "deleted", "named"}, "ERR usage");
    row("no token", "force-expire", {""}, "ERR usage");
    row("a count", "force-expire", {"", "t", "1"}, "ERR usage");
    row("two pairs", "force-expire", {"", "t", "", "u", ""}, "ERR usage");

    for (const auto &[script, arguments] : {std::pair<QByteArray, Words>{"acquire", {"t", "30"}},
                                            {"release", {"t"}},
                                            {"extend", {"t", "30"}},
                                            {"force-expire", {"", "t"}}}) {
        row("no arguments", script, {}, "ERR usage");
        row("no key", script, arguments, "ERR usage", {});
        row("empty key", script, arguments, "ERR usage", {""});
        row("two keys", script, arguments, "ERR usage", {"lock", "lock"});
        if (script != "force-expire")
            row("empty token", script, Words{""} + arguments.mid(1), "ERR token must not be empty");
    }
}

void TokenScripts::badArguments()
{
    QFETCH(const QByteArray, script);
    QFETCH(const Words, keys);
    QFETCH(const Words, arguments);
    QFETCH(const QByteArray, error);
    verifyRefused(m_server, {"SET lock t PX 60000"}, call(script, arguments, keys), error);
}

void TokenScripts::leasesAreMilliseconds_data()
{
    leaseRows();
}

void TokenScripts::leasesAreMilliseconds()
{
    QFETCH(const QByteArray, seconds);
    QFETCH(const qint64, milliseconds);
    verifyLease(m_server.run({}, call("acquire", {"t", seconds, "named"})), R"("acquired",1)", milliseconds);
    verifyLease(m_server.run({"SET lock t"}, call("extend", {"t", seconds, "named"})), R"("extended",1)",
                milliseconds);
    verifyLease(m_server.run({"SET lock t"}, call("force-expire", {seconds, "t", "named"})), R"("expired",1)",
                milliseconds);
}

void TokenScripts::anyBytes()
{
    const QByteArray key("\0l\r\n\xff {x", 8);
    const QByteArray token("\xff\r\n\0\"'", 6);
    const QByteArray other("\xff\r\n\0\"\"", 6);
    const QByteArray length = "STRLEN " + ScriptServer::quoted(key);
    const Words out =
        m_server.lines({"FLUSHALL", call("acquire", {token, "30"}, {key}),
                        call("acquire", {token, "30"}, {key}), length, call("extend", {token, "30"}, {key}),
                        call("extend", {other, "30"}, {key}), call("release", {other}, {key}),
                        call("force-expire", {"", other}, {key}), call("force-expire", {"", token}, {key}),
                        call("acquire", {other, "30"}, {key}), call("release", {other}, {key}), "DBSIZE"});
    QCOMPARE(out, (Words{"\"OK\"", "1", "0", "6", "1", "0", "0", "0", "1", "1", "1", "0"}));
}

void TokenScripts::fullServer()
{
    const QByteArray full = "CONFIG SET maxmemory 1";
    const ScriptRun acquired = m_server.run({full}, call("acquire", {"t", "30", "named"}));
    QVERIFY2(isCause(acquired.reply, "OOM "), acquired.reply);
    QCOMPARE(acquired.keys, 0);
    for (const auto &[script, arguments] :
         {std::pair<QByteArray, Words>{"release", {"t"}}, {"force-expire", {"", "t"}}}) {
        cleanup();
        const ScriptRun ended = m_server.run({"SET lock t", full}, call(script, arguments));
        QCOMPARE(ended.reply, "1");
        QCOMPARE(ended.keys, 0);
    }
    cleanup();
    QCOMPARE(m_server.run({"SET lock t", full}, call("extend", {"t", "30"})).reply, "1");
}

void TokenScripts::hugeValueIsNotRead()
{
    const ScriptRun run = m_server.run({"SET lock tt", "CONFIG RESETSTAT"}, call("force-expire", {"", "t"}));
    QCOMPARE(run.reply, "0");
    // One GET is the look afterwards.
    QVERIFY(m_server.cli({"INFO", "commandstats"}).contains("cmdstat_get:calls=1,"));
}

/// A lock without expiry must not exist even for a moment: one command sets both.
void TokenScripts::expiryComesWithTheValue()
{
    const Words before{"ACL SETUSER worker reset on nopass ~* &* +@all -expire -pexpire -setnx",
                       "AUTH worker x"};
    const ScriptRun run = m_server.run(before, call("acquire", {"t", "30"}));
    QCOMPARE(run.reply, "1");
    QVERIFY(isTtl(run.pttl, 30'000));
}

QTEST_GUILESS_MAIN(TokenScripts)
#include "tst_token.moc"
