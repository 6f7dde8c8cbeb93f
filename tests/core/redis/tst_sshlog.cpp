// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/sshlog.h"

#include "core/words/messages.h"

#include <QtTest>

using namespace lockscope;

class TestSshLog : public QObject
{
    Q_OBJECT

private slots:
    /// What OpenSSH prints of it, line by line.
    void endsAreTold_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, const QByteArray &said, ErrorKind kind,
                            const QByteArray &words) { QTest::newRow(name) << said << kind << words; };
        row("unknown host name", "ssh: Could not resolve hostname bastion: Name or service not known\n",
            ErrorKind::SshNotReached, "Could not resolve hostname");
        row("nobody there", "ssh: connect to host bastion port 22: Connection refused\n",
            ErrorKind::SshNotReached, "Connection refused");
        row("cut off", "kex_exchange_identification: Connection closed by remote host\n",
            ErrorKind::SshNotReached, "closed by remote host");
        row("lost", "Timeout, server bastion not responding.\n", ErrorKind::SshNotReached, "not responding");
        row("no words", "", ErrorKind::SshNotReached, "without a message");
        row("no key",
            "debug1: Next authentication method: publickey\nops@bastion: Permission denied (publickey).\n",
            ErrorKind::SshRefused, "refused the login");
        row("too many keys",
            "Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures\n"
            "Disconnected from 10.0.0.1 port 22\n",
            ErrorKind::SshRefused, "refused the login");
        row("unknown key",
            "No ED25519 host key is known for bastion and you have requested strict checking.\nHost key "
            "verification failed.\n",
            ErrorKind::SshRefused, "is unknown. Run 'ssh -p 2222 ops@bastion'");
        QByteArray changed = "@@@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n@@@@@\n";
        for (int i = 0; i < 12; ++i)
            changed += "line " + QByteArray::number(i) + '\n';
        row("another key", changed + "Host key verification failed.\n", ErrorKind::SshRefused, "has changed");
        row("bad configuration",
            "/home/ops/.ssh/config: line 3: Bad configuration option: foo\n/home/ops/.ssh/config: "
            "terminating, 1 "
            "bad configuration options\n",
            ErrorKind::SshRefused, "Check its configuration");
        row("nothing in common",
            "Unable to negotiate with 10.0.0.1 port 22: no matching host key type found. Their offer: "
            "ssh-rsa\n",
            ErrorKind::SshRefused, "ssh cannot connect to");
        row("a banner first",
            "debug1: x\nAll use is logged.\r\n\r\nops@bastion: Permission denied (password).\n",
            ErrorKind::SshRefused, "Permission denied (password)");
        row("hostile", "\x1b[31m\xff\xfe not ours\n", ErrorKind::SshNotReached, "\\x1b[31m");
    }
    void endsAreTold()
    {
        QFETCH(QByteArray, said);
        QFETCH(ErrorKind, kind);
        QFETCH(QByteArray, words);
        SshLog log;
        log.take(said);
        const Error why = sshError(QStringLiteral("ops@bastion:2222"), log.messages());
        QCOMPARE(why.kind, kind);
        const QString shown = describe(why, QStringLiteral("localhost:6379 (SSH ops@bastion:2222)"));
        QVERIFY2(shown.contains(QString::fromUtf8(words)), qPrintable(shown));
    }

    /// A refusal belongs to the forward whose socket ssh names when it closes the channel.
    void refusalsOfTheFarHost()
    {
        const QByteArray said = "debug1: channel 1: new direct-tcpip [direct-tcpip] (inactive timeout: 0)\n"
                                "channel 1: open failed: connect failed: Connection refused\n"
                                "channel 2: open failed: administratively prohibited: open failed\n"
                                "debug1: channel 1: free: direct-tcpip: listening port -2 for localhost port "
                                "1, connect from  port 0 "
                                "to /tmp/a/7-1 port 0, nchannels 4\n"
                                "debug1: channel 3: free: direct-tcpip: to /tmp/a/7-3 port 0, nchannels 4\n"
                                "debug1: channel 2: free: direct-tcpip: to /tmp/a/7-2 port 0, nchannels 4\n";
        SshLog log;
        for (const char byte : said) // however it comes
            log.take(QByteArray(1, byte));
        const QList<SshLog::OpenFailure> failures = log.takeOpenFailures();
        QCOMPARE(failures.size(), 2);
        QVERIFY(failures[0].channel.contains("to /tmp/a/7-1 port"));
        QCOMPARE(failures[0].reason, "connect failed: Connection refused");
        QVERIFY(failures[1].channel.contains("to /tmp/a/7-2 port"));
        QCOMPARE(log.takeOpenFailures().size(), 0);
        QCOMPARE(log.messages().size(), 0);

        const QString host = QStringLiteral("bastion");
        QCOMPARE(sshOpenError(host, QStringLiteral("db:6379"), failures[0].reason).kind,
                 ErrorKind::NotReachedFromSsh);
        const Error forbidden = sshOpenError(host, QStringLiteral("db:6379"), failures[1].reason);
        QCOMPARE(forbidden.kind, ErrorKind::SshRefused);
        QVERIFY(describe(forbidden, {}).startsWith(u"The SSH host bastion forbids forwarding to db:6379"));
    }

    void endlessLinesAreCut()
    {
        SshLog log;
        for (int i = 0; i < 100; ++i)
            log.take(QByteArray(10'000, 'x'));
        log.take("\n");
        for (int i = 0; i < 1000; ++i)
            log.take("line\n");
        QVERIFY(log.messages().size() < 100);
        QVERIFY(log.messages().first().size() <= 2000);
    }

    void destinations_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("port");
        QTest::newRow("alias") << "bastion"
                               << "bastion"
                               << "";
        QTest::newRow("user") << "ops@bastion"
                              << "ops@bastion"
                              << "";
        QTest::newRow("port") << "ops@bastion:2222"
                              << "ops@bastion"
                              << "2222";
        QTest::newRow("IPv6") << "ops@::1"
                              << "ops@::1"
                              << "";
        QTest::newRow("IPv6 in brackets") << "ops@[::1]"
                                          << "ops@::1"
                                          << "";
        QTest::newRow("IPv6 and port") << "[fe80::1%eth0]:22"
                                       << "fe80::1%eth0"
                                       << "22";
    }
    void destinations()
    {
        QFETCH(QString, host);
        const SshDestination destination(host);
        QTEST(destination.name, "name");
        QTEST(destination.port, "port");
    }
};

QTEST_GUILESS_MAIN(TestSshLog)
#include "tst_sshlog.moc"
