// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"
#include "tests/core/simulation/strategy/hand.h"
#include "tests/support/redisserver.h"

#include <QFile>

#include <functional>
#include <future>
#include <thread>

namespace lockscope {

// Names are not taken from core, so that both are compared.
inline QByteArray braced(const QByteArray &prefix, const QByteArray &name)
{
    return prefix + ":{" + name + '}';
}

/// A client that waits for a lock on its own thread as Redisson does. Keys have no braces here.
class RedissonWaiter
{
public:
    static constexpr milliseconds lease{30'000};

    /// Waits for a plain or fenced lock by the simulation's strategy, which speaks Redisson's protocol.
    static RedissonWaiter forLock(const RedisServer &server, const QByteArray &key, const QByteArray &owner);
    /// Waits for a fair lock in its queue, woken by its own channel.
    static RedissonWaiter forFairLock(const RedisServer &server, const QByteArray &key,
                                      const QByteArray &owner);
    static RedissonWaiter forReading(const RedisServer &server, const QByteArray &key,
                                     const QByteArray &owner);
    static RedissonWaiter forWriting(const RedisServer &server, const QByteArray &key,
                                     const QByteArray &owner);

    /// Returns when it acquired the lock; nullopt: it did not.
    std::optional<TimePoint> heldAt()
    {
        const auto ended = [this] {
            return m_held.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        };
        if (!QTest::qWaitFor(ended, 20'000))
            m_thread.request_stop();
        return m_held.get();
    }

private:
    using Doing = std::function<std::optional<TimePoint>(const std::stop_token &)>;
    using Attempt = std::function<Result<Reply>(BlockingConnection &)>;

    explicit RedissonWaiter(const Doing &doing)
    {
        std::promise<std::optional<TimePoint>> held;
        m_held = held.get_future();
        m_thread = std::jthread([doing, told = std::move(held)](const std::stop_token &stop) mutable {
            told.set_value(doing(stop));
        });
    }

    static QByteArray script(const char *name)
    {
        QFile file(QStringLiteral(LOCKSCOPE_SOURCE_DIR "/tests/system/interop/redisson/") +
                   QLatin1String(name));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("no script %s", name);
        return file.readAll();
    }
    static std::optional<TimePoint> wait(const ServerAddress &server, const QByteArray &channel,
                                         const Attempt &attempt, const std::stop_token &stop);

    std::future<std::optional<TimePoint>> m_held;
    std::jthread m_thread;
};

/// Tries, subscribes and tries again; then repeats after each message or once the reported time has passed.
inline std::optional<TimePoint> RedissonWaiter::wait(const ServerAddress &server, const QByteArray &channel,
                                                     const Attempt &attempt, const std::stop_token &stop)
{
    BlockingConnection commands(server, {}, stop);
    BlockingConnection messages(server, {}, stop);
    if (!commands.open() || !messages.open())
        return std::nullopt;
    for (bool subscribed = false; !stop.stop_requested();) {
        const Result<Reply> left = attempt(commands);
        if (!left)
            return std::nullopt;
        if (left->isNil())
            return Clock::now();
        if (!subscribed) {
            if (!messages.subscribe(channel))
                return std::nullopt;
            subscribed = true;
            continue;
        }
        // Who was told that there is no end sets no timer.
        const milliseconds sleep = left->integer < 0 ? std::chrono::hours(1) : milliseconds(left->integer);
        if (!messages.nextMessage(Clock::now() + sleep))
            return std::nullopt;
    }
    return std::nullopt;
}

inline RedissonWaiter RedissonWaiter::forLock(const RedisServer &server, const QByteArray &key,
                                              const QByteArray &owner)
{
    return RedissonWaiter([address = server.socketAddress(), key,
                           owner](const std::stop_token &stop) -> std::optional<TimePoint> {
        SubscriptionHub hub(address); // a process of its own
        Hand hand(address, hub, Algorithm{.strategy = StrategyKind::Redisson}, owner, key, stop);
        while (!stop.stop_requested()) {
            const TimePoint patience = Clock::now() + std::chrono::minutes(1);
            if (hand.acquire(lease, patience) == lockscope::AcquireResult::Verdict::Acquired)
                return Clock::now();
            hand.await(patience);
        }
        return std::nullopt;
    });
}

inline RedissonWaiter RedissonWaiter::forFairLock(const RedisServer &server, const QByteArray &key,
                                                  const QByteArray &owner)
{
    return RedissonWaiter([address = server.socketAddress(), key, owner,
                           text = script("fair_acquire.lua")](const std::stop_token &stop) {
        const auto attempt = [&](BlockingConnection &connection) {
            const QByteArray now = QByteArray::number(QDateTime::currentMSecsSinceEpoch());
            return connection.send({"EVAL", text, "3", key, braced("redisson_lock_queue", key),
                                    braced("redisson_lock_timeout", key),
                                    QByteArray::number(qint64(lease.count())), owner, "300000", now});
        };
        return wait(address, braced("redisson_lock__channel", key) + ':' + owner, attempt, stop);
    });
}

inline RedissonWaiter RedissonWaiter::forReading(const RedisServer &server, const QByteArray &key,
                                                 const QByteArray &owner)
{
    return RedissonWaiter([address = server.socketAddress(), key, owner,
                           text = script("read_acquire.lua")](const std::stop_token &stop) {
        const auto attempt = [&](BlockingConnection &connection) {
            return connection.send({"EVAL", text, "2", key, "{" + key + "}:" + owner + ":rwlock_timeout",
                                    QByteArray::number(qint64(lease.count())), owner});
        };
        return wait(address, braced("redisson_rwlock", key), attempt, stop);
    });
}

inline RedissonWaiter RedissonWaiter::forWriting(const RedisServer &server, const QByteArray &key,
                                                 const QByteArray &owner)
{
    return RedissonWaiter([address = server.socketAddress(), key, owner,
                           text = script("write_acquire.lua")](const std::stop_token &stop) {
        const auto attempt = [&](BlockingConnection &connection) {
            return connection.send(
                {"EVAL", text, "1", key, QByteArray::number(qint64(lease.count())), owner});
        };
        return wait(address, braced("redisson_rwlock", key), attempt, stop);
    });
}

} // namespace lockscope
