// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/session.h"
#include "core/redis/blockingconnection.h"
#include "tests/support/faultproxy.h"
#include "tests/support/redisserver.h"

#include <QHash>
#include <QTemporaryDir>

#include <memory>

namespace lockscope {

/// What a monitor's table should show: owner and remaining time of each lock, as another connection read them.
struct Truth
{
    struct Entry
    {
        QByteArray owner;
        CompactOptional<Deadline> deadline;
    };
    QHash<QByteArray, Entry> locks;
};

/// A server, what may stand between, and a session that watches it.
class Stage
{
public:
    /// By the proxy or, where that is not wanted, by the server's socket.
    explicit Stage(bool byProxy);

    RedisServer &server() { return *m_server; }
    FaultProxy &proxy() { return m_proxy; }
    Session &session() { return *m_session; }

    /// Another connection to the server, past the proxy, as the administrator; opened again where it was lost. One error reply
    /// is no failure.
    Result<Reply> ask(std::initializer_list<QByteArrayView> command);
    /// The second one, for commands that are not answered soon.
    std::unique_ptr<BlockingConnection> another() const;

    /// Writes the next picture: of 40 locks some get another owner, some go, some come. False: the server did not take it.
    bool writeLocks();
    /// Asks the server what it has.
    std::optional<Truth> truth();
    /// The session shows just that, and has said that it is so as of a moment after `since`.
    bool shows(const Truth &truth, TimePoint since) const;
    /// For people: what differs.
    QByteArray difference(const Truth &truth, TimePoint since) const;
    bool hasBegun() const { return m_confirmedAt > TimePoint(); }

    void setClock(std::chrono::microseconds offset);
    QString directory() const { return m_directory.path(); }

private:
    BlockingConnection &eye();

    QTemporaryDir m_directory;
    std::unique_ptr<RedisServer> m_server;
    FaultProxy m_proxy;
    std::unique_ptr<BlockingConnection> m_eye;
    std::unique_ptr<Session> m_session;
    QHash<QByteArray, Lock> m_table;
    TimePoint m_confirmedAt;
    int m_generation = 0;
};

} // namespace lockscope
