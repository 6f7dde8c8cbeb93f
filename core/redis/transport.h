// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/error.h"
#include "core/redis/serveraddress.h"

#include <QByteArray>
#include <QObject>

#include <chrono>
#include <memory>

class QIODevice;

namespace lockscope {

class BlockingSocket;

/// A byte stream to a server by TCP, TLS or Unix socket, through an SSH host or not, with one set of signals for all. One
/// use: open, then at most one failed(). Asynchronous but for one wait; certificate errors are never ignored unless
/// the address says insecure.
class Transport : public QObject
{
    Q_OBJECT

public:
    explicit Transport(const ServerAddress &address, QObject *parent = nullptr);
    ~Transport() override;

    void open();
    /// Sent at once as far as the socket takes it, the rest buffered; the bytes count as written.
    void write(const QByteArray &bytes);
    QByteArray read(qint64 most);
    /// The peer took the connection but has not answered the TLS greeting.
    bool isHandshaking() const;

    // For blockingconnection alone: these block the thread.
    /// After opened(): from now on no event loop is needed, and none is of use.
    void block();
    /// Writes what is buffered, then waits for something to read; false where nothing came.
    bool waitForReadable(std::chrono::milliseconds patience);

signals:
    /// What may take as long as somebody needs to type a password is done: from now on the peer is waited for.
    void dialing();
    void opened(); ///< connected, and through the TLS handshake where there is one
    void readable();
    void failed(const lockscope::Error &why); ///< also where the peer closes in order

private:
    void openUnix(const QString &path);
    void openTcp();
    void openTls(qintptr descriptor = -1);
    template <typename Socket>
    Socket *make();
    void openThrough(const QString &tunnel);
    void fail(const Error &why);
    void finish(const Error &why);

    ServerAddress m_address;
    QString m_tunnel;                           ///< the path of the local socket; empty: there is none
    std::unique_ptr<QIODevice> m_socket;        ///< absent: not open, or
    std::unique_ptr<BlockingSocket> m_blocking; ///< in its place, where calls block and there is no TLS
    bool m_failed = false;
    bool m_isWriting = false;
    bool m_hasReceived = false;
};

} // namespace lockscope
