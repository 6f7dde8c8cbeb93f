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

/// A way to send commands to where their keys are: a Connection to one server, or a Shard, which passes on what belongs to
/// another node of its cluster. Lives on one thread with an event loop; never blocks it.
///
/// The contract:
///  1. replies match commands in order;
///  2. every future finishes exactly once, with a value or an Error;
///  3. what may have run is never sent again; a command given while there is no connection fails with NotConnected and was
///     not sent;
///  4. error replies stay replies within a batch; send() of a single command turns them into Errors by kind;
///  5. in read-only mode a batch with any command off the allow-list is refused whole with ReadOnlyMode.
class Link : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Closed,     ///< not wanted
        Connecting, ///< transport, TLS, login, or the choice of the server under way
        Ready,
        Backoff, ///< lost; the next try is scheduled
        Refused, ///< login, permission or certificate refused: no more tries until open()
    };
    Q_ENUM(State)

    using QObject::QObject;

    virtual void open() = 0;
    /// Pending commands end as OutcomeUnknown. No further tries.
    virtual void close() = 0;
    /// A reply made no sense: what comes after it can't be trusted either. Ends the connection as a failure of the
    /// network would.
    virtual void distrust(const Phrase &why) = 0;
    /// Skips the wait for the next try.
    virtual void retryNow() = 0;

    virtual State state() const = 0;
    virtual bool isReadOnly() const = 0;
    virtual const ServerAddress &address() const = 0;
    virtual const ServerInfo &server() const = 0; ///< of the last login
    virtual const Error &lastError() const = 0;   ///< why it is in Backoff, Refused or Closed
    /// Where a key of this name is kept: this link, or that of another node.
    virtual Link &forKey(QByteArrayView key);

    /// One command. An error reply is an Error of its kind.
    QFuture<Result<Reply>> send(std::initializer_list<QByteArrayView> command);
    QFuture<Result<Reply>> send(std::span<const QByteArrayView> command);
    /// Commands in one write; as many replies, in order, error replies among them.
    virtual QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch) = 0;

signals:
    void ready();
    /// The connection broke or could not be made; a next try follows in `retryIn`.
    void connectionLost(const lockscope::Error &why, std::chrono::milliseconds retryIn);
    /// It failed in a way that only the user can mend, or reconnection is off. No further tries.
    void connectionRefused(const lockscope::Error &why);
    /// By close().
    void closed();
};

} // namespace lockscope
