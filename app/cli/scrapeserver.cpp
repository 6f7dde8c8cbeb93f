// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scrapeserver.h"

#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
#include <QHttpHeaders>
#endif
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using StatusCode = QHttpServerResponder::StatusCode;

constexpr qsizetype mostConnections = 64;
constexpr qsizetype mostOfPeer = 16;
constexpr auto afterExhaustion = 1s;        // no descriptor was left for a connection
constexpr qint64 mostRequestBytes = 16'384; // Prometheus sends about 300
constexpr qint64 mostUnsentBytes = 1 << 20; // a page has some 10 KiB, however many locks there are
constexpr auto longestSilence = 120s;       // twice the usual time between two scrapes

/// Qt's server takes a request of any size, however long it takes.
class BoundedListener : public QTcpServer
{
public:
    BoundedListener()
    {
        // Qt accepts no more by itself then.
        connect(this, &QTcpServer::acceptError, this,
                [this] { QTimer::singleShot(afterExhaustion, this, &QTcpServer::resumeAccepting); });
    }

protected:
    void incomingConnection(qintptr descriptor) override
    {
        auto *socket = new QTcpSocket(this);
        if (!socket->setSocketDescriptor(descriptor)) { // which then is still ours
            delete socket;
            ::close(static_cast<int>(descriptor));
            return;
        }
        makeRoom(socket->peerAddress());
        m_open.append(socket);
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] { m_open.removeOne(socket); });
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        auto *silence = new QTimer(socket);
        silence->setSingleShot(true);
        connect(silence, &QTimer::timeout, socket, &QTcpSocket::abort);
        silence->start(longestSilence);
        const auto unanswered = std::make_shared<qint64>(0);
        connect(socket, &QTcpSocket::readyRead, socket, [this, socket, silence, unanswered] {
            m_open.move(m_open.indexOf(socket), m_open.size() - 1);
            silence->start(longestSilence);
            *unanswered += socket->bytesAvailable();
            // Who asks and asks, but does not read, would have us keep every answer.
            if (*unanswered > mostRequestBytes || socket->bytesToWrite() > mostUnsentBytes)
                socket->abort();
        });
        connect(socket, &QTcpSocket::bytesWritten, socket, [unanswered] { *unanswered = 0; });
        addPendingConnection(socket);
    }

private:
    void makeRoom(const QHostAddress &peer)
    {
        const auto isOfPeer = [&peer](const QTcpSocket *socket) { return socket->peerAddress() == peer; };
        const bool isTooMuchOfIt = std::ranges::count_if(m_open, isOfPeer) >= mostOfPeer;
        if (isTooMuchOfIt)
            (*std::ranges::find_if(m_open, isOfPeer))->abort();
        else if (m_open.size() >= mostConnections)
            m_open.first()->abort();
    }

    QList<QTcpSocket *> m_open; ///< who was heard last is the last
};

} // namespace

ScrapeServer::ScrapeServer(Answers answers) : m_answers(std::move(answers))
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    m_http.setMissingHandler(&m_http,
                             [this](const QHttpServerRequest &request, QHttpServerResponder &responder) {
                                 answer(request, responder);
                             });
#else
    m_http.setMissingHandler([this](const QHttpServerRequest &request, QHttpServerResponder &&responder) {
        answer(request, responder);
    });
#endif
}

tl::expected<quint16, QString> ScrapeServer::listen(const ListenAddress &address)
{
    auto listener = std::make_unique<BoundedListener>();
    const QHostAddress host =
        address.host.isEmpty() ? QHostAddress(QHostAddress::Any) : QHostAddress(address.host);
    if (!listener->listen(host, address.port))
        return tl::unexpected(listener->errorString());
    const quint16 port = listener->serverPort();
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    if (!m_http.bind(listener.get()))
        return tl::unexpected(listener->errorString());
    listener.release(); // it was taken over
#else
    m_http.bind(listener.release()); // which takes it over
#endif
    return port;
}

void ScrapeServer::answer(const QHttpServerRequest &request, QHttpServerResponder &responder) const
{
    if (request.method() != QHttpServerRequest::Method::Get) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
        QHttpHeaders headers;
        headers.append("Allow", "GET");
        responder.write(headers, StatusCode::MethodNotAllowed);
#else
        responder.write({{"Allow", "GET"}}, StatusCode::MethodNotAllowed);
#endif
        return;
    }
    const Answer answer = m_answers(request.url().path(), request.value("accept"));
    responder.write(answer.content, answer.type, answer.isFound ? StatusCode::Ok : StatusCode::NotFound);
}

} // namespace lockscope
