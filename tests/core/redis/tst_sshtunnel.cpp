// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/sshtunnel.h"

#include "core/redis/blockingconnection.h"
#include "core/redis/connection.h"
#include "tests/support/redisserver.h"
#include "tests/support/sshserver.h"

#include <QSignalSpy>
#include <QtTest>

#include <thread>

using namespace lockscope;

namespace {

constexpr int patience = 30'000;

ServerAddress through(const SshServer &ssh, ServerAddress address)
{
    address.sshHost = ssh.host();
    return address;
}

/// At which nobody listens.
ServerAddress nobody()
{
    ServerAddress address;
    address.host = QStringLiteral("127.0.0.1");
    address.port = 1;
    return address;
}

QByteArray ask(Connection &connection, QByteArrayView question)
{
    const auto answer = connection.send({"ECHO", question});
    if (!QTest::qWaitFor([&] { return answer.isFinished(); }, patience))
        return "no answer";
    return answer.result() ? answer.result()->text : answer.result().error().text();
}

} // namespace

class TestSshTunnel : public QObject
{
    Q_OBJECT

private slots:
    void cleanup() { SshTunnel::setPrompts(SshTunnel::Prompts::None); }

    void leadsToAPortOrASocket()
    {
        const RedisServer redis;
        SshServer ssh;
        // The user's own forwards are not for us, and their ports may be taken.
        ssh.configure({"LocalForward " + QByteArray::number(redis.port()) + " 127.0.0.1:1",
                       "ControlMaster auto", "ControlPath " + ssh.file("own").toUtf8(),
                       "ExitOnForwardFailure yes"});
        {
            Connection byPort(through(ssh, redis.tcpAddress()));
            Connection bySocket(through(ssh, redis.socketAddress()));
            byPort.open();
            bySocket.open();
            QTRY_COMPARE_WITH_TIMEOUT(byPort.state(), Link::State::Ready, patience);
            QTRY_COMPARE_WITH_TIMEOUT(bySocket.state(), Link::State::Ready, patience);
            QVERIFY(!QFileInfo::exists(ssh.file("own")));
            QCOMPARE(ask(byPort, "one"), "one");
            QCOMPARE(ask(bySocket, "two"), "two");
            // More than a buffer, both ways.
            const QByteArray large(3'000'000, 'x');
            QCOMPARE(ask(byPort, large), large);
            // One login for both; its sockets are this user's alone.
            QCOMPARE(ssh.logins(), 1);
            QCOMPARE(ssh.tunnels().size(), 1);
            const QFileInfo directory(ssh.file("t") + u'/' + ssh.tunnels().first());
            QCOMPARE(directory.permissions() & QFileDevice::Permissions(0x0077), QFileDevice::Permissions());
        }
        // It ends with them.
        QTRY_COMPARE_WITH_TIMEOUT(ssh.tunnels().size(), 0, patience);
        QTRY_COMPARE_WITH_TIMEOUT(ssh.open(), 0, patience);
    }

    void endsAreTold_data()
    {
        QTest::addColumn<QStringList>("server");
        QTest::addColumn<QByteArray>("setting");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, const QStringList &server, const QByteArray &setting,
                            const QByteArray &value, ErrorKind kind, const QByteArray &words) {
            QTest::newRow(name) << server << setting << value << kind << words;
        };
        row("nobody at the far end", {}, {}, {}, ErrorKind::NotReachedFromSsh, "Connect call failed");
        row("forwarding forbidden", {QStringLiteral("--forwards"), QStringLiteral("no")}, {}, {},
            ErrorKind::SshRefused, "forbids");
        row("no key", {}, "IdentityFile", "/nonexistent", ErrorKind::SshRefused, "refused the login");
        row("a password, and nobody to ask", {QStringLiteral("--password"), QStringLiteral("sesame")},
            "IdentityFile", "/nonexistent", ErrorKind::SshRefused, "refused the login");
        row("a key that is not known", {}, "UserKnownHostsFile", "/dev/null", ErrorKind::SshRefused,
            "is unknown");
        row("a key that was another", {}, "UserKnownHostsFile", "other", ErrorKind::SshRefused,
            "has changed");
        row("nobody at the host", {}, "Port", "1", ErrorKind::SshNotReached, "Connection refused");
        row("no such host", {}, "HostName", "nosuchhost.invalid", ErrorKind::SshNotReached, "resolve");
        row("a bad setting", {}, "Port", "many", ErrorKind::SshRefused, "configuration");
    }
    /// By both kinds of connections.
    void endsAreTold()
    {
        QFETCH(QStringList, server);
        QFETCH(QByteArray, setting);
        QFETCH(QByteArray, value);
        QFETCH(ErrorKind, kind);
        QFETCH(QByteArray, words);
        SshServer ssh(server);
        if (value == "other") {
            QFile known(ssh.file("other"));
            QVERIFY(known.open(QIODevice::WriteOnly) && known.write(ssh.knownHost("otherhost")) > 0);
            value = known.fileName().toUtf8();
        }
        if (!setting.isEmpty())
            ssh.change(setting, value);
        {
            Connection connection(through(ssh, nobody()), {.reconnect = false});
            connection.open();
            const auto hasEnded = [&] {
                return connection.state() == Link::State::Closed ||
                       connection.state() == Link::State::Refused;
            };
            QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), patience);
            QCOMPARE(connection.lastError().kind, kind);
            QVERIFY2(connection.lastError().text().contains(words),
                     connection.lastError().text().constData());
        }
        std::thread([&] {
            BlockingConnection connection(through(ssh, nobody()), {});
            const Result<void> opened = connection.open();
            QVERIFY(!opened);
            QCOMPARE(opened.error().kind, kind);
            QVERIFY2(opened.error().text().contains(words), opened.error().text().constData());
        }).join();
        QTRY_COMPARE_WITH_TIMEOUT(ssh.tunnels().size(), 0, patience);
    }

    void aHostThatIsSilentIsGivenUp()
    {
        SshServer ssh({QStringLiteral("--hangs")});
        Connection connection(through(ssh, nobody()), {.reconnect = false});
        connection.open();
        QTest::qWait(4'000); // longer than a server may take
        QCOMPARE(connection.state(), Link::State::Connecting);
        connection.close();
        QTRY_COMPARE_WITH_TIMEOUT(ssh.tunnels().size(), 0, patience);
    }

    void aLostLoginIsMadeAnew()
    {
        const RedisServer redis;
        SshServer ssh;
        Connection connection(through(ssh, redis.tcpAddress()));
        QSignalSpy lost(&connection, &Link::connectionLost);
        connection.open();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Link::State::Ready, patience);
        ssh.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!lost.isEmpty(), patience);
        QCOMPARE(lost.first().first().value<Error>().kind, ErrorKind::SshNotReached);
        ssh.start();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Link::State::Ready, patience);
        QCOMPARE(ask(connection, "again"), "again");
    }

    /// The tunnel stands, what is behind it does not.
    void aLostServerIsNoLostLogin()
    {
        RedisServer redis;
        SshServer ssh;
        Connection connection(through(ssh, redis.tcpAddress()));
        QSignalSpy lost(&connection, &Link::connectionLost);
        connection.open();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Link::State::Ready, patience);
        redis.kill();
        QTRY_VERIFY_WITH_TIMEOUT(connection.lastError().kind == ErrorKind::NotReachedFromSsh, patience);
        QCOMPARE(lost.first().first().value<Error>().kind, ErrorKind::NetworkFailed);
        redis.start();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Link::State::Ready, patience);
        QCOMPARE(ssh.logins(), 1);
    }

    void manyThreadsShareALogin()
    {
        const RedisServer redis;
        SshServer ssh;
        std::vector<std::thread> threads;
        std::atomic<int> answered = 0;
        for (int i = 0; i < 16; ++i) {
            threads.emplace_back([&] {
                BlockingConnection connection(through(ssh, redis.tcpAddress()),
                                              {.connectDeadline = std::chrono::seconds(20),
                                               .commandDeadline = std::chrono::seconds(20)});
                if (!connection.open())
                    return;
                for (int n = 0; n < 100; ++n) {
                    const QByteArray number = QByteArray::number(n);
                    if (const auto reply = connection.send({"ECHO", number}); reply && reply->text == number)
                        ++answered;
                }
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(answered.load(), 1'600);
        QCOMPARE(ssh.logins(), 1);
    }

    void aProgramAsksForThePassword()
    {
        const RedisServer redis;
        SshServer ssh({QStringLiteral("--password"), QStringLiteral("sesame")});
        ssh.change("IdentityFile", "/nonexistent");
        QFile program(ssh.file("asks"));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\n[ -n \"$LOCKSCOPE_SSH_ASKPASS\" ] && echo \"$1\" >>'" +
                      ssh.file("asked").toUtf8() + "' && echo sesame\n");
        program.close();
        QVERIFY(program.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        const auto password =
            qScopeGuard([before = qgetenv("SSH_ASKPASS")] { qputenv("SSH_ASKPASS", before); });
        qunsetenv("SSH_ASKPASS");
        SshTunnel::setPrompts(SshTunnel::Prompts::Window, program.fileName());
        Connection connection(through(ssh, redis.tcpAddress()));
        Connection another(through(ssh, redis.socketAddress()));
        connection.open();
        another.open();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Link::State::Ready, patience);
        QTRY_COMPARE_WITH_TIMEOUT(another.state(), Link::State::Ready, patience);
        QCOMPARE(ssh.passwordsTried(), 1); // asked once for both
        QFile asked(ssh.file("asked"));
        QVERIFY(asked.open(QIODevice::ReadOnly));
        QVERIFY(asked.readAll().contains("assword"));
    }
};

QTEST_GUILESS_MAIN(TestSshTunnel)
#include "tst_sshtunnel.moc"
