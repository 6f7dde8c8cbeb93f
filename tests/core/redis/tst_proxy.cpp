// SPDX-License-Identifier: GPL-3.0-or-later
// Connections through an HTTP (CONNECT) or SOCKS5 proxy.
#include "core/redis/connection.h"
#include "tests/support/redisserver.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

using namespace lockscope;

namespace {

QString schemeOf(bool isHttp)
{
    return isHttp ? QStringLiteral("http") : QStringLiteral("socks5");
}

/// A proxy of one kind that lets in whoever knows the user and password, if there are any.
class Proxy : public QTcpServer
{
public:
    Proxy(bool isHttp, quint16 target, const QByteArray &user = {}, const QByteArray &password = {})
        : m_isHttp(isHttp), m_target(target), m_user(user), m_password(password)
    {
        connect(this, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *client = nextPendingConnection())
                connect(client, &QTcpSocket::readyRead, this, [this, client] { read(client); });
        });
        if (!listen(QHostAddress::LocalHost))
            qFatal("no port");
    }

    QStringList asked; ///< places that clients wanted to go to

private:
    void read(QTcpSocket *client)
    {
        QByteArray &text = m_read[client];
        text += client->readAll();
        if (m_isHttp ? !text.endsWith("\r\n\r\n") : text.isEmpty())
            return;
        const QByteArray request = std::exchange(text, {});
        if (m_isHttp)
            return connectByHttp(client, request);
        const bool hasLogin = !m_user.isEmpty();
        switch (m_step[client]++) {
        case 0:
            client->write(hasLogin ? QByteArray("\5\2") : QByteArray("\5\0", 2));
            m_step[client] += hasLogin ? 0 : 1;
            return;
        case 1:
            client->write(request == "\1" + QByteArray(1, char(m_user.size())) + m_user +
                                         QByteArray(1, char(m_password.size())) + m_password
                              ? QByteArray("\1\0", 2)
                              : QByteArray("\1\1"));
            return;
        default: { // 5 1 0 3 length name port
            const auto length = request.at(3) == 3 ? qsizetype(request.at(4)) : 0;
            asked.append(QString::fromLatin1(request.mid(5, length)));
            relay(client, QByteArray("\5\0\0\1\0\0\0\0\0\0", 10));
        }
        }
    }

    void connectByHttp(QTcpSocket *client, const QByteArray &request)
    {
        const QByteArray login = (m_user + ':' + m_password).toBase64();
        if (!m_user.isEmpty() && !request.contains("Basic " + login)) {
            client->write("HTTP/1.1 407 Proxy Authentication Required\r\n"
                          "Proxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        asked.append(QString::fromLatin1(request.split(' ').value(1).split(':').value(0)));
        relay(client, "HTTP/1.1 200 OK\r\n\r\n");
    }

    void relay(QTcpSocket *client, const QByteArray &answer)
    {
        auto *server = new QTcpSocket(client);
        server->connectToHost(QHostAddress::LocalHost, m_target);
        if (!server->waitForConnected())
            qFatal("no server");
        client->disconnect(this);
        connect(client, &QTcpSocket::readyRead, server, [=] { server->write(client->readAll()); });
        connect(server, &QTcpSocket::readyRead, client, [=] { client->write(server->readAll()); });
        connect(server, &QTcpSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
        client->write(answer);
    }

    const bool m_isHttp;
    const quint16 m_target;
    const QByteArray m_user, m_password;
    QHash<QTcpSocket *, QByteArray> m_read;
    QHash<QTcpSocket *, int> m_step;
};

} // namespace

class TestProxy : public QObject
{
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void reachesTheServer_data()
    {
        QTest::addColumn<bool>("isHttp");
        QTest::addColumn<bool>("hasLogin");
        QTest::newRow("http") << true << false;
        QTest::newRow("http with login") << true << true;
        QTest::newRow("socks5") << false << false;
        QTest::newRow("socks5 with login") << false << true;
    }

    /// The proxy finds the name: nobody here knows it.
    void reachesTheServer()
    {
        QFETCH(const bool, isHttp);
        QFETCH(const bool, hasLogin);
        Proxy proxy(isHttp, m_server.tcpAddress().port, hasLogin ? "ops" : "", hasLogin ? "pa:ss@1" : "");
        ServerAddress address = m_server.tcpAddress();
        address.host = QStringLiteral("redis.inside.invalid");
        const QString login = hasLogin ? QStringLiteral("ops:pa%3Ass%401@") : QString();
        QVERIFY(address.setProxy(schemeOf(isHttp) + QStringLiteral("://") + login +
                                 QStringLiteral("127.0.0.1:") + QString::number(proxy.serverPort())));
        QVERIFY(!address.toDisplayString().contains(u"pa"));
        QVERIFY(!address.toUriWithoutPassword().contains(u"pa%3A"));
        Connection connection(address, {});
        QSignalSpy ready(&connection, &Connection::ready);
        connection.open();
        QVERIFY(ready.wait(20'000));
        QCOMPARE(proxy.asked, QStringList{QStringLiteral("redis.inside.invalid")});
    }

    void aWrongLoginIsRefused_data()
    {
        QTest::addColumn<bool>("isHttp");
        QTest::newRow("http") << true;
        QTest::newRow("socks5") << false;
    }
    void aWrongLoginIsRefused()
    {
        QFETCH(const bool, isHttp);
        const Proxy proxy(isHttp, m_server.tcpAddress().port, "ops", "right");
        ServerAddress address = m_server.tcpAddress();
        QVERIFY(address.setProxy(
            QStringLiteral("%1://ops:wrong@127.0.0.1:%2").arg(schemeOf(isHttp)).arg(proxy.serverPort())));
        QVERIFY2(failure(address).text().contains("roxy"), failure(address).text());
    }

    void aProxyThatIsNotThere()
    {
        ServerAddress address = m_server.tcpAddress();
        QVERIFY(address.setProxy(QStringLiteral("socks5://127.0.0.1:1")));
        QVERIFY2(failure(address).text().contains("roxy"), failure(address).text());
    }

    void theAddressSaysIt()
    {
        const auto address = ServerAddress::parse(
            QStringLiteral("rediss://web:a@b@redis:6380/2?proxy=socks5://ops:c@d@proxy:1080"));
        QVERIFY(!address); // '@' in its password is not encoded
        const auto read = ServerAddress::parse(
            QStringLiteral("rediss://web:a%40b@redis:6380/2?proxy=socks5://ops:c%2540d@proxy:1080"));
        QVERIFY(read);
        QCOMPARE(read->host, QStringLiteral("redis"));
        QCOMPARE(read->password, "a@b");
        QCOMPARE(read->proxy, QStringLiteral("socks5://ops@proxy:1080"));
        QCOMPARE(read->proxyPassword, "c@d");
        const auto again = ServerAddress::parse(read->toUriWithoutPassword());
        QVERIFY(again);
        QCOMPARE(again->proxy, read->proxy);
        ServerAddress other = *read;
        QVERIFY(other.setProxy(QStringLiteral("http://ops@elsewhere:3128")));
        QVERIFY(other.proxyPassword.isEmpty()); // it is another proxy's
        for (const char *wrong :
             {"proxy:3128", "ftp://proxy:1", "http://proxy", "http://:3128", "http://proxy:3128/x", "-oX"})
            QVERIFY2(!ServerAddress().setProxy(QLatin1String(wrong)), wrong);
    }

private:
    static Error failure(const ServerAddress &address)
    {
        Connection connection(address, {.reconnect = false});
        QSignalSpy lost(&connection, &Connection::connectionLost);
        QSignalSpy refused(&connection, &Connection::connectionRefused);
        connection.open();
        if (!QTest::qWaitFor([&] { return !lost.isEmpty() || !refused.isEmpty(); }, 20'000))
            qFatal("no end");
        return connection.lastError();
    }

    RedisServer m_server;
};

QTEST_GUILESS_MAIN(TestProxy)
#include "tst_proxy.moc"
