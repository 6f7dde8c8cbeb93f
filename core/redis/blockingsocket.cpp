// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/redis/blockingsocket.h"

#include <QtGlobal>

#ifdef Q_OS_UNIX

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lockscope {

BlockingSocket::BlockingSocket(qintptr descriptor, QByteArray received)
    : m_descriptor(::fcntl(static_cast<int>(descriptor), F_DUPFD_CLOEXEC, 0)), m_received(std::move(received))
{
    ::fcntl(m_descriptor, F_SETFL, ::fcntl(m_descriptor, F_GETFL) & ~O_NONBLOCK);
    const timeval patience{0, std::chrono::microseconds(look).count()};
    ::setsockopt(m_descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
}

BlockingSocket::~BlockingSocket()
{
    ::close(m_descriptor);
}

void BlockingSocket::write(const QByteArray &bytes)
{
    if (m_unsent.isEmpty())
        m_unsent = bytes;
    else
        m_unsent += bytes;
    flush();
}

QByteArray BlockingSocket::take()
{
    return std::exchange(m_received, {});
}

bool BlockingSocket::receive(std::chrono::milliseconds patience)
{
    if (m_unsent.isEmpty() && patience >= look)
        return read(0);
    pollfd waiting{m_descriptor, static_cast<short>(m_unsent.isEmpty() ? POLLIN : POLLIN | POLLOUT), 0};
    if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0)
        return false;
    flush();
    return read(MSG_DONTWAIT);
}

void BlockingSocket::flush()
{
    if (m_unsent.isEmpty())
        return;
    const ssize_t sent = ::send(m_descriptor, m_unsent.constData(), static_cast<size_t>(m_unsent.size()),
                                MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent == m_unsent.size())
        m_unsent.clear();
    else if (sent > 0)
        m_unsent.remove(0, sent);
    // A failure shows at the next read, after what may have come before it.
}

bool BlockingSocket::read(int flags)
{
    std::array<char, 16 * 1024> bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by recv()
    const ssize_t count = ::recv(m_descriptor, bytes.data(), bytes.size(), flags);
    if (count > 0)
        m_received.append(bytes.data(), count);
    else if (count == 0)
        m_failure = QByteArray();
    else if (errno != EAGAIN && errno != EINTR)
        m_failure = qt_error_string(errno).toUtf8();
    return count > 0;
}

} // namespace lockscope

#endif
