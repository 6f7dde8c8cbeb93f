// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C and its like, while the program has asked something of the server.
#include "core/words/phrases.h"
#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <csignal>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace lockscope;
using Words = QList<QByteArray>;

namespace {

class Program
{
public:
    Program(const FakePeer &peer, const Words &words) : m_words(words)
    {
        QStringList list{QStringLiteral("-h"), QStringLiteral("127.0.0.1"), QStringLiteral("-p"),
                         QString::number(peer.port())};
        for (const QByteArray &word : words)
            list.append(QString::fromUtf8(word));
        m_process.start(CliProgram::path(), list);
    }
    ~Program()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    Program(const Program &) = delete;
    Program &operator=(const Program &) = delete;

    void send(int signal) const { ::kill(static_cast<pid_t>(m_process.processId()), signal); }
    bool hasEnded() const { return m_process.state() == QProcess::NotRunning; }
    bool wasKilled() const { return m_process.exitStatus() == QProcess::CrashExit; }
    Ran ran()
    {
        const QByteArray out = m_process.readAllStandardOutput();
        keepJson(m_words, out);
        return {m_process.exitCode(), out, m_process.readAllStandardError()};
    }

private:
    const Words m_words;
    QProcess m_process;
};

/// A lock of t's, a string, that each look finds; no waiters.
void holdALock(FakePeer &peer)
{
    peer.on("PTTL", ":29000\r\n");
    peer.on("HSCAN", "-WRONGTYPE x\r\n");
    peer.on("GETRANGE", "$1\r\nt\r\n");
    peer.on("SCAN", "*2\r\n$1\r\n0\r\n*0\r\n");
}

} // namespace

class TestCliSignals : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void whileAnAnswerIsAwaited_data();
    void whileAnAnswerIsAwaited();
    void inWords();
    void beforeAnythingWasSent();
    void betweenTwoTries();
    void whileTheLookIsAwaited();
    void theSecondOneEndsAtOnce();
    void whoeverIgnoresHangupsIsNotEnded();
    void ofVerbsThatLook_data();
    void ofVerbsThatLook();
    void theWindowEndsInOrder();

private:
    std::optional<CliProgram> m_cli;
};

void TestCliSignals::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
}

void TestCliSignals::whileAnAnswerIsAwaited_data()
{
    QTest::addColumn<int>("signal");
    QTest::addColumn<Words>("words");
    const Words force{"force-expire", "lock:a", "--expect-owner", "t"};
    QTest::newRow("Ctrl-C") << SIGINT << force;
    QTest::newRow("TERM") << SIGTERM << force;
    QTest::newRow("HUP") << SIGHUP << force;
    QTest::newRow("acquire") << SIGINT << Words{"acquire", "lock:a", "--owner", "x", "--lease", "30"};
    QTest::newRow("release") << SIGINT << Words{"release", "lock:a", "--owner", "t"};
    QTest::newRow("extend") << SIGINT << Words{"extend", "lock:a", "--owner", "t", "--lease", "30"};
}

void TestCliSignals::whileAnAnswerIsAwaited()
{
    QFETCH(const int, signal);
    QFETCH(const Words, words);
    FakePeer peer;
    holdALock(peer);
    peer.once("EVALSHA", FakePeer::Answer().hold());
    Program program(peer, words + Words{"--json"});
    QTRY_COMPARE_WITH_TIMEOUT(peer.commands("EVALSHA").size(), 1, 20'000);
    program.send(signal);
    QTRY_VERIFY_WITH_TIMEOUT(program.hasEnded(), 20'000);
    QVERIFY(!program.wasKilled());
    const Ran ran = program.ran();
    VERIFY_EXIT(ran, 3);
    const QJsonObject document = jsonIn(ran.out);
    QCOMPARE(document[QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
    QCOMPARE(document[QLatin1String("key")].toString(), QStringLiteral("lock:a"));
    QCOMPARE(document[QLatin1String("found")][QLatin1String("state")].toString(),
             QStringLiteral("unreachable"));
    QVERIFY2(ran.err.contains("lock:a") && ran.err.contains("get"), ran.err.constData());
    QCOMPARE(m_cli->auditRecords().size(), 2);
    QCOMPARE(m_cli->auditRecords()[1][QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
    QCOMPARE(peer.commands("EVALSHA").size(), 1);
}

void TestCliSignals::inWords()
{
    FakePeer peer;
    holdALock(peer);
    peer.once("EVALSHA", FakePeer::Answer().hold());
    Program program(peer, {"force-expire", "lock:a", "--expect-owner", "t"});
    QTRY_COMPARE_WITH_TIMEOUT(peer.commands("EVALSHA").size(), 1, 20'000);
    program.send(SIGINT);
    QTRY_VERIFY_WITH_TIMEOUT(program.hasEnded(), 20'000);
    const Ran ran = program.ran();
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.out.startsWith("lock:a: ") && ran.out.contains("Outcome unknown: "), ran.out.constData());
}

void TestCliSignals::beforeAnythingWasSent()
{
    FakePeer peer;
    holdALock(peer);
    peer.once("PTTL", FakePeer::Answer().hold());
    Program program(peer, {"force-expire", "lock:a", "--expect-owner", "t", "--json"});
    QTRY_COMPARE_WITH_TIMEOUT(peer.commands("PTTL").size(), 1, 20'000);
    program.send(SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(program.hasEnded(), 20'000);
    const Ran ran = program.ran();
    VERIFY_EXIT(ran, 3);
    QCOMPARE(ran.out, "");
    QVERIFY2(ran.err.contains("nothing was sent"), ran.err.constData());
    QVERIFY(m_cli->auditRecords().isEmpty());
    QVERIFY(peer.commands("EVALSHA").isEmpty());
}

/// A try was answered, the next one had not begun: the answer is what is known.
void TestCliSignals::betweenTwoTries()
{
    RedisServer server;
    server.cli({"SET", "lock:a", "t"});
    QProcess program;
    program.start(CliProgram::path(),
                  {QStringLiteral("-s"), server.socketPath(), QStringLiteral("acquire"),
                   QStringLiteral("lock:a"), QStringLiteral("--owner"), QStringLiteral("x"),
                   QStringLiteral("--lease"), QStringLiteral("30"), QStringLiteral("--family"),
                   QStringLiteral("token"), QStringLiteral("--wait"), QStringLiteral("60"),
                   QStringLiteral("--json")});
    QTRY_VERIFY_WITH_TIMEOUT(m_cli->auditRecords().size() >= 2, 20'000);
    ::kill(static_cast<pid_t>(program.processId()), SIGINT);
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), QProcess::NotRunning, 20'000);
    const QJsonObject document = jsonIn(keptJson("action", program.readAllStandardOutput()));
    // It may have been caught in the midst of a try.
    const bool wasAsking = document[QLatin1String("outcome")].toString() == QStringLiteral("unknown");
    QVERIFY(wasAsking || document[QLatin1String("outcome")].toString() == QStringLiteral("held-by-other"));
    QCOMPARE(program.exitCode(), wasAsking ? 3 : 1);
    const Ran verified = CliProgram::run({"audit", "verify", "--json"});
    QCOMPARE(jsonIn(verified.out)[QLatin1String("unfinished")].toArray().size(), 0);
}

void TestCliSignals::whileTheLookIsAwaited()
{
    FakePeer peer;
    holdALock(peer);
    peer.once("EVALSHA", FakePeer::Answer().hold());
    Program program(peer, {"acquire", "lock:a", "--owner", "x", "--lease", "30", "--json"});
    QTRY_COMPARE_WITH_TIMEOUT(peer.commands("EVALSHA").size(), 1, 20'000);
    peer.onConnect(FakePeer::Answer().hold()); // the look gets no further than that
    peer.dropClients();
    QTRY_VERIFY_WITH_TIMEOUT(peer.accepted() >= 2, 20'000);
    program.send(SIGINT);
    QTRY_VERIFY_WITH_TIMEOUT(program.hasEnded(), 20'000);
    const Ran ran = program.ran();
    VERIFY_EXIT(ran, 3);
    QCOMPARE(jsonIn(ran.out)[QLatin1String("found")][QLatin1String("state")].toString(),
             QStringLiteral("unreachable"));
    QCOMPARE(m_cli->auditRecords()[1][QLatin1String("outcome")].toString(), QStringLiteral("unknown"));
}

/// Even where the first one can't be obeyed: here the audit file is locked by another program.
void TestCliSignals::theSecondOneEndsAtOnce()
{
    FakePeer peer;
    peer.once("EVALSHA", FakePeer::Answer().hold());
    Program program(peer, {"acquire", "lock:a", "--owner", "x", "--lease", "30"});
    QTRY_COMPARE_WITH_TIMEOUT(peer.commands("EVALSHA").size(), 1, 20'000);
    const int audit = ::open(QFile::encodeName(m_cli->auditPath()).constData(), O_RDWR | O_CLOEXEC);
    QCOMPARE(::flock(audit, LOCK_EX), 0);
    program.send(SIGINT);
    program.send(SIGTERM);
    QTRY_VERIFY_WITH_TIMEOUT(program.hasEnded(), 20'000);
    QVERIFY(program.wasKilled());
    ::close(audit);
    QCOMPARE(m_cli->auditRecords().size(), 1);
    const Ran verified = CliProgram::run({"audit", "verify", "--json"});
    QCOMPARE(jsonIn(verified.out)[QLatin1String("unfinished")].toArray().size(), 1);
}

/// As nohup has it.
void TestCliSignals::whoeverIgnoresHangupsIsNotEnded()
{
    const RedisServer server;
    QProcess program;
    program.setChildProcessModifier([] { std::signal(SIGHUP, SIG_IGN); });
    program.start(CliProgram::path(), {QStringLiteral("-s"), server.socketPath(), QStringLiteral("watch"),
                                       QStringLiteral("--json")});
    QTRY_VERIFY_WITH_TIMEOUT(program.canReadLine(), 20'000);
    program.readLine();
    ::kill(static_cast<pid_t>(program.processId()), SIGHUP);
    server.cli({"SET", "lock:a", "t"});
    QTRY_VERIFY_WITH_TIMEOUT(program.canReadLine(), 20'000); // alive
    program.terminate();
    QTRY_COMPARE_WITH_TIMEOUT(program.state(), QProcess::NotRunning, 20'000);
    QCOMPARE(program.exitCode(), 0);
}

void TestCliSignals::ofVerbsThatLook_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<QByteArray>("held"); // the command that is not answered
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<bool>("prints");
    QTest::newRow("list") << Words{"list", "--json"} << QByteArray("SCAN") << 3 << false;
    QTest::newRow("get") << Words{"get", "lock:a", "--json"} << QByteArray("PTTL") << 3 << false;
    QTest::newRow("who") << Words{"who", "lock:a", "--json"} << QByteArray("PTTL") << 3 << false;
    QTest::newRow("search") << Words{"search", "--json"} << QByteArray("SCAN") << 3 << true;
    QTest::newRow("watch") << Words{"watch", "--json"} << QByteArray("SCAN") << 3 << false; // not ready
}

void TestCliSignals::ofVerbsThatLook()
{
    QFETCH(const Words, words);
    QFETCH(const QByteArray, held);
    QFETCH(const int, exitCode);
    QFETCH(const bool, prints);
    FakePeer peer;
    holdALock(peer);
    peer.once(held, FakePeer::Answer().hold());
    Program program(peer, words);
    QTRY_VERIFY_WITH_TIMEOUT(!peer.commands(held).isEmpty(), 20'000);
    program.send(SIGINT);
    QTRY_VERIFY_WITH_TIMEOUT(program.hasEnded(), 20'000);
    const Ran ran = program.ran();
    VERIFY_EXIT(ran, exitCode);
    QCOMPARE(!ran.out.isEmpty(), prints);
    if (prints)
        QCOMPARE(jsonIn(ran.out)[QLatin1String("complete")], QJsonValue(false));
    else
        QVERIFY2(ran.err.contains("interrupted") || ran.err.contains("before the first reading"),
                 ran.err.constData());
}

/// By its event loop, so that its session completes the record of what is under way.
void TestCliSignals::theWindowEndsInOrder()
{
    const RedisServer server;
    const QTemporaryDir home;
    QProcess window;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), home.path());
    window.setProcessEnvironment(environment);
    window.start(QStringLiteral(LOCKSCOPE_BIN_DIR "/lockscope"), {QStringLiteral("-s"), server.socketPath()});
    QTRY_VERIFY_WITH_TIMEOUT(server.cli({"CLIENT", "LIST"}).contains("name=lockscope"), 30'000);
    window.terminate();
    QTRY_COMPARE_WITH_TIMEOUT(window.state(), QProcess::NotRunning, 30'000);
    QCOMPARE(window.exitStatus(), QProcess::NormalExit);
    QCOMPARE(window.exitCode(), 0);
}

QTEST_GUILESS_MAIN(TestCliSignals)
#include "tst_clisignals.moc"
