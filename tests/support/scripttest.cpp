// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scripttest.h"

#include <QRegularExpression>

namespace lockscope {

namespace {

QByteArrayList withLease(QByteArrayList arguments, const QByteArray &lease)
{
    std::ranges::replace(arguments, QByteArray("LEASE"), lease);
    return arguments;
}

/// None of these is a lease or a grace.
const QByteArrayList badLeases{"abc",
                               "nan",
                               "inf",
                               "-1",
                               "+1",
                               "0",
                               "0.0004",
                               "1e3",
                               "0x10",
                               " 1",
                               "1 ",
                               "1.",
                               ".5",
                               "1,5",
                               "1.2.3",
                               "--1",
                               "1000000000000.001",
                               QByteArray(400, '9'),
                               QByteArray("30\0", 3),
                               QByteArray("30\n", 3)};

} // namespace

ScriptTest::ScriptTest(QByteArray folder, Words keys, const QStringList &settings)
    : m_server(settings), m_folder(std::move(folder)), m_keys(std::move(keys))
{
}

void ScriptTest::initTestCase_data()
{
    QTest::addColumn<bool>("flagged");
    if (RedisServer::majorVersion() >= 7) // Redis 6 does not take it
        QTest::newRow("for Redis 7") << true;
    QTest::newRow("for Redis 6") << false;
}

void ScriptTest::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_server.lines({"AUTH default x", "CONFIG SET maxmemory 0", "FLUSHALL"});
}

bool ScriptTest::flagged()
{
    QFETCH_GLOBAL(const bool, flagged);
    return flagged;
}

QByteArray ScriptTest::call(const QByteArray &script, const Words &arguments) const
{
    return call(script, arguments, m_keys);
}

QByteArray ScriptTest::call(const QByteArray &script, const Words &arguments, const Words &keys) const
{
    return ScriptServer::call(m_folder + '/' + script, flagged(), keys, arguments);
}

QByteArray ScriptTest::answer(const QByteArray &script, const Words &arguments)
{
    return m_server.lines({call(script, arguments)})[0];
}

ScriptRun ScriptTest::runOnFull(const Words &before, const QByteArray &script, const Words &arguments)
{
    return m_server.run(Words{"CONFIG SET maxmemory 0"} + before + Words{"CONFIG SET maxmemory 1"},
                        call(script, arguments));
}

QByteArrayList ScriptTest::userWith(const QByteArray &rules)
{
    return {"ACL SETUSER worker reset on nopass ~* &* +@all " + rules, "AUTH worker x"};
}

void ScriptTest::row(const QByteArray &name, const QByteArray &script, NamedCall call) const
{
    call.script = script;
    if (call.keys.isEmpty())
        call.keys = m_keys;
    QTest::newRow(name) << call;
}

void ScriptTest::verifyCall()
{
    QFETCH(const NamedCall, call);
    Words dumps;
    for (const QByteArray &key : call.keys)
        dumps << "DUMP " + ScriptServer::quoted(key);
    const Words out = m_server.lines(
        call.before + dumps + Words{this->call(call.script, call.arguments, call.keys), "AUTH default x"} +
        dumps + Words{"PTTL " + ScriptServer::quoted(call.keys[0])} + call.look);
    const qsizetype number = call.keys.size();
    const qsizetype at = call.before.size();
    const QByteArray reply = out[at + number];
    const Words fields = reply.split(',');
    QVERIFY2(fields.size() >= 4, reply);
    QCOMPARE(fields[0] + ',' + fields[1], call.answer);
    const qint64 reported = fields[2].toLongLong();
    QVERIFY2(reported < 0 || isTtl(reported, call.ttl), reply);
    const QByteArray message = fields.mid(3).join(',');
    if (call.message.isEmpty())
        QCOMPARE(message, "\"\"");
    else
        QCOMPARE(message.left(call.message.size() + 1), '"' + call.message);
    const qint64 pttl = out[at + 2 * number + 2].toLongLong();
    QVERIFY2(isTtl(pttl, call.ttl), QByteArray::number(pttl));
    static const Words done{"\"expired\"", "\"released\"", "\"unwound\"",
                            "\"removed\"", "\"acquired\"", "\"reentered\""};
    if (!done.contains(fields[0]))
        QCOMPARE(out.mid(at + number + 2, number), out.mid(at, number));
    else
        QCOMPARE(out.mid(at + 2 * number + 3), call.found);
}

void ScriptTest::verifyLeft(const ScriptRun &run, const ScriptStep &step)
{
    if (step.after == "gone")
        QCOMPARE(run.dumpAfter, "NULL");
    else if (step.after == "same")
        QCOMPARE(run.dumpAfter, run.dumpBefore);
    else
        QCOMPARE(run.content, step.after);
    QVERIFY2(isTtl(run.pttl, step.ttl), QByteArray::number(run.pttl));
    QCOMPARE(run.keys, step.after == "gone" ? 0 : 1);
}

void ScriptTest::verifyStep()
{
    QFETCH(const ScriptStep, step);
    const ScriptRun published = m_server.run(step.before, call(step.script, step.arguments));
    QCOMPARE(step.published.startsWith("ERROR") ? published.reply.left(step.published.size())
                                                : published.reply,
             step.published);
    verifyLeft(published, step);

    const ScriptRun named = m_server.run(step.before, call(step.script, step.arguments + Words{"named"}));
    const Words fields = named.reply.split(',');
    QVERIFY2(fields.size() >= 3, named.reply);
    QCOMPARE(fields[0], '"' + step.outcome + '"');
    QCOMPARE(fields[1], QByteArray::number(step.holds));
    QVERIFY2(isTtl(fields[2].toLongLong(), step.ttl), named.reply);
    QCOMPARE(fields.mid(3).join(','), step.message.isEmpty() ? QByteArray() : '"' + step.message + '"');
    verifyLeft(named, step);
}

void ScriptTest::addRefusals()
{
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<Words>("keys");
    QTest::addColumn<Words>("arguments");
    QTest::addColumn<QByteArray>("error");
}

void ScriptTest::refusal(const QByteArray &name, const QByteArray &script, const Words &arguments,
                         const QByteArray &error) const
{
    refusal(name, script, arguments, error, m_keys);
}

void ScriptTest::refusal(const QByteArray &name, const QByteArray &script, const Words &arguments,
                         const QByteArray &error, const Words &keys)
{
    QTest::newRow(script + ": " + name) << script << keys << arguments << error;
}

void ScriptTest::refusedLeases(const Uses &uses, const QByteArray &error, const QByteArray &prefix) const
{
    for (const QByteArray &lease : badLeases) {
        for (const auto &[script, arguments] : uses)
            refusal(prefix + "lease " + lease.left(20).toPercentEncoding(), script,
                    withLease(arguments, lease), error);
    }
}

void ScriptTest::verifyRefusal(const Words &present)
{
    QFETCH(const QByteArray, script);
    QFETCH(const Words, keys);
    QFETCH(const Words, arguments);
    QFETCH(const QByteArray, error);
    verifyRefused(present, call(script, arguments, keys), error);
}

void ScriptTest::verifyRefused(const Words &present, const QByteArray &call, const QByteArray &error)
{
    const ScriptRun absent = m_server.run({}, call);
    QCOMPARE(absent.reply.left(7 + error.size()), "ERROR,\"" + error);
    QCOMPARE(absent.keys, 0);
    const ScriptRun held = m_server.run(present, call);
    QCOMPARE(held.reply, absent.reply);
    QCOMPARE(held.dumpAfter, held.dumpBefore);
    QVERIFY2(isTtl(held.pttl, 60'000), QByteArray::number(held.pttl));
    QCOMPARE(held.keys, 1);
}

void ScriptTest::verifyUsage(const QByteArray &script, const Words &good, const QList<Words> &arguments,
                             const QList<Words> &keys)
{
    QList<std::pair<Words, Words>> calls;
    for (const Words &bad : arguments)
        calls.emplaceBack(m_keys, bad);
    for (const Words &bad : keys)
        calls.emplaceBack(bad, good);
    for (const auto &[words, values] : calls) {
        const QByteArray reply = m_server.lines({call(script, values, words)})[0];
        QVERIFY2(reply.startsWith("ERROR,\"ERR usage"),
                 reply + " to " + words.join(' ') + " , " + values.join(' '));
    }
}

void ScriptTest::verifyError(const QByteArray &script, const Words &arguments, const QByteArray &error)
{
    const QByteArray reply = answer(script, arguments);
    QVERIFY2(reply.startsWith("ERROR,\"ERR " + error), reply);
}

void ScriptTest::verifyGraces(const Words &before, const QByteArray &script, Words arguments)
{
    for (const QByteArray &grace : badLeases) {
        arguments[0] = grace;
        const ScriptRun run = m_server.run(before, call(script, arguments), m_keys[0]);
        QVERIFY2(run.reply.startsWith("ERROR,\"ERR grace must be"), run.reply);
        QCOMPARE(run.dumpAfter, run.dumpBefore);
    }
}

void ScriptTest::addLeases()
{
    QTest::addColumn<QByteArray>("seconds");
    QTest::addColumn<qint64>("milliseconds");
    for (const auto &[seconds, milliseconds] : {std::pair<QByteArray, qint64>{"30", 30'000},
                                                {"030", 30'000},
                                                {"2.5", 2'500},
                                                {"0.1", 100},
                                                {"0.001", 1},
                                                {"0.0005", 1},
                                                {"86400.0", 86'400'000},
                                                {"999999999999.999", 999'999'999'999'999},
                                                {"1000000000000", 1'000'000'000'000'000}})
        QTest::newRow(seconds) << seconds << milliseconds;
}

void ScriptTest::verifyLease(const Words &before, const QByteArray &script, Words arguments,
                             const QByteArray &outcomeAndHolds)
{
    QFETCH(const QByteArray, seconds);
    QFETCH(const qint64, milliseconds);
    const ScriptRun run = m_server.run(before, call(script, withLease(arguments, seconds)));
    QVERIFY2(run.reply.startsWith(outcomeAndHolds + ','), run.reply);
    const qint64 pttl = run.reply.split(',').value(2).toLongLong();
    QVERIFY2(pttl >= 0 && isTtl(pttl, milliseconds), run.reply);
}

QByteArray ScriptTest::fieldsEnd(const QByteArray &left)
{
    return "local real = redis; local redis = setmetatable({acl_check_cmd = function(name) return name == "
           "'HPTTL' end, "
           "call = function(name, ...) if name ~= 'HPTTL' then return real.call(name, ...) end "
           "local all = {} for i = 4, select('#', ...) do all[#all + 1] = " +
           left + " end return all end}, {__index = real})";
}

void ScriptTest::verifyFieldsEnd(const Words &before, const QByteArray &script, const Words &arguments,
                                 const Words &keys)
{
    const auto reported = [&](const QByteArray &lua) {
        return m_server
            .lines(Words{"FLUSHALL"} + before +
                   Words{ScriptServer::call(m_folder + '/' + script, flagged(), keys, arguments, lua)})
            .last()
            .split(',');
    };
    const Words sooner = reported(fieldsEnd("7000"));
    QVERIFY2(sooner.value(2) == "7000" && sooner.value(3).contains("field"), sooner.join(','));
    const QByteArray forbidden = "local real = redis; local redis = setmetatable({acl_check_cmd = function() "
                                 "return false end}, {__index = real})";
    for (const QByteArray &lua : {fieldsEnd("-1"), fieldsEnd("90000"), QByteArray(), forbidden}) {
        const Words byKey = reported(lua);
        QVERIFY2(isTtl(byKey.value(2).toLongLong(), 30'000), byKey.join(','));
        QVERIFY2(!byKey.mid(3).join(',').contains("field"), byKey.join(','));
    }
}

void ScriptTest::verifyWakesOneWhoBlocks(const Words &command, const QByteArray &make, const QByteArray &call,
                                         const QByteArray &woken)
{
    QProcess waiter;
    m_server.lines({"FLUSHALL", make});
    QStringList words{QStringLiteral("-s"), m_server.socketPath()};
    for (const QByteArray &word : command)
        words << QString::fromUtf8(word);
    waiter.start(QStringLiteral("redis-cli"), words);
    QTRY_VERIFY(m_server.cli({"INFO", "clients"}).contains("blocked_clients:1"));
    m_server.lines({call});
    QVERIFY(waiter.waitForFinished(10'000));
    QCOMPARE(waiter.readAllStandardOutput(), woken);
}

} // namespace lockscope
