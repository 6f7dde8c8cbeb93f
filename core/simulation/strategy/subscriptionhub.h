// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

namespace lockscope {

/// The subscription that the threads of a client process share: a message on a channel wakes one of its
/// waiters, as in Redisson. Thread-safe; its own thread reads messages while there are waiters.
class SubscriptionHub
{
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    explicit SubscriptionHub(ServerAddress address);
    ~SubscriptionHub();
    SubscriptionHub(const SubscriptionHub &) = delete;
    SubscriptionHub &operator=(const SubscriptionHub &) = delete;

    /// A place in a channel's queue, which misses no message once created. Used by one thread.
    class Place;
    /// Blocks until the channel is subscribed (at most 2 s); then read the lock once more. Null: not
    /// subscribed.
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
    Place(std::mutex &mutex, std::shared_ptr<Channel> channel);
    ~Place();
    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;

    /// A message for this place, sent after the previous one or the subscription. Absent: `until` passed, a
    /// stop was requested, or the subscription broke.
    std::optional<WakeMessage> await(TimePoint until, std::stop_token stop);

private:
    std::mutex &m_mutex;
    std::shared_ptr<Channel> m_channel;
};

} // namespace lockscope
