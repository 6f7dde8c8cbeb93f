// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/transport.h"

#include "core/redis/blockingsocket.h"

#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslKey>
#include <QSslSocket>
#include <QTcpSocket>

#include <algorithm>
#include <optional>

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

/// waitForReadable() had nothing to read in its time: no failure.
bool isOnlySilence(QAbstractSocket::SocketError error, const QAbstractSocket &socket)
{
    return error == QAbstractSocket::SocketTimeoutError && socket.state() == QAbstractSocket::ConnectedState;
}

/// A private key of any algorithm that Qt reads.
std::optional<QSslKey> readKey(const QByteArray &pem)
{
    for (const QSsl::KeyAlgorithm algorithm : {QSsl::Rsa, QSsl::Ec, QSsl::Dsa}) {
        const QSslKey key(pem, algorithm);
        if (!key.isNull())
            return key;
    }
    return std::nullopt;
}

/// Certificates or a key. What is no file, or larger than any system's certificates, is not read: it may have no end.
Result<QByteArray> readPem(const QString &path)
{
    constexpr qint64 largest = 512 * 1024;
    const auto refuse = [](const Phrase &why) { return tl::unexpected(Error(ErrorKind::TlsFailed, why)); };
    // Before it is opened, which would wait for the other end of a pipe.
    const QFileInfo info(path);
    if (info.isDir())
        return refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is a directory: give a file"), path));
    if (info.exists() && !info.isFile())
        return refuse(
            Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is a pipe or a device: give a regular file"), path));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "%1 can't be read: %2"), path, file.errorString()));
    const QByteArray pem = file.read(largest + 1);
    if (pem.size() > largest)
        return refuse(
            Phrase(QT_TRANSLATE_NOOP("phrases", "%1 is larger than %2 KB: it can't be certificates or a key"),
                   path, largest / 1024));
    return pem;
}

Phrase serverClosed()
{
    return Phrase(QT_TRANSLATE_NOOP("phrases", "the server closed the connection"));
}

Result<QSslConfiguration> tlsConfiguration(const ServerAddress &address)
{
    QSslConfiguration configuration = QSslConfiguration::defaultConfiguration();
    configuration.setProtocol(QSsl::TlsV1_2OrLater);
    if (!address.caFile.isEmpty()) {
        const Result<QByteArray> pem = readPem(address.caFile);
        if (!pem)
            return tl::unexpected(pem.error());
        const QList<QSslCertificate> authorities = QSslCertificate::fromData(*pem);
        if (authorities.isEmpty())
            return tl::unexpected(Error{
                ErrorKind::TlsFailed,
                Phrase(QT_TRANSLATE_NOOP("phrases", "%1 holds no certificate in PEM form"), address.caFile)});
        configuration.setCaCertificates(authorities);
    }
    if (!address.certificateFile.isEmpty() || !address.keyFile.isEmpty()) {
        const Result<QByteArray> certificatePem = readPem(address.certificateFile);
        const Result<QByteArray> keyPem = readPem(address.keyFile);
        if (!certificatePem || !keyPem)
            return tl::unexpected(certificatePem ? keyPem.error() : certificatePem.error());
        const QList<QSslCertificate> chain = QSslCertificate::fromData(*certificatePem);
        const std::optional<QSslKey> key = readKey(*keyPem);
        if (chain.isEmpty() || !key)
            return tl::unexpected(Error{
                ErrorKind::TlsFailed,
                (chain.isEmpty()
                     ? Phrase(QT_TRANSLATE_NOOP(
                                  "phrases", "%1 holds no certificate in PEM form, or it needs a passphrase"),
                              address.certificateFile)
                     : Phrase(QT_TRANSLATE_NOOP(
                                  "phrases", "%1 holds no private key in PEM form, or it needs a passphrase"),
                              address.keyFile))});
        configuration.setLocalCertificateChain(chain);
        configuration.setPrivateKey(*key);
    }
    if (address.insecure)
        configuration.setPeerVerifyMode(QSslSocket::VerifyNone);
    return configuration;
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
    switch (m_address.transport) {
    case ServerAddress::Transport::Unix:
        return openUnix();
    case ServerAddress::Transport::Tcp:
        return openTcp();
    case ServerAddress::Transport::Tls:
        return openTls();
    }
}

void Transport::openUnix()
{
    auto socket = std::make_unique<QLocalSocket>();
    QLocalSocket *local = socket.get();
    local->setReadBufferSize(readBufferBytes);
    connect(local, &QIODevice::readyRead, this, &Transport::readable);
    m_socket = std::move(socket);
    connect(local, &QLocalSocket::connected, this, &Transport::opened);
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
            return fail(
                {ErrorKind::NoSuchSocket, Phrase(QT_TRANSLATE_NOOP("phrases", "there is no such socket"))});
        case QLocalSocket::SocketAccessError:
            return fail({ErrorKind::NoSuchSocket, Phrase(QT_TRANSLATE_NOOP("phrases", "permission denied"))});
        default:
            return fail({ErrorKind::NetworkFailed, local->errorString().toUtf8()});
        }
    });
    local->connectToServer(m_address.socketPath);
}

void Transport::openTcp()
{
    auto socket = std::make_unique<QTcpSocket>();
    QTcpSocket *tcp = socket.get();
    tcp->setReadBufferSize(readBufferBytes);
    connect(tcp, &QIODevice::readyRead, this, &Transport::readable);
    m_socket = std::move(socket);
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
            fail({kindOf(error), tcp->errorString().toUtf8()});
    });
    tcp->connectToHost(m_address.host, m_address.port);
}

void Transport::openTls()
{
    const Result<QSslConfiguration> configuration = tlsConfiguration(m_address);
    if (!configuration)
        return fail(configuration.error());
    auto socket = std::make_unique<QSslSocket>();
    QSslSocket *tls = socket.get();
    tls->setReadBufferSize(readBufferBytes);
    tls->setSslConfiguration(*configuration);
    connect(tls, &QIODevice::readyRead, this, &Transport::readable);
    m_socket = std::move(socket);
    connect(tls, &QSslSocket::encrypted, this, [this, tls] {
        tls->setSocketOption(QAbstractSocket::LowDelayOption, 1);
        tls->setSocketOption(QAbstractSocket::KeepAliveOption, 1);
        emit opened();
    });
    connect(tls, &QSslSocket::errorOccurred, this, [this, tls](QAbstractSocket::SocketError error) {
        if (isOnlySilence(error, *tls))
            return;
        if (error == QAbstractSocket::RemoteHostClosedError && !tls->isEncrypted())
            fail({ErrorKind::TlsFailed,
                  Phrase(QT_TRANSLATE_NOOP("phrases",
                                           "the peer closed the connection during the TLS handshake"))});
        else if (error == QAbstractSocket::RemoteHostClosedError)
            fail({ErrorKind::NetworkFailed, serverClosed()});
        else
            fail({kindOf(error), tls->errorString().toUtf8()});
    });
    const QString name = m_address.serverName.isEmpty() ? m_address.host : m_address.serverName;
    tls->connectToHostEncrypted(m_address.host, m_address.port, name);
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
    if (m_socket && m_socket->bytesAvailable() > 0)
        emit readable();
    emit failed(why);
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
#ifdef Q_OS_UNIX
    if (m_blocking)
        return m_blocking->take();
#endif
    // No more than there is: read() makes room for what it is asked for.
    const qint64 available = m_socket ? m_socket->bytesAvailable() : 0;
    return available > 0 ? m_socket->read(std::min(most, available)) : QByteArray();
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
