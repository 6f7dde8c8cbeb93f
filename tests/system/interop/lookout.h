// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "tests/support/redisserver.h"

#include <QtTest>

#include <atomic>
#include <thread>

namespace lockscope {

/// Looks at an owner's place as fast as a server answers, on a thread of its own, to say when it was given up: a program that
/// ends a lock knows that only some milliseconds later.
class Lookout
{
public:
    using TimePoint = BlockingConnection::TimePoint;

    /// `place`: GET of a key, HGET or ZSCORE of an owner's part of it. It is taken while it answers a text, for GET this one.
    Lookout(const RedisServer &server, const QByteArrayList &place, const QByteArray &token = {})
        : m_thread([this, address = server.socketAddress(), place, token](const std::stop_token &stop) {
              look(address, place, token, stop);
          })
    {
    }

    bool isLooking() const { return m_looking; }
    /// When the place was first seen given up; nullopt where it never was.
    std::optional<TimePoint> end()
    {
        if (!QTest::qWaitFor([this] { return m_ended.load(); }, 20'000))
            m_thread.request_stop();
        m_thread.join();
        return m_ended ? std::optional(m_end) : std::nullopt;
    }

private:
    void look(const ServerAddress &address, const QByteArrayList &place, const QByteArray &token,
              const std::stop_token &stop)
    {
        BlockingConnection connection(address, {});
        if (!connection.open())
            return;
        const std::vector<QByteArrayView> command(place.begin(), place.end());
        while (!stop.stop_requested()) {
            const Result<Reply> reply = connection.send(command);
            if (!reply)
                return;
            const bool taken = reply->isText() && (token.isEmpty() || reply->text == token);
            m_looking = m_looking || taken;
            if (!taken) {
                m_end = std::chrono::steady_clock::now();
                m_ended = true;
                return;
            }
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    }

    TimePoint m_end;
    std::atomic_bool m_looking = false;
    std::atomic_bool m_ended = false;
    std::jthread m_thread; // the last: it uses what is above
};

/// The moment that a program named in ns of the monotonic clock, which is the machine's.
inline Lookout::TimePoint momentOf(const QByteArray &nanoseconds)
{
    return Lookout::TimePoint(std::chrono::nanoseconds(nanoseconds.toLongLong()));
}

/// Milliseconds from one moment to another, to be printed; below zero where they were seen in the other order.
inline double millisecondsBetween(Lookout::TimePoint from, Lookout::TimePoint to)
{
    return std::chrono::duration<double, std::milli>(to - from).count();
}

} // namespace lockscope
