// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/redis/blockingconnection.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace lockscope {

/// The one subscription that the threads of a client process share: a message on a channel wakes one of those who
/// wait for it, as Redisson's does. Thread-safe; a thread of its own reads the messages while anybody waits.
class SubscriptionHub
{
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    explicit SubscriptionHub(ServerAddress address);
    ~SubscriptionHub();
    SubscriptionHub(const SubscriptionHub &) = delete;
    SubscriptionHub &operator=(const SubscriptionHub &) = delete;

    /// A stay in the line of one channel; from its making on no message is missed. Made and ended by one thread.
    class Place;
    /// Blocks until the channel is subscribed (2 s at most): then one more look at the lock is due. Null: it
    /// could not be subscribed.
    std::unique_ptr<Place> join(const QByteArray &channel, std::stop_token stop);
    qint64 commandsSent() const; ///< by its own connection

private:
    struct Channel;
    class Private;
    std::unique_ptr<Private> d;
};

class SubscriptionHub::Place
{
public:
    /// A message: read then, after the one before it, or after the channel was subscribed.
    struct Heard
    {
        TimePoint readAt;
        TimePoint after;
    };
    Place(std::mutex &mutex, std::shared_ptr<Channel> channel);
    ~Place();
    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;

    /// A message that came for this place. Nothing: `until` passed, a stop was requested, or the subscription broke.
    std::optional<Heard> await(TimePoint until, std::stop_token stop);

private:
    std::mutex &m_mutex;
    std::shared_ptr<Channel> m_channel;
};

} // namespace lockscope
