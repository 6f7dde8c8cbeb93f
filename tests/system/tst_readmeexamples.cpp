// SPDX-License-Identifier: GPL-3.0-or-later
// The command lines that README, the guide and the text on simulations show, run as they stand there on a server of the test's own.
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QProcess>
#include <QScopeGuard>
#include <QtTest>

#include <optional>

using namespace lockscope;
using Words = QList<QByteArray>;

namespace {

const QByteArray uuid = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

/// "    lockscope-cli get KEY   # …": what follows the program's name, without the remark.
QList<Words> examples()
{
    const QByteArray start = "    lockscope-cli ";
    QList<Words> found;
    for (const char *path : {"README.md", "README.zh_CN.md", "packaging/docs/guide.md",
                             "packaging/docs/guide.zh_CN.md", "packaging/docs/simulation.md"}) {
        QFile document(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/") + QString::fromLatin1(path));
        if (!document.open(QIODevice::ReadOnly))
            qFatal("no %s", path);
        for (const QByteArray &line : document.readAll().split('\n')) {
            if (!line.startsWith(start))
                continue;
            const Words words = line.sliced(start.size()).split('#').first().simplified().split(' ');
            if (!found.contains(words))
                found.append(words);
        }
    }
    return found;
}

/// An ID where the document says UUID, no quotes of the shell, a shorter duration, and a port that is free.
Words adapted(Words words)
{
    for (QByteArray &word : words)
        word.replace("UUID", uuid).replace("'", "");
    if (const qsizetype duration = words.indexOf("--duration"); duration >= 0)
        words[duration + 1] = "0.3";
    if (const qsizetype listen = words.indexOf("--listen"); listen >= 0)
        words[listen + 1] = words[listen + 1].left(words[listen + 1].lastIndexOf(':')) + ":0";
    return words;
}

} // namespace

class TestReadmeExamples : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void run_data();
    void run();

private:
    void prepareFor(const Words &words);
    void runUntilStopped(const Words &words);

    RedisServer m_server;
    CliProgram m_cli;
};

void TestReadmeExamples::run_data()
{
    QTest::addColumn<Words>("words");
    int number = 0;
    for (const Words &words : examples())
        QTest::addRow("%d: %s", ++number, words.join(' ').constData()) << words;
    QVERIFY(number > 10);
}

/// What the example is about.
void TestReadmeExamples::prepareFor(const Words &words)
{
    const auto redis = [this](const Words &command) { m_server.cli(command); };
    const QByteArray key = words.value(1).startsWith("--") ? QByteArray() : words.value(1);
    redis({"FLUSHALL"});
    if (words[0] == "remove-waiter" || words[0] == "wake") {
        if (words[0] == "remove-waiter")
            redis({"HSET", key, uuid + ":7", "1"});
        redis({"RPUSH", "redisson_lock_queue:{" + key + '}', uuid + ":9"});
        redis({"ZADD", "redisson_lock_timeout:{" + key + '}', "99999999999999", uuid + ":9"});
    } else if (words.contains("--only")) {
        redis({"HSET", key, "mode", "read", uuid + ":7", "1", uuid + ":8", "1"});
    } else if (words[0] == "extend" || words[0] == "release") {
        redis({"HSET", key, "me", "1"});
        redis({"PEXPIRE", key, "600000"});
    } else if (words[0] != "acquire") {
        redis({"SET", key.isEmpty() ? QByteArray("lock:order:1001") : key, "worker-7", "PX", "600000"});
    }
    if (words[0] == "audit")
        QVERIFY(CliProgram::on(m_server, {"acquire", "lock:b", "--owner", "me", "--lease", "30"}).exitCode ==
                0);
}

/// It says where its metrics are, and then serves them.
void TestReadmeExamples::runUntilStopped(const Words &words)
{
    QStringList arguments{QStringLiteral("-s"), m_server.socketPath()};
    for (const QByteArray &word : words)
        arguments.append(QFile::decodeName(word));
    QProcess program;
    program.start(CliProgram::path(), arguments);
    QTRY_VERIFY(program.canReadLine());
    const QByteArray line = program.readLine();
    QVERIFY2(line.contains("http://127.0.0.1:") && line.contains("/metrics"), line.constData());
    program.terminate();
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
}

void TestReadmeExamples::run()
{
    QFETCH(const Words, words);
    const Words given = adapted(words);
    prepareFor(given);
    QProcess waiter;
    if (given[0] == "wake") {
        const QByteArray channel = "redisson_lock__channel:{" + given[1] + "}:" + uuid + ":9";
        waiter.start(QStringLiteral("redis-cli"), {QStringLiteral("-s"), m_server.socketPath(),
                                                   QStringLiteral("subscribe"), QString::fromUtf8(channel)});
        QTRY_VERIFY(m_server.cli({"PUBSUB", "CHANNELS"}).contains(channel));
    }
    const auto leave = qScopeGuard([&waiter] {
        waiter.kill();
        waiter.waitForFinished();
    });
    if (given[0] == "simulate") {
        // The scenarios have tests of their own: here it is enough that the words are understood.
        VERIFY_EXIT(CliProgram::on(m_server, Words{"--read-only"} + given), 4);
        return;
    }
    if (given[0] == "export") {
        runUntilStopped(given);
        runUntilStopped(given + Words{"--json"});
        return;
    }
    if (given[0] == "top") { // wants a terminal
        VERIFY_EXIT(CliProgram::on(m_server, given), 2);
        return;
    }
    const Ran ran = CliProgram::on(m_server, given);
    const int expected = given.contains("--server") ? 1 : 0; // this one keeps nothing
    VERIFY_EXIT(ran, expected);
    QVERIFY(!ran.out.isEmpty() || !ran.err.isEmpty());
    if (given[0] == "audit")
        return;
    const Ran json = (prepareFor(given), CliProgram::on(m_server, given + Words{"--json"}));
    VERIFY_EXIT(json, expected);
    for (const QByteArray &line : json.out.trimmed().split('\n'))
        QVERIFY2(!jsonIn(line).isEmpty(), json.out.constData());
}

QTEST_GUILESS_MAIN(TestReadmeExamples)
#include "tst_readmeexamples.moc"
