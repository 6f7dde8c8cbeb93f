// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/connection.h"

#include "tests/support/redisserver.h"
#include "tests/support/sshserver.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <sys/stat.h>

using namespace lockscope;

namespace {

/// A certificate authority of the test's own, and what it signed.
class Authority
{
public:
    Authority()
    {
        openssl("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-ca -keyout ca.key -out ca.pem");
        openssl(
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other-ca -keyout other.key -out other.pem");
        sign("server", "DNS:redis.test,IP:127.0.0.1");
        sign("elsewhere", "DNS:elsewhere.test");
        sign("client", "DNS:client.test");
        sign("expired", "IP:127.0.0.1", "0");
        sign("stranger", "DNS:client.test", "2", "other");
        openssl(
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=alone -addext subjectAltName=IP:127.0.0.1 "
            "-keyout alone.key -out alone.pem");
        openssl("pkcs8 -topk8 -in client.key -passout pass:opensesame -out locked.key");
        QFile(file("open.key")).remove();
        if (!QFile::copy(file("client.key"), file("open.key")) ||
            !QFile::setPermissions(file("open.key"), QFile::ReadOwner | QFile::ReadOther))
            qFatal("no key that everybody can read");
        QDir(directory.path()).mkdir(QStringLiteral("authorities"));
        QFile::copy(file("ca.pem"), file("authorities/ca.pem"));
        QDir(directory.path()).mkdir(QStringLiteral("nothing"));
    }

    QString file(const char *name) const { return directory.filePath(QString::fromLatin1(name)); }

private:
    void sign(const QByteArray &name, const QByteArray &alternativeName, const QByteArray &days = "2",
              const QByteArray &by = "ca")
    {
        QFile extensions(directory.filePath(QStringLiteral("ext")));
        if (!extensions.open(QIODevice::WriteOnly | QIODevice::Truncate))
            qFatal("no file for extensions");
        extensions.write("subjectAltName=" + alternativeName + '\n');
        extensions.close();
        openssl("req -newkey rsa:2048 -nodes -subj /CN=" + name + " -keyout " + name + ".key -out " + name +
                ".csr");
        openssl("x509 -req -days " + days + " -in " + name + ".csr -CA " + by + ".pem -CAkey " + by +
                ".key -CAcreateserial -extfile ext -out " + name + ".pem");
    }

    void openssl(const QByteArray &arguments)
    {
        QProcess process;
        process.setWorkingDirectory(directory.path());
        process.start(QStringLiteral("openssl"), QString::fromLatin1(arguments).split(QLatin1Char(' ')));
        if (!process.waitForFinished() || process.exitCode() != 0)
            qFatal("openssl %s: %s", arguments.constData(), process.readAllStandardError().constData());
    }

    QTemporaryDir directory;
};

} // namespace

class TestTls : public QObject
{
    Q_OBJECT

private:
    /// A server with TLS on its only TCP port.
    std::unique_ptr<RedisServer> tlsServer(const char *certificate, const char *askClients,
                                           const QStringList &more = {})
    {
        const auto name = QByteArray(certificate);
        return std::make_unique<RedisServer>(
            QStringList{QStringLiteral("--port"), QStringLiteral("0"), QStringLiteral("--tls-port"),
                        QStringLiteral("%port"), QStringLiteral("--tls-cert-file"),
                        m_authority->file(name + ".pem"), QStringLiteral("--tls-key-file"),
                        m_authority->file(name + ".key"), QStringLiteral("--tls-ca-cert-file"),
                        m_authority->file("ca.pem"), QStringLiteral("--tls-auth-clients"),
                        QString::fromLatin1(askClients)} +
            more);
    }

    std::unique_ptr<Authority> m_authority;

private slots:
    void initTestCase() { m_authority = std::make_unique<Authority>(); }
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void connects_data()
    {
        QTest::addColumn<QByteArray>("certificate"); // of the server
        QTest::addColumn<QByteArray>("authority");   // that the client trusts
        QTest::addColumn<QString>("serverName");
        QTest::addColumn<bool>("insecure");
        QTest::addColumn<QByteArray>("reason"); // empty: it connects
        const auto row = [](const char *name, const char *certificate, const char *authority,
                            const char *serverName, bool insecure, const char *reason) {
            QTest::newRow(name) << QByteArray(certificate) << QByteArray(authority)
                                << QString::fromLatin1(serverName) << insecure << QByteArray(reason);
        };
        row("trusted, by address", "server", "ca.pem", "", false, "");
        row("trusted, by name", "server", "ca.pem", "redis.test", false, "");
        row("a name that it does not carry", "server", "ca.pem", "wrong.test", false, "Connect by that name");
        row("a certificate of another host", "elsewhere", "ca.pem", "", false, "Connect by that name");
        row("an authority that is not trusted", "server", "other.pem", "", false, "certificate");
        row("no authority given", "server", "", "", false, "certificate");
        row("a directory of authorities", "server", "authorities", "", false, "");
        row("a directory without any", "server", "nothing", "", false, "no PEM certificate in");
        row("expired", "expired", "ca.pem", "", false, "the certificate expired on 20");
        row("self-signed", "alone", "ca.pem", "", false, "is self-signed. Use --cacert, or");
        row("self-signed, and trusted", "alone", "alone.pem", "", false, "");
        row("whose authority is named", "server", "other.pem", "", false, "issuer “test-ca”");
        row("insecure by the user's word", "elsewhere", "other.pem", "", true, "");
        row("a CA file that is not there", "server", "missing.pem", "", false, "cannot be read");
        row("a CA file that is none", "server", "ca.key", "", false, "no PEM certificate in");
    }

    void connects()
    {
        QFETCH(QByteArray, certificate);
        QFETCH(QByteArray, authority);
        QFETCH(QString, serverName);
        QFETCH(bool, insecure);
        QFETCH(QByteArray, reason);
        const auto server = tlsServer(certificate, "no");
        ServerAddress address = server->tcpAddress();
        address.transport = ServerAddress::Transport::Tls;
        address.caFile = authority.isEmpty() ? QString() : m_authority->file(authority);
        address.serverName = serverName;
        address.insecure = insecure;
        Connection connection(address);
        QSignalSpy ready(&connection, &Connection::ready);
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        QTRY_COMPARE(ready.size() + refused.size(), 1);
        if (reason.isEmpty()) {
            QCOMPARE(connection.state(), Connection::State::Ready);
            return;
        }
        QCOMPARE(connection.lastError().kind, ErrorKind::TlsFailed);
        QVERIFY2(connection.lastError().text().contains(reason), connection.lastError().text().constData());
        QCOMPARE(connection.state(),
                 Connection::State::Refused); // trying again would not change the certificate
    }

    void throughAnSshHost_data()
    {
        QTest::addColumn<QByteArray>("certificate");
        QTest::addColumn<QByteArray>("reason"); // empty: it connects
        QTest::newRow("trusted") << QByteArray("server") << QByteArray();
        QTest::newRow("of another host") << QByteArray("elsewhere") << QByteArray("Connect by that name");
        QTest::newRow("expired") << QByteArray("expired") << QByteArray("expired on 20");
    }
    /// The name is the server's, not that of the tunnel's end.
    void throughAnSshHost()
    {
        QFETCH(QByteArray, certificate);
        QFETCH(QByteArray, reason);
        const auto server = tlsServer(certificate, "no");
        const SshServer ssh;
        ServerAddress address = server->tcpAddress();
        address.transport = ServerAddress::Transport::Tls;
        address.caFile = m_authority->file("ca.pem");
        address.sshHost = ssh.host();
        Connection connection(address);
        QSignalSpy ready(&connection, &Connection::ready);
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        QTRY_COMPARE_WITH_TIMEOUT(ready.size() + refused.size(), 1, 30'000);
        QVERIFY2(connection.lastError().text().contains(reason), connection.lastError().text().constData());
        QCOMPARE(ready.size(), reason.isEmpty() ? 1 : 0);
        if (!reason.isEmpty())
            return;
        const QByteArray large(300'000, 'x');
        const auto answer = connection.send({"ECHO", large});
        QTRY_VERIFY_WITH_TIMEOUT(answer.isFinished(), 30'000);
        QVERIFY(answer.result() && answer.result()->text == large);
    }

    /// Reading these would wait for ever, or fill the memory.
    void whatIsNoFileIsNotRead_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("a device") << QStringLiteral("/dev/zero") << QByteArray("is not a regular file");
        QTest::newRow("a pipe") << m_authority->file("pipe") << QByteArray("is not a regular file");
        QTest::newRow("a directory") << m_authority->file("nothing") << QByteArray("is not a regular file");
        QTest::newRow("too large") << m_authority->file("large.pem") << QByteArray("larger than 512 KB");
    }
    void whatIsNoFileIsNotRead()
    {
        QFETCH(QString, path);
        QFETCH(QByteArray, reason);
        ::mkfifo(QFile::encodeName(m_authority->file("pipe")).constData(), 0600);
        QFile large(m_authority->file("large.pem"));
        QVERIFY(large.open(QIODevice::WriteOnly) && large.write(QByteArray(600 * 1024, 'x')) > 0);
        large.close();
        for (const auto what :
             {&ServerAddress::caFile, &ServerAddress::certificateFile, &ServerAddress::keyFile}) {
            ServerAddress address;
            address.transport = ServerAddress::Transport::Tls;
            address.certificateFile = m_authority->file("client.pem");
            address.keyFile = m_authority->file("client.key");
            address.*what = path;
            Connection connection(address, {.reconnect = false});
            connection.open();
            QTRY_COMPARE(connection.state(), Connection::State::Refused);
            QCOMPARE(connection.lastError().kind, ErrorKind::TlsFailed);
            // Of authorities there may be a directory.
            const bool isAuthorities = what == &ServerAddress::caFile && QFileInfo(path).isDir();
            QVERIFY2(connection.lastError().text().contains(isAuthorities ? "no PEM certificate in" : reason),
                     connection.lastError().text().constData());
        }
    }

    void showsItsOwnCertificate_data()
    {
        QTest::addColumn<bool>("given");
        QTest::newRow("given") << true;
        QTest::newRow("not given") << false;
    }

    void showsItsOwnCertificate()
    {
        QFETCH(bool, given);
        const auto server = tlsServer("server", "yes");
        ServerAddress address = server->tcpAddress();
        address.transport = ServerAddress::Transport::Tls;
        address.caFile = m_authority->file("ca.pem");
        if (given) {
            address.certificateFile = m_authority->file("client.pem");
            address.keyFile = m_authority->file("client.key");
        }
        Connection connection(address, {.reconnect = false});
        QSignalSpy ready(&connection, &Connection::ready);
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        QTRY_COMPARE(ready.size() + refused.size(), 1);
        QCOMPARE(ready.size(), given ? 1 : 0);
    }

    void itsOwnKeyIsOpened_data()
    {
        QTest::addColumn<QByteArray>("certificate");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("passphrase");
        QTest::addColumn<QByteArray>("reason");
        const auto row = [](const char *name, const char *certificate, const char *key,
                            const char *passphrase, const char *reason) {
            QTest::newRow(name) << QByteArray(certificate) << QByteArray(key) << QByteArray(passphrase)
                                << QByteArray(reason);
        };
        row("without a passphrase", "client.pem", "client.key", "", "");
        row("with its passphrase", "client.pem", "locked.key", "opensesame", "");
        row("a passphrase that is missing", "client.pem", "locked.key", "", "has a passphrase. Use --key");
        row("another passphrase", "client.pem", "locked.key", "canary-7f3d",
            "the passphrase does not open the key");
        row("everybody reads it", "client.pem", "open.key", "", "can read the key");
        row("of another certificate", "client.pem", "server.key", "", "key do not match");
        row("no key", "client.pem", "ca.pem", "", "no PEM private key");
        row("a stranger's", "stranger.pem", "stranger.key", "",
            "does not trust the client certificate's issuer");
        row("none", "", "", "", "requires a client certificate. Use --cert");
    }
    void itsOwnKeyIsOpened()
    {
        QFETCH(QByteArray, certificate);
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, passphrase);
        QFETCH(QByteArray, reason);
        for (const char *protocols : {"TLSv1.2", "TLSv1.3"}) {
            const auto server = tlsServer(
                "server", "yes", {QStringLiteral("--tls-protocols"), QString::fromLatin1(protocols)});
            ServerAddress address = server->tcpAddress();
            address.transport = ServerAddress::Transport::Tls;
            address.caFile = m_authority->file("ca.pem");
            address.certificateFile = certificate.isEmpty() ? QString() : m_authority->file(certificate);
            address.keyFile = key.isEmpty() ? QString() : m_authority->file(key);
            address.keyPassphrase = passphrase;
            Connection connection(address, {.reconnect = false});
            QSignalSpy ready(&connection, &Connection::ready);
            QSignalSpy refused(&connection, &Connection::connectionRefused);
            connection.open();
            QTRY_COMPARE(ready.size() + refused.size(), 1);
            QVERIFY2(ready.size() == (reason.isEmpty() ? 1 : 0),
                     protocols + (": " + connection.lastError().text()));
            if (reason.isEmpty())
                continue;
            QVERIFY2(connection.lastError().text().contains(reason),
                     protocols + connection.lastError().text());
            QCOMPARE(connection.lastError().kind, ErrorKind::TlsFailed);
            QVERIFY(!connection.lastError().text().contains("canary"));
        }
    }

    void oldVersionsAreSaidToBe()
    {
        const auto server =
            tlsServer("server", "no",
                      {QStringLiteral("--tls-protocols"), QStringLiteral("TLSv1.1"),
                       QStringLiteral("--tls-ciphers"), QStringLiteral("DEFAULT@SECLEVEL=0")});
        ServerAddress address = server->tcpAddress();
        address.transport = ServerAddress::Transport::Tls;
        address.caFile = m_authority->file("ca.pem");
        Connection connection(address, {.reconnect = false});
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        QVERIFY(refused.wait(10'000));
        QVERIFY2(connection.lastError().text().contains("only TLS before 1.2"),
                 connection.lastError().text());
    }

    void whatIsPinnedIsTrustedAlone_data()
    {
        QTest::addColumn<QByteArray>("certificate");
        for (const char *certificate : {"server", "alone", "expired", "elsewhere"})
            QTest::newRow(certificate) << QByteArray(certificate);
    }
    void whatIsPinnedIsTrustedAlone()
    {
        QFETCH(QByteArray, certificate);
        const auto server = tlsServer(certificate, "no");
        ServerAddress address = server->tcpAddress();
        address.transport = ServerAddress::Transport::Tls;
        address.caFile = m_authority->file("other.pem");
        Error refusal;
        {
            Connection connection(address, {.reconnect = false});
            connection.open();
            QTRY_COMPARE(connection.state(), Connection::State::Refused);
            refusal = connection.lastError();
        }
        QCOMPARE(refusal.certificate.size(), 64);
        QVERIFY(address.addPin(refusal.certificate));
        {
            Connection connection(address, {.reconnect = false});
            connection.open();
            QTRY_COMPARE(connection.state(), Connection::State::Ready);
        }
        // Another one is refused, also where it could be verified.
        const auto other = tlsServer("server", "no");
        ServerAddress elsewhere = other->tcpAddress();
        elsewhere.transport = ServerAddress::Transport::Tls;
        elsewhere.caFile = m_authority->file("ca.pem");
        elsewhere.pins = {QByteArray(64, 'a')};
        Connection connection(elsewhere, {.reconnect = false});
        connection.open();
        QTRY_COMPARE(connection.state(), Connection::State::Refused);
        QVERIFY2(connection.lastError().text().contains("is not the pinned one"),
                 connection.lastError().text());
    }

    void plainServerIsSaidToBeOne()
    {
        RedisServer server;
        ServerAddress address = server.tcpAddress();
        address.transport = ServerAddress::Transport::Tls;
        Connection connection(address, {.connectDeadline = std::chrono::milliseconds(500)});
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        QVERIFY(refused.wait(10'000));
        QCOMPARE(connection.lastError().kind, ErrorKind::TlsFailed);
        QVERIFY(connection.lastError().text().contains("may not use it"));
    }

    void tlsServerIsNoPlainOne()
    {
        const auto server = tlsServer("server", "no");
        Connection connection(server->tcpAddress(), {.reconnect = false});
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        QVERIFY(refused.wait(10'000));
        QVERIFY(connection.lastError().text().contains("may expect TLS"));
    }
};

QTEST_GUILESS_MAIN(TestTls)
#include "tst_tls.moc"
