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

/// One connection for a thread that has nothing else to do: every call blocks until it has its answer. For the
/// simulation's workers, never for the window's or the monitor's thread. Open, used and closed on one thread.
///
/// A deadline that passes, a broken stream and a request to stop close it; what was on its way then ends as
/// OutcomeUnknown. Nothing is ever sent twice, and it never reconnects by itself: that is open(), by its user.
class BlockingConnection
{
public:
    struct Options
    {
        QByteArray clientName = "lockscope-worker";
        std::chrono::milliseconds connectDeadline{3000}; ///< for transport, TLS and login together
        std::chrono::milliseconds commandDeadline{2000}; ///< from write to complete reply
        bool expectsSentinel = false;                    ///< as of a Connection
    };
    using TimePoint = std::chrono::steady_clock::time_point;
    /// What a subscription brought.
    struct Message
    {
        QByteArray channel;
        QByteArray text;
    };

    /// After a request to stop, calls in progress and those made later have this long together.
    static constexpr std::chrono::milliseconds stopGrace{60};

    BlockingConnection(ServerAddress address, Options options, std::stop_token stop = {});
    virtual ~BlockingConnection();
    BlockingConnection(const BlockingConnection &) = delete;
    BlockingConnection &operator=(const BlockingConnection &) = delete;

    /// Connects and logs in, anew where it was open.
    virtual Result<void> open();
    virtual void close();
    bool isOpen() const;
    const ServerInfo &server() const { return m_server; } ///< of the last login

    /// One command. An error reply is an Error of its kind. NotConnected: not sent.
    Result<Reply> send(std::initializer_list<QByteArrayView> command);
    Result<Reply> send(std::span<const QByteArrayView> command);
    /// Commands in one write; as many replies, in order, error replies among them.
    virtual Result<std::vector<Reply>> send(const CommandBatch &batch);

    /// From the first one on the connection takes no other commands: RESP2 knows no way back but a new login.
    Result<void> subscribe(const QByteArray &channel);
    Result<void> unsubscribe(const QByteArray &channel);
    /// The next message; nullopt where none came by `until` or a stop was requested. A moment that has passed asks for
    /// what has arrived already.
    Result<std::optional<Message>> nextMessage(TimePoint until);

    /// Commands sent so far, without those of the logins.
    virtual qint64 commands() const { return m_commands; }
    /// A fault to simulate: the next command reaches the server and is carried out, but its reply is lost with
    /// the connection.
    virtual void dropNextReply() { m_loseNext = true; }

protected:
    const ServerAddress &address() const { return m_address; }
    /// For the next open().
    void moveTo(const ServerAddress &address) { m_address = address; }

private:
    class Stream;

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
    std::vector<Message> m_messages;  ///< came while something else was waited for
    ServerInfo m_server;
    qint64 m_commands = 0;
    bool m_loseNext = false;
    std::optional<ErrorKind> m_lostBy; ///< how the transport failed, since the last open()
};

} // namespace lockscope
