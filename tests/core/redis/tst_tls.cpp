// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/connection.h"

#include "tests/support/redisserver.h"

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
    }

    QString file(const char *name) const { return directory.filePath(QString::fromLatin1(name)); }

private:
    void sign(const QByteArray &name, const QByteArray &alternativeName)
    {
        QFile extensions(directory.filePath(QStringLiteral("ext")));
        if (!extensions.open(QIODevice::WriteOnly | QIODevice::Truncate))
            qFatal("no file for extensions");
        extensions.write("subjectAltName=" + alternativeName + '\n');
        extensions.close();
        openssl("req -newkey rsa:2048 -nodes -subj /CN=" + name + " -keyout " + name + ".key -out " + name +
                ".csr");
        openssl("x509 -req -days 2 -in " + name +
                ".csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile ext -out " + name + ".pem");
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
    std::unique_ptr<RedisServer> tlsServer(const char *certificate, const char *askClients)
    {
        const auto name = QByteArray(certificate);
        auto server = std::make_unique<RedisServer>(
            QStringList{QStringLiteral("--tls-cert-file"), m_authority->file(name + ".pem"),
                        QStringLiteral("--tls-key-file"), m_authority->file(name + ".key"),
                        QStringLiteral("--tls-ca-cert-file"), m_authority->file("ca.pem"),
                        QStringLiteral("--tls-auth-clients"), QString::fromLatin1(askClients)});
        // The port that the fixture found goes over from plain to TLS.
        server->cli({"CONFIG", "SET", "port", "0", "tls-port", QByteArray::number(server->port())});
        return server;
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
        row("a name that it does not carry", "server", "ca.pem", "wrong.test", false,
            "host name did not match");
        row("a certificate of another host", "elsewhere", "ca.pem", "", false, "host name did not match");
        row("an authority that is not trusted", "server", "other.pem", "", false, "certificate");
        row("no authority given", "server", "", "", false, "certificate");
        row("insecure by the user's word", "elsewhere", "other.pem", "", true, "");
        row("a CA file that is not there", "server", "missing.pem", "", false, "can't be read");
        row("a CA file that is none", "server", "ca.key", "", false, "holds no certificate");
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

    /// Reading these would wait for ever, or fill the memory.
    void whatIsNoFileIsNotRead_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("a device") << QStringLiteral("/dev/zero") << QByteArray("is a pipe or a device");
        QTest::newRow("a pipe") << m_authority->file("pipe") << QByteArray("is a pipe or a device");
        QTest::newRow("a directory") << QStringLiteral("/") << QByteArray("is a directory");
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
            QVERIFY2(connection.lastError().text().contains(reason),
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
        QVERIFY(connection.lastError().text().contains("plain Redis"));
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
