// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scrapeserver.h"

#include "core/base/metricstext.h"

#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
#include <QHttpHeaders>
#endif
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <memory>

namespace lockscope {

namespace {

using namespace std::chrono_literals;
using StatusCode = QHttpServerResponder::StatusCode;

constexpr qsizetype maxConnections = 64;
constexpr qsizetype maxOfPeer = 16;
constexpr auto afterExhaustion = 1s;       // no descriptor was left for a connection
constexpr qint64 maxRequestBytes = 16'384; // Prometheus sends about 300
constexpr qint64 maxUnsentBytes = 1 << 20; // a page has some 40 KiB, however many locks there are
constexpr auto longestSilence = 120s;      // twice the usual time between two scrapes

/// Limits connections: QHttpServer accepts requests of any size and duration.
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
            if (*unanswered > maxRequestBytes || socket->bytesToWrite() > maxUnsentBytes)
                socket->abort();
        });
        connect(socket, &QTcpSocket::bytesWritten, socket, [unanswered] { *unanswered = 0; });
        addPendingConnection(socket);
    }

private:
    void makeRoom(const QHostAddress &peer)
    {
        const auto isOfPeer = [&peer](const QTcpSocket *socket) { return socket->peerAddress() == peer; };
        const bool isTooMuchOfIt = std::ranges::count_if(m_open, isOfPeer) >= maxOfPeer;
        if (isTooMuchOfIt)
            (*std::ranges::find_if(m_open, isOfPeer))->abort();
        else if (m_open.size() >= maxConnections)
            m_open.first()->abort();
    }

    QList<QTcpSocket *> m_open; ///< heard last at the end
};

using Headers = QList<std::pair<QByteArray, QByteArray>>;

void write(QHttpServerResponder &responder, const QByteArray &content, const Headers &headers,
           StatusCode status, bool isHead = false)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
    QHttpHeaders all;
    for (const auto &[name, value] : headers)
        all.append(name, value);
    isHead ? responder.write(all, status) : responder.write(content, all, status);
#else
    responder.writeStatusLine(status);
    for (const auto &[name, value] : headers)
        responder.writeHeader(name, value);
    responder.writeHeader("Content-Length", QByteArray::number(content.size()));
    responder.writeBody(isHead ? QByteArray() : content);
#endif
}

QByteArray gzipped(const QByteArray &content)
{
    constexpr int gzip = 16; // added to the size of the window: a header of gzip, not of zlib
    z_stream stream{};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        qFatal("no memory");
    QByteArray packed(qsizetype(deflateBound(&stream, uLong(content.size()))), Qt::Uninitialized);
    QByteArray source = content; // zlib takes no constant
    stream.next_in = reinterpret_cast<Bytef *>(source.data());
    stream.avail_in = uInt(source.size());
    stream.next_out = reinterpret_cast<Bytef *>(packed.data());
    stream.avail_out = uInt(packed.size());
    deflate(&stream, Z_FINISH);
    packed.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

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
    using Method = QHttpServerRequest::Method;
    const bool isHead = request.method() == Method::Head;
    if (request.method() != Method::Get && !isHead)
        return write(responder, {}, {{"Allow", "GET, HEAD"}}, StatusCode::MethodNotAllowed);
    Answer answer = m_answers(request.url(), request.value("accept"));
    Headers headers{{"Content-Type", answer.type}, {"Vary", "Accept, Accept-Encoding"}};
    if (acceptedQuality(request.value("accept-encoding"), "gzip") > 0) {
        answer.content = gzipped(answer.content);
        headers.emplaceBack("Content-Encoding", "gzip");
    }
    write(responder, answer.content, headers, StatusCode(answer.status), isHead);
}

} // namespace lockscope
