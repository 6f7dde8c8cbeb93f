// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/connection.h"

#include <QPromise>
#include <QTimer>

#include <memory>
#include <vector>

namespace lockscope {

/// A second connection to a server, opened when needed: a command that the server delays delays no others.
/// Closes after being idle for a while.
class ConnectionOnDemand : public QObject
{
    Q_OBJECT

public:
    using Answer = Result<std::vector<Reply>>;

    ConnectionOnDemand(Connection::Options options, QObject *parent);
    ~ConnectionOnDemand() override;

    /// Sends like Connection::send(), with its own login. NotConnected, without sending, if it fails, or if
    /// the process is not that of `runId`, if both are known.
    QFuture<Answer> send(const ServerAddress &address, const QByteArray &runId, const CommandBatch &batch);
    /// Pending commands end as OutcomeUnknown.
    void close();

private:
    struct Waiting
    {
        CommandBatch batch;
        QPromise<Answer> promise;
    };

    void sendIfAlive();
    void sendWaiting();
    void refuseWaiting(const Error &why);
    void pass(Waiting waiting);

    const Connection::Options m_options;
    std::unique_ptr<Connection> m_connection;
    std::vector<Waiting> m_waiting;
    QByteArray m_runId;
    QTimer m_idle;
    int m_underWay = 0;
};

} // namespace lockscope
