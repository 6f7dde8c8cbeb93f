// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal program through an SSH host.
#include "tests/support/sshserver.h"
#include "tests/system/cliprogram.h"

#include <csignal>

using namespace lockscope;

namespace {

constexpr int patience = 30'000;

QList<QByteArray> to(const SshServer &ssh, quint16 port, const QList<QByteArray> &words)
{
    return QList<QByteArray>{"--ssh", ssh.host().toUtf8(), "-p", QByteArray::number(port)} + words;
}

} // namespace

class TestCliSsh : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void everythingWorks();
    void whatIsWrongIsSaid();
    void itsOwnEndIsTheTunnels();
    void aTerminalIsAsked();
};

void TestCliSsh::everythingWorks()
{
    const RedisServer redis;
    SshServer ssh;
    const CliProgram program;
    VERIFY_EXIT(
        CliProgram::run(to(ssh, redis.port(), {"acquire", "lock:a", "--owner", "one", "--lease", "60"})), 0);
    QCOMPARE(redis.cli({"EXISTS", "lock:a"}), "1");
    // Whose lock it was has to be told later: the tunnel is a part of the address.
    QVERIFY(program.audit().contains("(SSH " + ssh.host().toUtf8() + ")"));
    const Ran ran = CliProgram::run(to(ssh, redis.port(), {"list", "--json"}));
    VERIFY_EXIT(ran, 0);
    QCOMPARE(jsonIn(ran.out)[QStringLiteral("locks")].toArray().size(), 1);
    QCOMPARE(ssh.logins(), 2);
    // Processes of one simulation share a login.
    VERIFY_EXIT(CliProgram::run(to(ssh, redis.port(),
                                   {"simulate", "--strategy", "redisson", "--workers", "4", "--processes",
                                    "2", "--duration", "1"})),
                0);
    QCOMPARE(ssh.logins(), 3);
    QTRY_COMPARE(ssh.tunnels(), QStringList()); // a process of the simulation may end after it
}

void TestCliSsh::whatIsWrongIsSaid()
{
    SshServer ssh;
    const auto refusal = [&](const QByteArray &words) {
        const Ran ran = CliProgram::run(to(ssh, 1, {"list"}));
        return ran.exitCode == 3 && ran.err.contains(words) ? QByteArray("as expected") : ran.err;
    };
    QCOMPARE(refusal("The SSH host cannot reach"), "as expected");
    ssh.change("UserKnownHostsFile", "/dev/null");
    QCOMPARE(refusal("is unknown. Run 'ssh " + ssh.host().toUtf8() + "' once"), "as expected");
    ssh.change("UserKnownHostsFile", ssh.file("known").toUtf8());
    ssh.change("IdentityFile", "/nonexistent");
    QCOMPARE(refusal("refused the login"), "as expected");
    ssh.change("HostName", "nosuchhost.invalid");
    QCOMPARE(refusal("No SSH connection for localhost:1"), "as expected");
    ssh.change("Port", "many");
    QCOMPARE(refusal("Check its configuration"), "as expected");
    // Without any ssh: a PATH that has nothing at all.
    const Ran ran = CliProgram::run(to(ssh, 1, {"list"}), {QStringLiteral("PATH=/nonexistent")});
    QCOMPARE(ran.exitCode, 3);
    QVERIFY2(ran.err.contains("The program ssh is missing"), ran.err.constData());
}

/// Also where nothing of it runs any more.
void TestCliSsh::itsOwnEndIsTheTunnels()
{
    const RedisServer redis;
    SshServer ssh;
    const CliProgram program;
    for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
        QProcess watch;
        QStringList words;
        for (const QByteArray &word : to(ssh, redis.port(), {"watch", "--json"}))
            words.append(QString::fromUtf8(word));
        watch.start(CliProgram::path(), words);
        QByteArray out;
        QTRY_VERIFY_WITH_TIMEOUT((out += watch.readAllStandardOutput()).contains("\"ready\""), patience);
        QCOMPARE(ssh.tunnels().size(), 1);
        ::kill(pid_t(watch.processId()), signal);
        QVERIFY(watch.waitForFinished(patience));
        keptJson("watch", out);
        QTRY_COMPARE_WITH_TIMEOUT(ssh.tunnels().size(), 0, patience);
        QTRY_COMPARE_WITH_TIMEOUT(ssh.open(), 0, patience);
    }
}

void TestCliSsh::aTerminalIsAsked()
{
    const RedisServer redis;
    SshServer ssh({QStringLiteral("--password"), QStringLiteral("sesame")});
    ssh.change("IdentityFile", "/nonexistent");
    const CliProgram program;
    QProcess terminal; // script is one to what it runs
    terminal.setProcessChannelMode(QProcess::MergedChannels);
    terminal.start(QStringLiteral("script"),
                   {QStringLiteral("-qec"),
                    QStringLiteral("%1 --ssh %2 -p %3 list")
                        .arg(CliProgram::path(), ssh.host(), QString::number(redis.port())),
                    QStringLiteral("/dev/null")});
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((out += terminal.readAll()).contains("assword"), patience);
    QTest::qWait(3'500); // longer than a server may take to answer
    terminal.write("sesame\n");
    QVERIFY(terminal.waitForFinished(patience));
    out += terminal.readAll();
    QVERIFY2(out.contains("0 locks") || out.contains("No locks"), out.constData());
    QCOMPARE(terminal.exitCode(), 0);
    QVERIFY(!out.contains("sesame"));
}

QTEST_GUILESS_MAIN(TestCliSsh)
#include "tst_clissh.moc"
