// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <chrono>
#include <optional>

namespace lockscope {

/// A connected blocking socket, only for Transport::block(): one write and one read per round trip, while
/// QAbstractSocket polls and asks for the size first (an eighth of a worker's throughput). POSIX.
class BlockingSocket
{
public:
    /// A wait of at least this length may end a little late.
    static constexpr std::chrono::milliseconds look{40};

    /// Takes a duplicate, for Qt to close its own. `received`: bytes that Qt has already read.
    BlockingSocket(qintptr descriptor, QByteArray received);
    ~BlockingSocket();
    BlockingSocket(const BlockingSocket &) = delete;
    BlockingSocket &operator=(const BlockingSocket &) = delete;

    /// Bytes beyond the socket's buffer wait for receive().
    void write(const QByteArray &bytes);
    QByteArray take();
    /// False: timeout, or the connection ended (see failure()).
    bool receive(std::chrono::milliseconds patience);
    /// Why the connection ended; empty text: the peer closed it in order.
    const std::optional<QByteArray> &failure() const { return m_failure; }

private:
    void flush();
    bool read(int flags);

    const int m_descriptor;
    QByteArray m_unsent;
    QByteArray m_received;
    std::optional<QByteArray> m_failure;
};

} // namespace lockscope
