// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <chrono>
#include <optional>

namespace lockscope {

/// A connected socket that blocks, for Transport::block() alone: a round trip costs one write and one read, where
/// QAbstractSocket polls and asks how much there is before it reads (an eighth of a worker's throughput). POSIX.
class BlockingSocket
{
public:
    /// A wait of at least so long may end a little later than asked for.
    static constexpr std::chrono::milliseconds look{40};

    /// Of a duplicate, so that the one that Qt has can be closed by Qt. `received`: what Qt has read already.
    BlockingSocket(qintptr descriptor, QByteArray received);
    ~BlockingSocket();
    BlockingSocket(const BlockingSocket &) = delete;
    BlockingSocket &operator=(const BlockingSocket &) = delete;

    /// What there is no room for waits for receive().
    void write(const QByteArray &bytes);
    /// All that has come.
    QByteArray take();
    /// False: nothing came, or the connection is over (see failure()).
    bool receive(std::chrono::milliseconds patience);
    /// Why no more will come; an empty text: the peer closed in order.
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
