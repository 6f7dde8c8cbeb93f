// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/workerconnections.h"

#include <utility>

namespace lockscope {

WorkerConnections::WorkerConnections(ServerAddress address, std::stop_token stop)
    : m_commands(address, {}, stop), m_messages(std::move(address), {}, std::move(stop))
{
}

Result<void> WorkerConnections::open()
{
    return m_commands.isOpen() ? Result<void>() : m_commands.open();
}

void WorkerConnections::close()
{
    m_commands.close();
    m_messages.close();
}

Result<bool> WorkerConnections::follow(const QByteArray &channel)
{
    if (!m_messages.isOpen()) {
        m_channels.clear();
        if (Result<void> opened = m_messages.open(); !opened)
            return tl::unexpected(std::move(opened.error()));
    }
    if (m_channels.contains(channel))
        return false;
    if (Result<void> subscribed = m_messages.subscribe(channel); !subscribed)
        return tl::unexpected(std::move(subscribed.error()));
    m_channels.insert(channel);
    return true;
}

bool isTransient(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::OutcomeUnknown:
    case ErrorKind::NotConnected:
    case ErrorKind::NetworkFailed:
    case ErrorKind::ConnectTimeout:
    case ErrorKind::ConnectionRefused:
    case ErrorKind::NoSuchSocket:
    case ErrorKind::Loading:
    case ErrorKind::Busy:
    case ErrorKind::SentinelNotReached:
    case ErrorKind::SshNotReached:
    case ErrorKind::NotReachedFromSsh:
    case ErrorKind::ClusterDown: // while a node fails over
    case ErrorKind::TryAgain:
    case ErrorKind::Moved:
    case ErrorKind::Ask:
        return true;
    default:
        return false;
    }
}

} // namespace lockscope
