// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/scriptserver.h"

#include <QDirIterator>
#include <QHash>
#include <QRandomGenerator>
#include <QRegularExpression>

using namespace lockscope;
using Words = QByteArrayList;

namespace {

/// How it is called: keys and arguments.
struct Example
{
    Words keys;
    Words arguments;
};

const QHash<QByteArray, Example> &examples()
{
    static const Words handoff{"l", "l:handoff:queue", "l:handoff:waiters", "l:handoff:fence"};
    static const Words python{"lock:l", "lock-signal:l"};
    static const Words fair{"l", "redisson_lock_queue:{l}", "redisson_lock_timeout:{l}"};
    static const Words unique{"l:LOCKED",
                              "l",
                              "l:QUEUED",
                              "l:PRIMED",
                              "l:INFO",
                              "uniquejobs:digests",
                              "uniquejobs:expiring_digests"};
    // clang-format off
    static const QHash<QByteArray, Example> table{
        {"counter/release",                  {{"l"}, {"1"}}},
        {"fields/force-expire",              {{"l"}, {"", "all", "a", "1"}}},
        {"handoff/acquire",                  {handoff, {"a", "30", "", "1"}}},
        {"handoff/force-expire",             {handoff, {"", "a", "1"}}},
        {"handoff/release",                  {handoff, {"a", "", "all"}}},
        {"handoff/remove-waiter",            {handoff, {"a"}}},
        {"handoff/wake",                     {handoff, {}}},
        {"members/force-expire",             {{"l"}, {"", "all", "a", ""}}},
        {"node-redisson/force-expire",       {{"l", "events"}, {"", "a", "1"}}},
        {"node-redisson/release",            {{"l", "events"}, {"a", "30", "one"}}},
        {"python-redis-lock/force-expire",   {python, {"", "a"}}},
        {"python-redis-lock/release",        {python, {"a"}}},
        {"record/force-expire",              {{"l"}, {"", "a", "1"}}},
        {"redisson/acquire",                 {{"l"}, {"30000", "a"}}},
        {"redisson/release",                 {{"l"}, {"30000", "a"}}},
        {"redisson/renew",                   {{"l"}, {"30000", "a"}}},
        {"redisson-fair/acquire",            {{"l", fair[1], "redisson_lock_token:{l}"}, {"a", "30"}}},
        {"redisson-fair/force-expire",       {fair, {"", "a", "1"}}},
        {"redisson-fair/release",            {fair, {"a", "30", "one"}}},
        {"redisson-fair/remove-waiter",      {fair, {"a"}}},
        {"redisson-fair/wake",               {fair, {}}},
        {"redisson-latch/force-expire",      {{"l"}, {"", "1"}}},
        {"redisson-multi/force-expire",      {{"l"}, {"", "all", "v:a:1", "1"}}},
        {"redisson-read-write/force-expire", {{"l", "{l}:a:rwlock_timeout:1"}, {"", "read", "all", "a", "2"}}},
        {"redisson-semaphore/force-expire",  {{"l", "{l}:timeout"}, {"", "all", "a", ""}}},
        {"redlock4j/force-expire",           {{"l", "l:queue"}, {"", "a"}}},
        {"redlock4j/release",                {{"l", "l:queue"}, {"a"}}},
        {"reentrant/acquire",                {{"l"}, {"a", "30"}}},
        {"reentrant/extend",                 {{"l"}, {"a", "30"}}},
        {"reentrant/force-expire",           {{"l"}, {"", "a", "1"}}},
        {"reentrant/release",                {{"l"}, {"a", "30"}}},
        {"set-field/force-expire",           {{"l"}, {"", "a", "1", "a", "0"}}},
        {"sidekiq-unique-jobs/force-expire", {unique, {"", "all", "a", ""}}},
        {"simple-redis-mutex/force-expire",  {{"l"}, {"", "a"}}},
        {"simple-redis-mutex/release",       {{"l"}, {"a"}}},
        {"spring-integration/force-expire",  {{"l"}, {"", "a"}}},
        {"spring-integration/release",       {{"l"}, {"a"}}},
        {"token/acquire",                    {{"l"}, {"a", "30"}}},
        {"token/extend",                     {{"l"}, {"a", "30"}}},
        {"token/force-expire",               {{"l"}, {"", "a"}}},
        {"token/release",                    {{"l"}, {"a"}}},
        {"token-fenced/acquire",             {{"l", "l:fence"}, {"a", "30"}}},
    };
    // clang-format on
    return table;
}

} // namespace

/// Each of the whole scripts, which stock redis-cli runs as they stand in the tree.
class EveryScript : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<QByteArray>("script");
        const QDir root(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/lua"));
        QDirIterator files(root.path(), {QStringLiteral("*.lua")}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString path = root.relativeFilePath(files.next());
            if (!path.startsWith(QStringLiteral("parts/")))
                QTest::newRow(qPrintable(path)) << path.chopped(4).toUtf8();
        }
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
        m_server.lines({"FLUSHALL"});
    }

    void runsByRedisCli()
    {
        QFETCH_GLOBAL(const QByteArray, script);
        const QByteArray said = m_server.cli({"--eval", scriptPath(script)});
        QVERIFY2(said.startsWith("ERR usage: "), said);
        QVERIFY(examples().contains(script));
        const auto &[keys, arguments] = examples()[script];
        const QByteArray answer =
            m_server.cli(Words{"--eval", scriptPath(script)} + keys + Words{","} + arguments);
        QVERIFY2(!answer.contains("ERR"), answer);
    }

    /// Whatever it is called with, and whatever its keys hold: it answers, or it says why not and has changed nothing.
    void changesNothingBeforeAnError()
    {
        QFETCH_GLOBAL(const QByteArray, script);
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const auto one = [&random](const Words &of) { return of[random.bounded(of.size())]; };
        const auto &[keys, arguments] = examples()[script];
        Words dumps;
        for (const QByteArray &key : keys)
            dumps << "DUMP " + key;
        const QByteArray load = m_server.cli({"-x", "SCRIPT", "LOAD"}, ScriptServer::text(script, true));
        Words commands;
        QList<qsizetype> calls;
        for (int i = 0; i < 200; ++i) {
            commands << "FLUSHALL";
            for (const QByteArray &key : keys)
                commands << one({"PING", "SET " + key + " a", "SET " + key + " 1 PX 60000",
                                 "HSET " + key + " a 1", "HSET " + key + " a 2 mode read",
                                 "HSET " + key + " a x b 1", "RPUSH " + key + " a b",
                                 "ZADD " + key + " 1 a 99999999999999 b", "SADD " + key + " a",
                                 "XADD " + key + " * a 1"});
            QByteArray call =
                "EVALSHA " + load + ' ' + QByteArray::number(keys.size()) + ' ' + keys.join(' ');
            for (const QByteArray &argument : arguments) {
                if (random.bounded(6) > 0)
                    call += ' ' + ScriptServer::quoted(argument);
                else
                    call += ' ' + one({"''", "a", "b", "1", "2", "30", "x", "all", "only", "one", "0 0"});
            }
            call += ' ' + one({"", "", "", "named", "all", "sharded", "a 1"});
            commands += dumps;
            calls << commands.size();
            commands << call;
            commands += dumps;
        }
        const Words out = m_server.lines(commands);
        int errors = 0;
        for (const qsizetype at : calls) {
            QVERIFY2(!out[at].contains("nonexistent global"), out[at] + " to " + commands[at]);
            if (!out[at].startsWith("ERROR"))
                continue;
            ++errors;
            QVERIFY2(out.mid(at - keys.size(), keys.size()) == out.mid(at + 1, keys.size()),
                     out[at] + " to " + commands[at]);
        }
        QVERIFY(errors > 0 && errors < calls.size());
    }

private:
    ScriptServer m_server;
};

QTEST_GUILESS_MAIN(EveryScript)
#include "tst_everyscript.moc"
