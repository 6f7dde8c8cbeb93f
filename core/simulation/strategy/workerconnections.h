// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/blockingdeployment.h"

#include <QSet>

namespace lockscope {

/// A worker's connections: one for commands, and a second one for messages where its algorithm waits for any,
/// opened when first needed. On the worker's thread alone.
class WorkerConnections
{
public:
    WorkerConnections(ServerAddress address, std::stop_token stop);

    BlockingConnection &commands() { return m_commands; }
    BlockingConnection &messages() { return m_messages; }
    /// Connects what is not connected. An Error that requiresUserAction() will not pass by itself.
    Result<void> open();
    void close(); ///< as a crash would
    /// Sees to it that the message connection is open and subscribed to this channel; true: it was not before, so
    /// that messages may have been missed.
    Result<bool> follow(const QByteArray &channel);
    qint64 commandsSent() const { return m_commands.commands() + m_messages.commands(); }

private:
    BlockingDeployment m_commands;
    BlockingDeployment m_messages;
    QSet<QByteArray> m_channels;
};

/// The server, or the way to it, is away and may come back: an Error of this kind is worth another try.
bool isTransient(ErrorKind kind);

} // namespace lockscope
