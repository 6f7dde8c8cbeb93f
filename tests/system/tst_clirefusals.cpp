// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal program refuses, and that nothing has happened then.
#include "tests/support/fakepeer.h"
#include "tests/support/redisserver.h"
#include "tests/system/cliprogram.h"

#include <QtTest>

#include <optional>

using namespace lockscope;
using Words = QList<QByteArray>;

namespace {

const QByteArray canary = "canary-7f3d";

} // namespace

class TestCliRefusals : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup() { m_cli.reset(); }

    void refusesBadInput_data();
    void refusesBadInput();
    void refusesBadServers_data();
    void refusesBadServers();
    void refusesPeersThatAreNoRedis_data();
    void refusesPeersThatAreNoRedis();
    void passwordComesFromAnywhereAndGoesNowhere();
    void passwordIsAskedForWithoutEcho();
    void readOnlySendsNoWrite();
    void productionNeedsTheKeyOnceMore();
    void keysOfSeveralSlots();
    void withoutAuditNothingIsSent();
    void withoutACommandNothingIsClaimed();

private:
    Ran on(const Words &arguments) { return CliProgram::on(m_server, arguments); }
    QByteArray redis(const Words &arguments) { return m_server.cli(arguments); }

    RedisServer m_server;
    std::optional<CliProgram> m_cli;
};

void TestCliRefusals::init()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    m_cli.emplace();
    QCOMPARE(redis({"FLUSHALL"}), "OK");
}

void TestCliRefusals::refusesBadInput_data()
{
    QTest::addColumn<Words>("words");
    const auto row = [](const Words &words) { QTest::newRow(words.join(' ').constData()) << words; };
    row({});
    row({"frobnicate"});
    row({"list", "--frobnicate"});
    row({"simulate"});
    row({"simulate", "--scenario", "frob"});
    row({"simulate", "--strategy", "token-set", "--workers", "0"});
    row({"--node-address", "a", "list"});
    row({"acquire", "", "--owner", "x", "--lease", "30"});
    row({"acquire", "k", "--owner", "", "--lease", "30"});
    for (const char *lease : {"0", "-1", "abc", "nan", "inf", ""})
        row({"acquire", "k", "--owner", "x", "--lease", lease});
    row({"release", "k"});
    row({"force-expire", "k"});
    row({"-u", "redis-sentinel://h:26379/m", "list"});
    row({"remove-waiter", "k"});
    row({"get", "k", "--only"});
}

void TestCliRefusals::refusesBadInput()
{
    QFETCH(Words, words);
    redis({"CONFIG", "RESETSTAT"});
    const Ran ran = on(words);
    VERIFY_EXIT(ran, 2);
    QCOMPARE(ran.out, "");
    QVERIFY2(ran.err.startsWith("lockscope-cli: ") && ran.err.count('\n') == 1, ran.err.constData());
    QVERIFY(!redis({"INFO", "commandstats"}).contains("cmdstat_client")); // not even a login
    QCOMPARE(m_cli->audit(), "");
}

void TestCliRefusals::refusesBadServers_data()
{
    QTest::addColumn<Words>("words");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *name, const Words &words, const QByteArray &says) {
        QTest::newRow(name) << words << says;
    };
    redis({"ACL", "SETUSER", "blind", "on", ">pw", "~*", "+@connection", "+info"});
    redis({"ACL", "SETUSER", "reader", "on", ">pw", "~*", "+@connection", "+info", "+@read"});
    const QByteArray port = QByteArray::number(m_server.port());
    const Words local{"-h", "127.0.0.1", "-p", port};
    row("unknown host", {"-h", "nowhere.invalid", "list"}, "Host of nowhere.invalid:6379 not found.");
    row("nothing listens", {"-h", "127.0.0.1", "-p", "1", "list"}, "127.0.0.1:1 refused the connection.");
    row("no such socket", {"-s", "/nonexistent/redis.sock", "list"}, "The socket /nonexistent/redis.sock");
    row("wrong password", local + Words{"--user", "blind", "-a", "wrong", "list"}, "WRONGPASS");
    row("no permission to list", local + Words{"--user", "blind", "-a", "pw", "list"}, "NOPERM");
    row("no permission to get", local + Words{"--user", "blind", "-a", "pw", "get", "k"}, "NOPERM");
    row("no permission to act",
        local + Words{"--user", "reader", "-a", "pw", "acquire", "k", "--owner", "x", "--lease", "30"},
        "NOPERM");
    row("no permission to watch", local + Words{"--user", "blind", "-a", "pw", "watch"}, "NOPERM");
    row("TLS on a plain port", local + Words{"--tls", "list"}, "No secure connection to 127.0.0.1:" + port);
}

void TestCliRefusals::refusesBadServers()
{
    QFETCH(Words, words);
    QFETCH(QByteArray, says);
    const Ran ran = CliProgram::run(words);
    VERIFY_EXIT(ran, 3);
    QCOMPARE(ran.out, "");
    QVERIFY2(ran.err.contains(says), ran.err.constData());
    QCOMPARE(redis({"DBSIZE"}), "0");

    // For programs one document, which says the same; but for watch, which prints events.
    const Ran json = CliProgram::run(words + Words{"--json"});
    VERIFY_EXIT(json, 3);
    QCOMPARE(json.err, ran.err);
    if (words.contains("watch")) {
        QCOMPARE(json.out, "");
        return;
    }
    const QJsonObject answer = jsonIn(json.out);
    QVERIFY2(answer[QLatin1String("error")].toString().toUtf8().contains(says), json.out.constData());
    QCOMPARE(answer.contains(QLatin1String("key")), words.contains("k"));
}

void TestCliRefusals::readOnlySendsNoWrite()
{
    redis({"HSET", "k", "x", "1"});
    redis({"CONFIG", "RESETSTAT"});
    for (const Words &words :
         {Words{"acquire", "k", "--owner", "x", "--lease", "30"}, Words{"release", "k", "--owner", "x"},
          Words{"extend", "k", "--owner", "x", "--lease", "30"},
          Words{"force-expire", "k", "--expect-owner", "x"}}) {
        const Ran ran = on(words + Words{"--read-only", "--json"});
        VERIFY_EXIT(ran, 4);
        QVERIFY2(jsonIn(ran.out)[QLatin1String("error")].toString().contains(QLatin1String("read-only mode")),
                 ran.out.constData());
        QVERIFY2(ran.err.contains("read-only mode"), ran.err.constData());
    }
    VERIFY_EXIT(on({"get", "k", "--read-only"}), 0);
    VERIFY_EXIT(on({"list", "--read-only"}), 0);
    const QByteArray sent = redis({"INFO", "commandstats"});
    QVERIFY(sent.contains("cmdstat_hscan"));
    for (const char *write : {"_eval", "_set:", "_hincrby:", "_pexpire:", "_del:", "_publish:", "_script"})
        QVERIFY2(!sent.contains(write), sent.constData());
    QCOMPARE(redis({"HGETALL", "k"}), "x\n1");
    QVERIFY(!QFile::exists(m_cli->auditPath()));
}

void TestCliRefusals::productionNeedsTheKeyOnceMore()
{
    redis({"SET", "k", "x", "PX", "60000"});
    const Words force{"force-expire", "k", "--expect-owner", "x", "--environment", "production"};
    for (const Words &more : {Words{}, Words{"--confirm", "K"}}) {
        const Ran ran = on(force + more);
        VERIFY_EXIT(ran, 4);
        QVERIFY2(ran.err.contains("--confirm KEY"), ran.err.constData());
    }
    QCOMPARE(redis({"GET", "k"}), "x");
    QVERIFY(!QFile::exists(m_cli->auditPath()));
    VERIFY_EXIT(on({"force-expire", "aw==", "--expect-owner", "eA==", "--environment", "production",
                    "--confirm", "aw==", "--base64"}),
                0);
    QCOMPARE(redis({"EXISTS", "k"}), "0");
    VERIFY_EXIT(on({"acquire", "k", "--owner", "x", "--lease", "30", "--environment", "staging"}), 0);
    VERIFY_EXIT(on({"list", "--environment", "prod"}), 2);
    // Nothing that could be typed once more makes a simulation of it.
    redis({"FLUSHALL"});
    const Ran simulated =
        on({"simulate", "--strategy", "token-set", "--duration", "0.1", "--environment", "production"});
    VERIFY_EXIT(simulated, 4);
    QVERIFY2(simulated.err.contains("(production)"), simulated.err.constData());
    QCOMPARE(redis({"DBSIZE"}), "0");
}

void TestCliRefusals::refusesPeersThatAreNoRedis_data()
{
    QTest::addColumn<QByteArray>("greeting");
    QTest::newRow("SSH") << QByteArray("SSH-2.0-OpenSSH_9.2\r\n");
    QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n");
    QTest::newRow("terminal codes") << QByteArray("\x1b[2J\x1b]0;x\x07\r\n");
}

void TestCliRefusals::refusesPeersThatAreNoRedis()
{
    QFETCH(QByteArray, greeting);
    FakePeer peer;
    peer.onConnect(greeting);
    const Ran ran =
        CliProgram::companions({"-h", "127.0.0.1", "-p", QByteArray::number(peer.port()), "list"});
    VERIFY_EXIT(ran, 3);
    QVERIFY2(ran.err.contains("is not a Redis or Valkey server"), ran.err.constData());
    QVERIFY(!ran.err.contains('\x1b'));
}

void TestCliRefusals::passwordComesFromAnywhereAndGoesNowhere()
{
    const RedisServer server({QStringLiteral("--requirepass"), QString::fromLatin1(canary)});
    const QByteArray port = QByteArray::number(server.port());
    const QStringList environment{QStringLiteral("REDISCLI_AUTH=") + QString::fromLatin1(canary)};
    const Words host{"-h", "127.0.0.1", "-p", port};
    const Words acquire{"acquire", "k", "--owner", "x", "--lease", "30"};
    const Words uri{"-u", "redis://:" + canary + "@127.0.0.1:" + port};
    const Words badUri{"-u", "redis://:" + canary + "@127.0.0.1:" + port + "/x"};
    const Words twoWays{"-u", "redis://:p@" + canary + "/w@h"};

    QByteArray everything;
    const auto run = [&](const Words &words, int exitCode, const QStringList &with = {}) {
        const Ran ran = CliProgram::run(words, with);
        everything += ran.out + ran.err;
        return ran.exitCode == exitCode;
    };
    QVERIFY(run(host + Words{"list"}, 3));
    QVERIFY(everything.contains("requires a password"));
    QVERIFY(run(host + Words{"list"}, 0, environment));
    QVERIFY(run(host + Words{"-a", canary} + acquire, 0));
    QVERIFY(run(uri + acquire, 0));
    QVERIFY(run(uri + Words{"list", "--json"}, 0));
    QVERIFY(run(uri + Words{"watch", "--duration", "0.3"}, 0));
    QVERIFY(run(host + Words{"-a", canary + "x", "list"}, 3));
    QVERIFY(everything.contains("refused the user name or password"));
    QVERIFY(run(badUri + Words{"list"}, 2));
    QVERIFY(run(twoWays + Words{"list"}, 2));
    QVERIFY(run({"redis://:" + canary + "@h", "list"}, 2));
    QVERIFY(run({"list", "--password=" + canary}, 2));
    QVERIFY(run({"-a" + canary, "list"}, 2));
    QVERIFY(run({"-h", "127.0.0.1", "-p", "1", "-a", canary, "list"}, 3));

    QVERIFY2(!everything.contains(canary), everything.constData());
    QVERIFY(m_cli->audit().contains("\"key\":\"k\""));
    QVERIFY(!m_cli->audit().contains(canary));

    QProcess watch;
    watch.start(CliProgram::path(),
                {QStringLiteral("-h"), QStringLiteral("127.0.0.1"), QStringLiteral("-p"),
                 QString::fromLatin1(port), QStringLiteral("-a"), QString::fromLatin1(canary),
                 QStringLiteral("watch"), QStringLiteral("--json")});
    QVERIFY(watch.waitForReadyRead());
    QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(watch.processId()));
    QVERIFY(arguments.open(QIODevice::ReadOnly));
    const QByteArray seen = arguments.readAll();
    QVERIFY2(seen.contains("watch") && !seen.contains(canary), seen.constData());
    watch.terminate();
    QVERIFY(watch.waitForFinished());
}

void TestCliRefusals::passwordIsAskedForWithoutEcho()
{
    const RedisServer server({QStringLiteral("--requirepass"), QString::fromLatin1(canary)});
    // A terminal of its own, which echoes what is typed unless it is told not to.
    const QByteArray script = R"py(
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:2] + ['-s', sys.argv[2], '--askpass'] + sys.argv[4:])
shown = b''
while not shown.endswith(b': '):
    shown += os.read(terminal, 1000)
os.write(terminal, sys.argv[3].encode() + b'\n')
try:
    while chunk := os.read(terminal, 1000):
        shown += chunk
except OSError:
    pass
print(shown.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
)py";
    const auto ask = [&](const QByteArray &password, const Words &rest = {"list"}) {
        return runProgram(QStringLiteral("/usr/bin/python3"),
                          Words{"-c", script, QFile::encodeName(CliProgram::path()),
                                QFile::encodeName(server.socketPath()), password} +
                              rest);
    };
    const Ran right = ask(canary);
    VERIFY_EXIT(right, 0);
    QVERIFY2(right.out.contains("Password for ") && right.out.contains("No locks at "),
             right.out.constData());
    QVERIFY2(!right.out.contains(canary), right.out.constData());
    VERIFY_EXIT(ask("wrong"), 3);
    // Who gives a user means that user: with no answer nobody is logged in, and nothing is sent.
    server.cli({"-a", canary, "CONFIG", "SET", "requirepass", ""});
    const Ran nobody = ask("", {"--user", "ann", "acquire", "lock:a", "--owner", "me", "--lease", "30"});
    VERIFY_EXIT(nobody, 2);
    QVERIFY2(nobody.out.contains("No password for the user ann"), nobody.out.constData());
    QCOMPARE(server.cli({"EXISTS", "lock:a"}), "0");
    VERIFY_EXIT(ask("", {"list"}), 0);

    const Ran withoutTerminal =
        runProgram(QStringLiteral("setsid"), {QFile::encodeName(CliProgram::path()), "--askpass", "list"});
    VERIFY_EXIT(withoutTerminal, 2);
}

/// A lock of several keys can only be had in a cluster where all of them are in one slot.
void TestCliRefusals::keysOfSeveralSlots()
{
    const RedisServer cluster({QStringLiteral("--cluster-enabled"), QStringLiteral("yes")});
    cluster.cli({"CLUSTER", "ADDSLOTSRANGE", "0", "16383"});
    QTRY_VERIFY(cluster.cli({"CLUSTER", "INFO"}).contains("cluster_state:ok"));
    const auto acquire = [&](const QByteArray &key) {
        return CliProgram::on(cluster,
                              {"acquire", key, "--family", "handoff", "--owner", "me", "--lease", "30"});
    };
    const Ran refused = acquire("lock:a");
    VERIFY_EXIT(refused, 3);
    QVERIFY2(refused.err.contains("{hash tag}"), refused.err.constData());
}

void TestCliRefusals::withoutAuditNothingIsSent()
{
    // A file where the directory should be: unwritable for root as well.
    QTemporaryFile inTheWay;
    QVERIFY(inTheWay.open());
    redis({"CONFIG", "RESETSTAT"});
    const Words socket{"-s", QFile::encodeName(m_server.socketPath())};
    const Ran ran = CliProgram::run(socket + Words{"acquire", "k", "--owner", "x", "--lease", "30", "--json"},
                                    {QStringLiteral("XDG_STATE_HOME=") + inTheWay.fileName()});
    VERIFY_EXIT(ran, 3);
    QVERIFY(jsonIn(ran.out).contains(QLatin1String("error")));
    QVERIFY2(ran.err.contains("the audit log cannot be written"), ran.err.constData());
    QVERIFY2(ran.err.contains("Not a directory"), ran.err.constData());
    QCOMPARE(redis({"EXISTS", "k"}), "0");
    QVERIFY(!redis({"INFO", "commandstats"}).contains("_eval"));
}

/// A server that has renamed it, as some providers do.
void TestCliRefusals::withoutACommandNothingIsClaimed()
{
    for (const char *command : {"GETRANGE", "PTTL", "SCAN"}) {
        const RedisServer server({QStringLiteral("--rename-command"), QLatin1String(command), QString()});
        server.cli({"SET", "lock:a", "one", "PX", "600000"});
        // Redis 6 has other quotes around it.
        const QByteArray words = RedisServer::majorVersion() >= 7
                                     ? "unknown command '" + QByteArray(command) + '\''
                                     : "unknown command `" + QByteArray(command) + '`';
        const Ran list = CliProgram::on(server, {"list"});
        VERIFY_EXIT(list, 3);
        QVERIFY2(list.err.contains(words), list.err.constData());
        const Ran watch = CliProgram::on(server, {"watch", "--json", "--duration", "2"});
        VERIFY_EXIT(watch, 3);
        QVERIFY2(watch.err.contains(words), watch.err.constData());
        QVERIFY2(!watch.out.contains("\"ready\""), watch.out.constData());
    }
    // Nobody knows how many keys were walked over.
    const RedisServer server({QStringLiteral("--rename-command"), QStringLiteral("DBSIZE"), QString()});
    server.cli({"SET", "lock:a", "one", "PX", "600000"});
    const Ran list = CliProgram::on(server, {"list"});
    VERIFY_EXIT(list, 0);
    QVERIFY2(list.err.contains("Scanned an unknown number of keys"), list.err.constData());
}

QTEST_GUILESS_MAIN(TestCliRefusals)
#include "tst_clirefusals.moc"
