// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rewritingproxy.h"

#include "tests/support/framing.h"

#include <QLocalSocket>
#include <QTcpSocket>

#include <algorithm>

namespace lockscope {

namespace {

QByteArray encoded(const QByteArrayList &command)
{
    QByteArray wire = '*' + QByteArray::number(command.size()) + "\r\n";
    for (const QByteArray &word : command)
        wire += '$' + QByteArray::number(word.size()) + "\r\n" + word + "\r\n";
    return wire;
}

/// What is known of a client: bytes of a command that is not complete, and what its connection speaks.
struct Stream
{
    QByteArray unread;
    bool speaksResp3 = false;
};

} // namespace

RewritingProxy::RewritingProxy(const ServerAddress &server) : m_path(server.socketPath)
{
    if (!m_listener.listen(QHostAddress::LocalHost))
        qFatal("no port to listen at");
    connect(&m_listener, &QTcpServer::newConnection, this, [this] {
        while (QTcpSocket *client = m_listener.nextPendingConnection())
            accept(client);
    });
}

RewritingProxy::~RewritingProxy() = default;

ServerAddress RewritingProxy::address() const
{
    ServerAddress address;
    address.host = QStringLiteral("127.0.0.1");
    address.port = m_listener.serverPort();
    return address;
}

QByteArrayList RewritingProxy::refusal(const QByteArray &words)
{
    return {"EVAL", "return redis.error_reply(ARGV[1])", "0", words};
}

qsizetype RewritingProxy::count(const QByteArray &name) const
{
    return std::ranges::count_if(m_commands,
                                 [&](const QByteArrayList &command) { return command.value(0) == name; });
}

void RewritingProxy::cutUnless(const std::function<bool(const QByteArray &)> &isGood)
{
    const QHash<QTcpSocket *, QByteArray> passwords = m_passwords;
    for (const auto &[client, password] : passwords.asKeyValueRange()) {
        if (!isGood(password))
            client->disconnectFromHost();
    }
}

void RewritingProxy::accept(QTcpSocket *client)
{
    ++m_accepted;
    auto *server = new QLocalSocket(client); // NOLINT(cppcoreguidelines-owning-memory): a child
    server->connectToServer(m_path);
    connect(server, &QLocalSocket::readyRead, client, [=] { client->write(server->readAll()); });
    connect(server, &QLocalSocket::disconnected, client, &QTcpSocket::disconnectFromHost);
    connect(server, &QLocalSocket::errorOccurred, client, [=] { client->disconnectFromHost(); });
    connect(client, &QTcpSocket::disconnected, this, [this, client] {
        m_passwords.remove(client);
        client->deleteLater();
    });
    const auto take = [this, client, server, stream = Stream()]() mutable {
        stream.unread += client->readAll();
        for (;;) {
            const std::optional<qsizetype> length = frameLength(stream.unread);
            if (!length || *length == 0)
                return;
            const QByteArrayList command = wordsOf(QByteArrayView(stream.unread).first(*length));
            stream.unread.remove(0, *length);
            m_commands << command;
            if (command[0] == "AUTH")
                m_passwords[client] = command.last();
            const QByteArrayList sent = rewrite ? rewrite(command, stream.speaksResp3) : command;
            if (sent.isEmpty())
                return client->disconnectFromHost();
            stream.speaksResp3 = stream.speaksResp3 || sent.mid(0, 2) == QByteArrayList{"HELLO", "3"};
            server->write(encoded(sent));
        }
    };
    connect(client, &QTcpSocket::readyRead, client, take);
}

} // namespace lockscope
