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

/// A byte stream to a server by TCP, TLS or Unix socket, optionally through an SSH host. Single use: open(),
/// then at most one failed(). Asynchronous except when blocking; certificate errors are ignored only if the
/// address says insecure.
class Transport : public QObject
{
    Q_OBJECT

public:
    explicit Transport(const ServerAddress &address, QObject *parent = nullptr);
    ~Transport() override;

    void open();
    /// Sends or buffers the bytes. They count as sent for the caller: the peer may have received them.
    void write(const QByteArray &bytes);
    QByteArray read(qint64 most);
    /// True if the peer accepted the connection but has not answered the TLS greeting.
    bool isHandshaking() const;

    // For BlockingConnection only: these block the thread.
    /// Switches to blocking calls without an event loop; after opened().
    void block();
    /// Writes the buffer, then waits for data; false on timeout or failure, which failed() reports.
    bool waitForReadable(std::chrono::milliseconds patience);

signals:
    /// Steps that may wait for a user's input are done: from now on the transport waits for the peer, and the connect
    /// timeout runs.
    void dialing();
    void opened(); ///< connected, including the TLS handshake
    void readable();
    void failed(const lockscope::Error &why); ///< also if the peer closes in order

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
    QString m_tunnel;                           ///< path of the local socket; empty: none
    std::unique_ptr<QIODevice> m_socket;        ///< absent: not open, or m_blocking is used
    std::unique_ptr<BlockingSocket> m_blocking; ///< for blocking calls without TLS
    bool m_failed = false;
    bool m_isWriting = false;
    bool m_hasReceived = false;
};

} // namespace lockscope
