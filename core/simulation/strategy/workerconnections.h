// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/deployment/blockingdeployment.h"

#include <QSet>

namespace lockscope {

/// A worker's connections: one for commands, and one for messages, opened when first needed. Only on the
/// worker's thread.
class WorkerConnections
{
public:
    WorkerConnections(ServerAddress address, std::stop_token stop);

    BlockingConnection &commands() { return m_commands; }
    BlockingConnection &messages() { return m_messages; }
    /// Connects what is not connected. An Error that requiresUserAction() is permanent.
    Result<void> open();
    void close(); ///< like a crash
    /// Opens and subscribes the message connection; true: it was not subscribed before, and messages may have
    /// been missed.
    Result<bool> follow(const QByteArray &channel);
    qint64 commandsSent() const { return m_commands.commands() + m_messages.commands(); }

private:
    BlockingDeployment m_commands;
    BlockingDeployment m_messages;
    QSet<QByteArray> m_channels;
};

/// True for errors of a server or network that may recover: retry.
bool isTransient(ErrorKind kind);

} // namespace lockscope
