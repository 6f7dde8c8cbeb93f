// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scrapeserver.h"

#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
#include <QHttpHeaders>
#endif
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <unistd.h>

#include <chrono>
#include <memory>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using StatusCode = QHttpServerResponder::StatusCode;

constexpr int mostConnections = 64;
constexpr qint64 mostRequestBytes = 16'384; // Prometheus sends about 300
constexpr qint64 mostUnsentBytes = 1 << 20; // a page has some 10 KiB, however many locks there are
constexpr auto longestSilence = 120s;       // twice the usual time between two scrapes

/// Qt's server takes a request of any size, however long it takes.
class BoundedListener : public QTcpServer
{
public:
    using QTcpServer::QTcpServer;

protected:
    void incomingConnection(qintptr descriptor) override
    {
        auto *socket = new QTcpSocket(this);
        if (!socket->setSocketDescriptor(descriptor)) { // which then is still ours
            delete socket;
            ::close(static_cast<int>(descriptor));
            return;
        }
        if (m_connections >= mostConnections) {
            socket->abort();
            socket->deleteLater();
            return;
        }
        ++m_connections;
        connect(socket, &QObject::destroyed, this, [this] { --m_connections; });
        connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
        auto *silence = new QTimer(socket);
        silence->setSingleShot(true);
        connect(silence, &QTimer::timeout, socket, &QTcpSocket::abort);
        silence->start(longestSilence);
        const auto unanswered = std::make_shared<qint64>(0);
        connect(socket, &QTcpSocket::readyRead, socket, [socket, silence, unanswered] {
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
    int m_connections = 0;
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
