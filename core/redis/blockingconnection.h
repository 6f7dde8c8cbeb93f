// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/command.h"
#include "core/redis/error.h"
#include "core/redis/login.h"
#include "core/redis/reply.h"
#include "core/redis/serveraddress.h"
#include "core/redis/sshtunnel.h"

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace lockscope {

/// A connection whose calls block until they have their answer. For the simulation's workers, never for the
/// window's or monitor's thread. Open, use and close it on one thread.
///
/// A deadline, a broken stream or a stop closes it; pending commands end as OutcomeUnknown. Nothing is sent
/// twice, and it never reconnects by itself.
class BlockingConnection
{
public:
    struct Options
    {
        QByteArray clientName = "lockscope-worker";
        std::chrono::milliseconds connectDeadline{3000}; ///< for transport, TLS and login together
        std::chrono::milliseconds commandDeadline{2000}; ///< from write to complete reply
        bool expectsSentinel = false;                    ///< see Connection
    };
    using TimePoint = std::chrono::steady_clock::time_point;
    struct Message
    {
        QByteArray channel;
        QByteArray text;
    };

    /// After a stop, current and later calls together may take this long.
    static constexpr std::chrono::milliseconds stopGrace{60};

    BlockingConnection(ServerAddress address, Options options, std::stop_token stop = {});
    virtual ~BlockingConnection();
    BlockingConnection(const BlockingConnection &) = delete;
    BlockingConnection &operator=(const BlockingConnection &) = delete;

    /// Connects and logs in; reconnects if open.
    virtual Result<void> open();
    virtual void close();
    bool isOpen() const;
    const ServerInfo &server() const { return m_server; } ///< since the last login

    /// Sends one command. An error reply is an Error of its kind. NotConnected: not sent.
    Result<Reply> send(std::initializer_list<QByteArrayView> command);
    Result<Reply> send(std::span<const QByteArrayView> command);
    /// Sends commands in one write; returns as many replies, in order, including error replies.
    virtual Result<std::vector<Reply>> send(const CommandBatch &batch);

    /// Subscribes. From the first call on no other commands are possible: RESP2 requires a new login.
    Result<void> subscribe(const QByteArray &channel);
    Result<void> unsubscribe(const QByteArray &channel);
    /// The next message; absent at `until` or after a stop. A past moment returns only what has arrived.
    Result<std::optional<Message>> nextMessage(TimePoint until);

    /// The number of commands sent, without those of logins.
    virtual qint64 commands() const { return m_commands; }
    /// Simulates a fault: the next command runs on the server, but its reply is lost with the connection.
    virtual void dropNextReply() { m_loseNext = true; }

protected:
    const ServerAddress &address() const { return m_address; }
    /// Sets the address for the next open().
    void moveTo(const ServerAddress &address) { m_address = address; }

private:
    class Stream;

    /// The address with the password that its command prints, if it has one.
    Result<ServerAddress> login();
    bool renewLogin();
    Result<std::vector<Reply>> exchange(const QByteArray &wire, int expected, TimePoint deadline);
    Result<void> subscription(QByteArrayView verb, const QByteArray &channel);
    std::optional<Message> takeMessage();
    TimePoint connect();
    bool stopIsDue();
    Error broken(Error why);

    ServerAddress m_address;
    const Options m_options;
    const std::stop_token m_stop;
    std::optional<TimePoint> m_stopDeadline;
    SshTunnel::Hold m_ssh;            ///< from the first open() on
    std::unique_ptr<Stream> m_stream; ///< absent: not open
    std::vector<Message> m_messages;  ///< arrived during other waits
    ServerInfo m_server;
    std::optional<TimePoint> m_renewAt; ///< when its password is to be renewed; absent: it stays
    qint64 m_commands = 0;
    bool m_loseNext = false;
    std::optional<ErrorKind> m_lostBy; ///< failure of the transport since the last open()
};

} // namespace lockscope
