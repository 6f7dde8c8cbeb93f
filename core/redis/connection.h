// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/link.h"
#include "core/redis/writegate.h"

#include <chrono>
#include <memory>
#include <vector>

namespace lockscope {

/// One asynchronous connection to one server: login, pipelining, deadlines, reconnection.
///
/// Rules in addition to Link's:
///  1. an entry leaves the queue only with its reply or with the connection;
///  2. a command's deadline closes the connection: the queue can't be trusted after it;
///  3. a protocol error closes the connection; all pending commands end as OutcomeUnknown;
///  4. a SUBSCRIBE is given one channel a command, so that each has one reply, in RESP3 as well.
class Connection : public Link
{
    Q_OBJECT

public:
    struct Options
    {
        QByteArray clientName = "lockscope";
        std::chrono::milliseconds connectDeadline{3000}; ///< for transport, TLS and login together
        std::chrono::milliseconds commandDeadline{5000}; ///< from write to complete reply
        bool readOnly = false;
        std::shared_ptr<const WriteGate> gate{}; ///< absent: open
        bool reconnect = true;                   ///< false: the first failure ends in Closed
        bool acceptsPush = false; ///< for subscriptions: messages are emitted by pushReceived()
        bool writesApart = false; ///< commands that may write use a second connection, made when needed: a
                                  ///< command that the server delays then delays no reads
        bool expectsSentinel = false; ///< the server must be a Sentinel
        bool usesMonitor = false;     ///< for MONITOR: others' commands are emitted by pushReceived()
        bool speaksResp3 = false;     ///< login requires HELLO 3; pushes are emitted by pushReceived()
    };

    explicit Connection(ServerAddress address);
    Connection(ServerAddress address, Options options, QObject *parent = nullptr);
    ~Connection() override;

    void open() override;
    void close() override;
    void distrust(const Phrase &why) override;
    void retryNow() override;
    /// Ends the connection with this error, like a network failure.
    void fail(const Error &why);
    /// Sets another address and reconnects at once. No effect for the same address.
    void moveTo(const ServerAddress &address);

    State state() const override;
    bool isReadOnly() const override;
    const ServerAddress &address() const override;
    const ServerInfo &server() const override;
    const Error &lastError() const override;

    using Link::send;
    QFuture<Result<std::vector<Reply>>> send(const CommandBatch &batch) override;

signals:
    /// A message of a channel or a pattern, another's command, or any push of RESP3, as the server sent it.
    void pushReceived(const lockscope::Reply &message);
    /// The password of a connection that is subscribed in RESP2, and so cannot log in again, ends soon.
    void loginEnding();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
