// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/command.h"
#include "core/redis/error.h"
#include "core/redis/login.h"
#include "core/redis/reply.h"
#include "core/redis/serveraddress.h"

#include <QFuture>
#include <QObject>

#include <chrono>
#include <span>
#include <vector>

namespace lockscope {

/// Sends commands to the servers with their keys: a Connection to one server, or a Shard, which forwards
/// commands to other nodes of its cluster. Lives on one thread with an event loop; never blocks it.
///
/// The contract:
///  1. replies match commands in order;
///  2. every future finishes exactly once, with a value or an Error;
///  3. a command that may have run is never sent again; without a connection it fails with NotConnected and
///     was not sent;
///  4. error replies stay replies within a batch; send() of a single command turns them into Errors by kind;
///  5. in read-only mode a batch with any command off the allow-list is refused whole with ReadOnlyMode.
class Link : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Closed,
        Connecting, ///< transport, TLS, login, or choosing the server
        Ready,
        Backoff, ///< lost; a retry is scheduled
        Refused, ///< login, permission or certificate refused: no retries until open()
    };
    Q_ENUM(State)

    using QObject::QObject;

    virtual void open() = 0;
    /// Closes; pending commands end as OutcomeUnknown. No retries.
    virtual void close() = 0;
    /// Ends the connection after an invalid reply, like a network failure: later replies cannot be trusted.
    virtual void distrust(const Phrase &why) = 0;
    /// Retries without further wait.
    virtual void retryNow() = 0;

    virtual State state() const = 0;
    virtual bool isReadOnly() const = 0;
    virtual const ServerAddress &address() const = 0;
    virtual const ServerInfo &server() const = 0; ///< since the last login
    virtual const Error &lastError() const = 0;   ///< reason for Backoff, Refused or Closed
    /// The link to the node with this key; may be this one.
    virtual Link &forKey(QByteArrayView key);

    /// Sends one command. An error reply is an Error of its kind.
    QFuture<Result<Reply>> send(std::initializer_list<QByteArrayView> command);
    QFuture<Result<Reply>> send(std::span<const QByteArrayView> command);
    /// Sends commands in one write; returns as many replies, in order, including error replies.
    virtual QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch) = 0;

signals:
    void ready();
    /// The connection broke or could not be made; a retry follows in `retryIn`.
    void connectionLost(const lockscope::Error &why, std::chrono::milliseconds retryIn);
    /// It failed and only the user can fix it, or reconnection is off. No retries.
    void connectionRefused(const lockscope::Error &why);
    void closed();
};

} // namespace lockscope
