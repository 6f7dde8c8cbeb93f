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
/// Besides a link's contract:
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
        bool acceptsPush = false; ///< it will be subscribed: messages come unasked, by pushReceived()
        bool writesApart =
            false; ///< what may change something goes by a second connection, made when it is needed: a
                   ///< server that keeps such a command waiting keeps everything behind it waiting
        bool expectsSentinel = false; ///< what answers is none of the servers that it watches
        bool usesMonitor = false; ///< it will send MONITOR: others' commands come unasked, by pushReceived()
        bool speaksResp3 = false; ///< the login asks for it with HELLO 3, and fails where it is refused:
                                  ///< pushes come unasked, by pushReceived()
    };

    explicit Connection(ServerAddress address);
    Connection(ServerAddress address, Options options, QObject *parent = nullptr);
    ~Connection() override;

    void open() override;
    void close() override;
    void distrust(const Phrase &why) override;
    void retryNow() override;
    /// Ends the connection for this reason, as a failure of the network would.
    void fail(const Error &why);
    /// From the next try on; one that stands or is being made ends, and the next follows at once. Nothing where it is the
    /// same address.
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

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockscope
