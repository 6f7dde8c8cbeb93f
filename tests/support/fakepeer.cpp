// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fakepeer.h"

#include <QTcpSocket>
#include <QTimer>

#include <algorithm>
#include <optional>

#include <sys/socket.h>

namespace lockscope {

namespace {

bool matches(const QByteArrayList &command, const QByteArray &name)
{
    const QByteArrayList words = name.split(' ');
    return words.size() <= command.size() &&
           std::equal(words.begin(), words.end(), command.begin(),
                      [](const QByteArray &a, const QByteArray &b) { return a.toUpper() == b.toUpper(); });
}

/// Takes one complete command off the front of `bytes`. What is no RESP command is never complete.
std::optional<QByteArrayList> takeCommand(QByteArray &bytes)
{
    qsizetype at = 0;
    const auto takeNumber = [&](char mark) {
        const qsizetype end = bytes.indexOf("\r\n", at);
        if (end < 0 || bytes.at(at) != mark)
            return -1;
        const int number = bytes.mid(at + 1, end - at - 1).toInt();
        at = end + 2;
        return number;
    };
    QByteArrayList command;
    for (int left = takeNumber('*'); left != 0; --left) {
        const int length = left > 0 ? takeNumber('$') : -1;
        if (length < 0 || bytes.size() < at + length + 2)
            return std::nullopt;
        command << bytes.mid(at, length);
        at += length + 2;
    }
    bytes.remove(0, at);
    return command;
}

} // namespace

struct FakePeer::Client
{
    std::unique_ptr<QTcpSocket> socket;
    QByteArray unread;
    QList<Answer::Step> steps;
    bool running = false;
};

FakePeer::Answer &FakePeer::Answer::send(const QByteArray &bytes, qsizetype chunk)
{
    for (qsizetype at = 0; chunk > 0 && at < bytes.size(); at += chunk)
        add({Step::Send, bytes.mid(at, chunk)});
    return chunk > 0 ? *this : add({Step::Send, bytes});
}

FakePeer::Answer &FakePeer::Answer::add(Step step)
{
    m_steps << std::move(step);
    return *this;
}

FakePeer::FakePeer()
{
    setServer("7.0.15");
    connect(&m_listener, &QTcpServer::newConnection, this, &FakePeer::accept);
    start();
}

FakePeer::~FakePeer()
{
    stop();
}

ServerAddress FakePeer::address() const
{
    ServerAddress address;
    address.host = QStringLiteral("127.0.0.1");
    address.port = m_port;
    return address;
}

void FakePeer::setServer(const QByteArray &version, const QByteArray &mode, const QByteArray &role)
{
    m_info = "# Server\r\nredis_version:" + version + "\r\nredis_mode:" + mode +
             "\r\nrun_id:" + QByteArray(40, 'f') + "\r\n# Replication\r\nrole:" + role + "\r\n";
}

void FakePeer::goOn()
{
    for (const auto &client : m_clients) {
        if (!client->steps.isEmpty() && client->steps.first().kind == Answer::Step::Hold)
            client->steps.removeFirst();
        run(*client);
    }
}

void FakePeer::push(const Answer &answer)
{
    for (const auto &client : m_clients) {
        client->steps << answer.m_steps;
        run(*client);
    }
}

void FakePeer::dropClients()
{
    for (const auto &client : m_clients)
        client->steps.clear();
    push(Answer().reset());
}

void FakePeer::stop()
{
    m_listener.close();
    dropClients();
}

void FakePeer::start()
{
    if (!m_listener.listen(QHostAddress::LocalHost, m_port))
        qFatal("no loopback port: %s", qPrintable(m_listener.errorString()));
    m_port = m_listener.serverPort();
}

QList<QByteArrayList> FakePeer::commands(const QByteArray &name) const
{
    QList<QByteArrayList> found;
    std::copy_if(m_commands.begin(), m_commands.end(), std::back_inserter(found),
                 [&name](const QByteArrayList &command) { return matches(command, name); });
    return found;
}

void FakePeer::accept()
{
    while (QTcpSocket *socket = m_listener.nextPendingConnection()) {
        ++m_accepted;
        Client &client = *m_clients.emplace_back(std::make_unique<Client>());
        socket->setParent(nullptr);
        client.socket.reset(socket);
        socket->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        connect(socket, &QTcpSocket::readyRead, this, [this, &client] { read(client); });
        // Later: the socket is still in use by whoever made it disconnect.
        connect(
            socket, &QTcpSocket::disconnected, this,
            [this, &client] {
                m_clients.remove_if([&client](const auto &each) { return each.get() == &client; });
            },
            Qt::QueuedConnection);
        client.steps = m_greeting.m_steps;
        run(client);
    }
}

void FakePeer::read(Client &client)
{
    const QByteArray bytes = client.socket->readAll();
    m_wire += bytes;
    client.unread += bytes;
    while (const auto command = takeCommand(client.unread)) {
        m_commands << *command;
        client.steps << answerTo(*command).m_steps;
        emit received(*command);
    }
    run(client);
}

/// One step a call, with a turn of the event loop between two: a client in the same loop so reads each chunk
/// alone.
void FakePeer::run(Client &client)
{
    using Step = Answer::Step;
    if (client.running || client.steps.isEmpty() || client.steps.first().kind == Step::Hold)
        return;
    QTcpSocket &socket = *client.socket;
    if (socket.state() != QAbstractSocket::ConnectedState)
        return;
    const int descriptor = static_cast<int>(socket.socketDescriptor());
    const Step step = client.steps.takeFirst();
    if (step.kind == Step::Send) {
        socket.write(step.bytes);
        socket.flush();
    } else if (step.kind == Step::HalfClose) {
        ::shutdown(descriptor, SHUT_WR);
    } else if (step.kind == Step::Close) {
        client.steps.clear();
        socket.disconnectFromHost();
    } else {
        client.steps.clear();
        const linger atOnce{1, 0};
        ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
        socket.abort();
    }
    if (client.steps.isEmpty())
        return;
    client.running = true;
    // Two turns: a timer and the client's notifier may be served in either order within one.
    QTimer::singleShot(0, &socket, [this, &client] {
        QTimer::singleShot(0, client.socket.get(), [this, &client] {
            client.running = false;
            run(client);
        });
    });
}

FakePeer::Answer FakePeer::answerTo(const QByteArrayList &command)
{
    for (const bool once : {true, false}) {
        const auto rule = std::find_if(m_rules.begin(), m_rules.end(), [&](const Rule &each) {
            return each.once == once && matches(command, each.name);
        });
        if (rule == m_rules.end())
            continue;
        const Answer answer = rule->answer;
        if (once)
            m_rules.erase(rule);
        return answer;
    }
    if (matches(command, "INFO"))
        return QByteArray('$' + QByteArray::number(m_info.size()) + "\r\n" + m_info + "\r\n");
    if (matches(command, "PING"))
        return "+PONG\r\n";
    if (matches(command, "AUTH") || matches(command, "SELECT") || matches(command, "CLIENT"))
        return "+OK\r\n";
    return "-ERR unknown command '" + command.value(0) + "'\r\n";
}

} // namespace lockscope
