// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/transport.h"

#include "core/redis/blockingsocket.h"
#include "core/redis/sshtunnel.h"
#include "core/redis/tls.h"

#include <QFutureWatcher>
#include <QLocalSocket>
#include <QNetworkProxy>
#include <QPointer>
#include <QSslSocket>
#include <QTcpSocket>
#include <QUrl>

#include <algorithm>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace lockscope {

namespace {

constexpr qint64 readBufferBytes = 1024 * 1024; // what a fast peer may pile up before we look

ErrorKind kindOf(QAbstractSocket::SocketError error)
{
    switch (error) {
    case QAbstractSocket::HostNotFoundError:
        return ErrorKind::HostNotFound;
    case QAbstractSocket::ConnectionRefusedError:
        return ErrorKind::ConnectionRefused;
    case QAbstractSocket::SocketTimeoutError:
        return ErrorKind::ConnectTimeout;
    case QAbstractSocket::SslHandshakeFailedError:
    case QAbstractSocket::SslInternalError:
    case QAbstractSocket::SslInvalidUserDataError:
        return ErrorKind::TlsFailed;
    default:
        return ErrorKind::NetworkFailed;
    }
}

Error failureOf(QAbstractSocket::SocketError error, const QAbstractSocket &socket)
{
    if (error == QAbstractSocket::ProxyAuthenticationRequiredError)
        return {ErrorKind::NetworkFailed,
                Phrase(QT_TRANSLATE_NOOP("phrases", "the proxy refuses the login (LOCKSCOPE_PROXY_AUTH)"))};
    return {kindOf(error), socket.errorString().toUtf8()};
}

void useProxy(QAbstractSocket &socket, const ServerAddress &address)
{
    const QUrl url(address.proxy);
    if (url.isEmpty())
        return;
    // Of a server that was stored, or is one of many: the password stands nowhere else.
    const QByteArray password =
        address.proxyPassword.isEmpty() ? qgetenv("LOCKSCOPE_PROXY_AUTH") : address.proxyPassword;
    socket.setProxy(QNetworkProxy(
        url.scheme() == u"http" ? QNetworkProxy::HttpProxy : QNetworkProxy::Socks5Proxy, url.host(),
        static_cast<quint16>(url.port()), url.userName(QUrl::FullyDecoded), QString::fromUtf8(password)));
}

/// True if waitForReadable() timed out: not a failure.
bool isOnlySilence(QAbstractSocket::SocketError error, const QAbstractSocket &socket)
{
    return error == QAbstractSocket::SocketTimeoutError && socket.state() == QAbstractSocket::ConnectedState;
}

/// For futures that finish on another thread, unlike whenDone().
template <typename T, typename Continuation>
void whenTold(QObject *context, const QFuture<T> &future, Continuation then)
{
    auto *watcher = new QFutureWatcher<T>(context); // NOLINT(cppcoreguidelines-owning-memory): a child
    QObject::connect(watcher, &QFutureWatcherBase::finished, context, [watcher, then = std::move(then)] {
        watcher->deleteLater();
        if (watcher->future().resultCount() > 0) // else the application ends
            then(watcher->result());
    });
    watcher->setFuture(future);
}

Phrase serverClosed()
{
    return Phrase(QT_TRANSLATE_NOOP("phrases", "the server closed the connection"));
}

} // namespace

Transport::Transport(const ServerAddress &address, QObject *parent) : QObject(parent), m_address(address) {}

Transport::~Transport()
{
    if (m_socket)
        m_socket->disconnect(this); // a socket that closes in its destructor has nothing to tell any more
}

void Transport::open()
{
    if (!m_address.sshHost.isEmpty()) {
        whenTold(this, SshTunnel::open(m_address), [this](const Result<QString> &path) {
            if (path)
                openThrough(*path);
            else
                finish(path.error());
        });
        return;
    }
    emit dialing();
    switch (m_address.transport) {
    case ServerAddress::Transport::Unix:
        return openUnix(m_address.socketPath);
    case ServerAddress::Transport::Tcp:
        return openTcp();
    case ServerAddress::Transport::Tls:
        return openTls();
    }
}

void Transport::openThrough(const QString &tunnel)
{
    m_tunnel = tunnel;
    emit dialing();
    openUnix(tunnel);
}

template <typename Socket>
Socket *Transport::make()
{
    auto socket = std::make_unique<Socket>();
    Socket *made = socket.get();
    made->setReadBufferSize(readBufferBytes);
    connect(made, &QIODevice::readyRead, this, &Transport::readable);
    m_socket = std::move(socket);
    return made;
}

void Transport::openUnix(const QString &path)
{
    auto *local = make<QLocalSocket>();
    connect(local, &QLocalSocket::connected, this, [this, local] {
        if (m_tunnel.isEmpty() || m_address.transport != ServerAddress::Transport::Tls)
            return emit opened();
#ifdef Q_OS_UNIX
        const int descriptor = ::dup(static_cast<int>(local->socketDescriptor()));
        local->disconnect(this);
        local->deleteLater(); // this is its own signal
        m_socket.release();   // NOLINT(bugprone-unused-return-value): deleted above
        openTls(descriptor);
#endif
    });
    connect(local, &QLocalSocket::errorOccurred, this, [this, local](QLocalSocket::LocalSocketError error) {
        if (error == QLocalSocket::SocketTimeoutError && local->state() == QLocalSocket::ConnectedState)
            return; // waitForReadable() had nothing to read: no failure
        switch (error) {
        case QLocalSocket::PeerClosedError:
            return fail({ErrorKind::NetworkFailed, serverClosed()});
        // What Qt says of these names its own functions; our words for the kinds say it all.
        case QLocalSocket::ConnectionRefusedError:
            return fail(ErrorKind::ConnectionRefused);
        case QLocalSocket::ServerNotFoundError:
            return fail({ErrorKind::NoSuchSocket, Phrase(QT_TRANSLATE_NOOP("phrases", "no such socket"))});
        case QLocalSocket::SocketAccessError:
            return fail({ErrorKind::NoSuchSocket, Phrase(QT_TRANSLATE_NOOP("phrases", "permission denied"))});
        default:
            return fail({ErrorKind::NetworkFailed, local->errorString().toUtf8()});
        }
    });
    local->connectToServer(path);
}

void Transport::openTcp()
{
    auto *tcp = make<QTcpSocket>();
    connect(tcp, &QTcpSocket::connected, this, [this, tcp] {
        tcp->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        tcp->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        emit opened();
    });
    connect(tcp, &QTcpSocket::errorOccurred, this, [this, tcp](QAbstractSocket::SocketError error) {
        if (isOnlySilence(error, *tcp))
            return;
        if (error == QAbstractSocket::RemoteHostClosedError)
            fail({ErrorKind::NetworkFailed, serverClosed()});
        else
            fail(failureOf(error, *tcp));
    });
    useProxy(*tcp, m_address);
    tcp->connectToHost(m_address.host, m_address.port);
}

/// `descriptor`: of a connected socket to the server; -1: none yet.
void Transport::openTls(qintptr descriptor)
{
    const Result<QSslConfiguration> configuration = tlsConfiguration(m_address);
    if (!configuration) {
#ifdef Q_OS_UNIX
        if (descriptor >= 0)
            ::close(static_cast<int>(descriptor));
#endif
        return fail(configuration.error());
    }
    auto *tls = make<QSslSocket>();
    tls->setSslConfiguration(*configuration);
    connect(tls, &QSslSocket::sslErrors, this, [this, tls] {
        if (isPinned(tls->peerCertificate(), m_address)) // the user knows it
            tls->ignoreSslErrors();
    });
    connect(tls, &QSslSocket::encrypted, this, [this, tls] {
        if (!m_address.pins.isEmpty() && !isPinned(tls->peerCertificate(), m_address))
            return fail(otherThanPinned(tls->peerCertificate()));
        tls->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        tls->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        emit opened();
    });
    connect(tls, &QSslSocket::errorOccurred, this, [this, tls](QAbstractSocket::SocketError error) {
        if (isOnlySilence(error, *tls))
            return;
        if (error == QAbstractSocket::RemoteHostClosedError && tls->isEncrypted())
            fail({ErrorKind::NetworkFailed, serverClosed()});
        else if (error == QAbstractSocket::RemoteHostClosedError || kindOf(error) == ErrorKind::TlsFailed)
            fail(tlsFailure(*tls, m_address));
        else
            fail(failureOf(error, *tls));
    });
    useProxy(*tls, m_address);
    const QString name = m_address.serverName.isEmpty() ? m_address.host : m_address.serverName;
    if (descriptor < 0)
        return tls->connectToHostEncrypted(m_address.host, m_address.port, name);
    tls->setPeerVerifyName(name);
    if (!tls->setSocketDescriptor(descriptor))
        return fail({ErrorKind::NetworkFailed, tls->errorString().toUtf8()});
    tls->startClientEncryption();
}

void Transport::fail(const Error &why)
{
    if (m_failed)
        return;
    if (m_isWriting) { // whoever writes must not find the connection gone under its feet
        QMetaObject::invokeMethod(
            this, [this, why] { fail(why); }, Qt::QueuedConnection);
        return;
    }
    m_failed = true;
    // A reply may have arrived just before the end: it counts.
    const QPointer<Transport> alive(this);
    if (m_socket && m_socket->bytesAvailable() > 0)
        emit readable();
    if (alive)
        finish(why);
}

/// A tunnel closes its connections without a reason: ssh has it.
void Transport::finish(const Error &why)
{
    if (m_tunnel.isEmpty())
        return emit failed(why);
    const QFuture<std::optional<Error>> told = SshTunnel::whyNot(m_address, m_tunnel, m_hasReceived);
    if (m_blocking) // no event loop
        return emit failed(told.result().value_or(why));
    whenTold(this, told,
             [this, why](const std::optional<Error> &cause) { emit failed(cause.value_or(why)); });
}

void Transport::write(const QByteArray &bytes)
{
#ifdef Q_OS_UNIX
    if (m_blocking)
        return m_blocking->write(bytes);
#endif
    if (!m_socket || !m_socket->isOpen()) // broken while it was written to: failed() is on its way
        return;
    m_socket->write(bytes);
    // Now, not when the event loop is next reached: the server can work while its last replies are taken in. Not with
    // TLS, whose flush() may also read.
    if (m_address.transport == ServerAddress::Transport::Tls)
        return;
    m_isWriting = true;
    if (auto *local = qobject_cast<QLocalSocket *>(m_socket.get()))
        local->flush();
    else if (auto *tcp = qobject_cast<QTcpSocket *>(m_socket.get()))
        tcp->flush();
    m_isWriting = false;
}

QByteArray Transport::read(qint64 most)
{
    QByteArray bytes;
#ifdef Q_OS_UNIX
    if (m_blocking)
        bytes = m_blocking->take();
#endif
    // No more than there is: read() makes room for what it is asked for.
    if (const qint64 available = m_socket ? m_socket->bytesAvailable() : 0; available > 0)
        bytes = m_socket->read(std::min(most, available));
    m_hasReceived = m_hasReceived || !bytes.isEmpty();
    return bytes;
}

void Transport::block()
{
#ifdef Q_OS_UNIX
    const auto *tcp = qobject_cast<QTcpSocket *>(m_socket.get());
    const auto *local = qobject_cast<QLocalSocket *>(m_socket.get());
    if (qobject_cast<QSslSocket *>(m_socket.get()) || !(tcp || local))
        return; // TLS needs Qt
    m_blocking = std::make_unique<BlockingSocket>(tcp ? tcp->socketDescriptor() : local->socketDescriptor(),
                                                  m_socket->readAll());
    m_socket->disconnect(this);
    m_socket.reset();
#endif
}

bool Transport::waitForReadable(std::chrono::milliseconds patience)
{
    if (m_failed)
        return false;
#ifdef Q_OS_UNIX
    if (m_blocking) {
        const bool came = m_blocking->receive(patience);
        if (const auto &failure = m_blocking->failure())
            fail(failure->isEmpty() ? Error(ErrorKind::NetworkFailed, serverClosed())
                                    : Error(ErrorKind::NetworkFailed, *failure));
        return came;
    }
#endif
    if (!m_socket)
        return false;
    // Now, not after a first look at the socket that would find nothing.
    if (auto *tls = qobject_cast<QSslSocket *>(m_socket.get()))
        tls->flush();
    return m_socket->bytesAvailable() > 0 || m_socket->waitForReadyRead(static_cast<int>(patience.count()));
}

bool Transport::isHandshaking() const
{
    const auto *tls = qobject_cast<const QSslSocket *>(m_socket.get());
    return tls && tls->state() == QAbstractSocket::ConnectedState && !tls->isEncrypted();
}

} // namespace lockscope
