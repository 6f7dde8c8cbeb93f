// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/connection.h"

#include <QPromise>
#include <QTimer>

#include <memory>
#include <vector>

namespace lockscope {

/// A second connection to a server, there while there is something to send: what it is kept waiting with keeps nothing else
/// waiting. Ends by itself when it has been idle for a while.
class ConnectionOnDemand : public QObject
{
    Q_OBJECT

public:
    using Answer = Result<std::vector<Reply>>;

    ConnectionOnDemand(Connection::Options options, QObject *parent);
    ~ConnectionOnDemand() override;

    /// As Connection::send(), by a login of its own. NotConnected, and nothing is sent, where there is none, or where another
    /// process answers than `runId`, if both are known.
    QFuture<Answer> send(const ServerAddress &address, const QByteArray &runId, const CommandBatch &batch);
    /// What was sent ends as OutcomeUnknown.
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
    std::vector<Waiting> m_waiting; ///< for the login
    QByteArray m_runId;
    QTimer m_idle;
    int m_underWay = 0;
};

} // namespace lockscope
