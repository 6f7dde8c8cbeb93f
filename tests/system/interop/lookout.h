// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "tests/support/redisserver.h"

#include <QtTest>

#include <atomic>
#include <thread>

namespace lockscope {

/// Polls an owner's entry on its own thread as fast as the server answers, to detect when it was given up:
/// the program itself knows that some milliseconds later.
class Lookout
{
public:
    using TimePoint = BlockingConnection::TimePoint;

    /// `place`: GET, or HGET or ZSCORE of an owner's entry. Held while it returns a text, for GET this one.
    Lookout(const RedisServer &server, const QByteArrayList &place, const QByteArray &token = {})
        : m_thread([this, address = server.socketAddress(), place, token](const std::stop_token &stop) {
              look(address, place, token, stop);
          })
    {
    }

    bool isLooking() const { return m_looking; }
    /// Returns when the entry was first seen given up; nullopt: never.
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

/// Converts ns of the monotonic clock, printed by a program.
inline Lookout::TimePoint momentOf(const QByteArray &nanoseconds)
{
    return Lookout::TimePoint(std::chrono::nanoseconds(nanoseconds.toLongLong()));
}

/// Returns ms between two moments, negative if reversed.
inline double millisecondsBetween(Lookout::TimePoint from, Lookout::TimePoint to)
{
    return std::chrono::duration<double, std::milli>(to - from).count();
}

} // namespace lockscope
