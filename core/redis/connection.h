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
#include <memory>
#include <optional>
#include <vector>

namespace lockscope {

/// One asynchronous connection to one server: login, pipelining, deadlines, reconnection. Lives on one thread
/// with an event loop; never blocks it.
///
/// The contract:
///  1. replies match commands in order; an entry leaves the queue only with its reply or with the connection;
///  2. every future finishes exactly once, with a value or an Error;
///  3. a command's deadline closes the connection: the queue can't be trusted after it;
///  4. what was written is never sent again; a command given while there is no connection fails with
///  NotConnected
///     and was not sent;
///  5. a protocol error closes the connection; all pending commands end as OutcomeUnknown;
///  6. error replies stay replies within a batch; send() of a single command turns them into Errors by kind;
///  7. in read-only mode a batch with any command off the allow-list is refused whole with ReadOnlyMode;
///  8. a SUBSCRIBE is given one channel a command, so that each has one reply.
class Connection : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Closed,     ///< not wanted
        Connecting, ///< transport, TLS or login under way
        Ready,
        Backoff, ///< lost; the next try is scheduled
        Refused, ///< login, permission or certificate refused: no more tries until open()
    };
    Q_ENUM(State)

    struct Options
    {
        QByteArray clientName = "lockscope";
        std::chrono::milliseconds connectDeadline{3000}; ///< for transport, TLS and login together
        std::chrono::milliseconds commandDeadline{5000}; ///< from write to complete reply
        bool readOnly = false;
        bool reconnect = true;    ///< false: the first failure ends in Closed
        bool acceptsPush = false; ///< it will be subscribed: messages come unasked, by heard()
        bool usesMonitor = false; ///< it will send MONITOR: others' commands come unasked, by heard()
    };

    explicit Connection(ServerAddress address);
    Connection(ServerAddress address, Options options, QObject *parent = nullptr);
    ~Connection() override;

    void open();
    /// Pending commands end as OutcomeUnknown. No further tries.
    void close();
    /// A reply made no sense: what comes after it can't be trusted either. Ends the connection as a failure of the
    /// network would.
    void distrust(const Phrase &why);
    /// Skips the wait for the next try.
    void retryNow();

    State state() const;
    bool isReadOnly() const;
    const ServerAddress &address() const;
    const ServerInfo &server() const; ///< of the last login
    const Error &lastError() const;   ///< why it is Waiting, Refused or Closed

    /// One command. An error reply is an Error of its kind.
    QFuture<Result<Reply>> send(std::initializer_list<QByteArrayView> command);
    QFuture<Result<Reply>> send(std::span<const QByteArrayView> command);
    /// Commands in one write; as many replies, in order, error replies among them.
    QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch);

signals:
    void ready();
    /// A message of a channel or a pattern, or another's command, as the server sent it.
    void pushReceived(const lockscope::Reply &message);
    /// The connection broke or could not be made; a next try follows in `retryIn`.
    void connectionLost(const lockscope::Error &why, std::chrono::milliseconds retryIn);
    /// It failed in a way that only the user can mend, or reconnection is off. No further tries.
    void connectionRefused(const lockscope::Error &why);
    /// By close().
    void closed();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
