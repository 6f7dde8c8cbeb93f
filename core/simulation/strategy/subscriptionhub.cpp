// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/subscriptionhub.h"

#include "core/redis/deployment/blockingdeployment.h"

#include <QHash>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto joinPatience = 2s;
constexpr auto look = 2ms; // how often the reading thread looks for new wishes; messages wake it at once
constexpr auto readPatience = 200ms; // for a reading thread that gets no turn

} // namespace

struct SubscriptionHub::Channel
{
    enum class State { Wanted, Subscribed, Broken };

    State state = State::Wanted;
    int places = 0;
    std::deque<WakeMessage> messages; ///< not yet taken
    TimePoint lastAt;                 ///< of the last message or subscription
    std::condition_variable_any changed;
    int looks = 0; ///< number of reads so far
    std::condition_variable_any looked;
};

class SubscriptionHub::Private
{
public:
    using ChannelPtr = std::shared_ptr<Channel>;

    explicit Private(ServerAddress server) : address(std::move(server)) {}

    void run(const std::stop_token &stop)
    {
        BlockingDeployment connection(address, {}, stop);
        for (;;) {
            {
                std::unique_lock lock(mutex);
                if (!wished.wait(lock, stop, [this] { return !channels.isEmpty(); }))
                    return;
            }
            if (!listen(connection)) {
                connection.close();
                breakAll();
            }
            commands = connection.commands();
        }
    }

    /// Handles wishes and messages once; false: the connection is unusable.
    bool listen(BlockingConnection &connection)
    {
        QList<QByteArray> toSubscribe;
        QList<QByteArray> toLeave;
        {
            const std::scoped_lock lock(mutex);
            for (auto at = channels.begin(); at != channels.end();) {
                if (at.value()->places == 0) {
                    if (at.value()->state == Channel::State::Subscribed)
                        toLeave.append(at.key());
                    at = channels.erase(at);
                    continue;
                }
                if (at.value()->state == Channel::State::Wanted)
                    toSubscribe.append(at.key());
                ++at;
            }
        }
        if (!connection.isOpen() && !connection.open())
            return false;
        for (const QByteArray &name : toLeave) {
            if (!connection.unsubscribe(name))
                return false;
        }
        for (const QByteArray &name : toSubscribe) {
            if (!connection.subscribe(name))
                return false;
            const std::scoped_lock lock(mutex);
            const ChannelPtr channel = channels.value(name);
            channel->state = Channel::State::Subscribed;
            channel->lastAt = std::chrono::steady_clock::now();
            channel->changed.notify_all();
        }
        const auto message = connection.nextMessage(std::chrono::steady_clock::now() + look);
        if (message && *message)
            deliver((*message)->channel);
        else
            tellOfLook();
        return message.has_value();
    }

    void deliver(const QByteArray &channel)
    {
        const std::scoped_lock lock(mutex);
        const ChannelPtr found = channels.value(channel);
        if (!found)
            return;
        const TimePoint now = std::chrono::steady_clock::now();
        found->messages.push_back({now, std::exchange(found->lastAt, now)});
        found->changed.notify_one();
    }

    /// Notes that nothing more had arrived.
    void tellOfLook()
    {
        const std::scoped_lock lock(mutex);
        for (const ChannelPtr &channel : std::as_const(channels)) {
            ++channel->looks;
            channel->looked.notify_all();
        }
    }

    void breakAll()
    {
        const std::scoped_lock lock(mutex);
        for (const ChannelPtr &channel : std::as_const(channels)) {
            channel->state = Channel::State::Broken;
            channel->changed.notify_all();
            channel->looked.notify_all();
        }
        channels.clear();
    }

    const ServerAddress address;
    std::atomic<qint64> commands = 0;
    std::mutex mutex; ///< for all members below
    std::condition_variable_any wished;
    QHash<QByteArray, ChannelPtr> channels;
    std::jthread thread{[this](const std::stop_token &stop) { run(stop); }};
};

SubscriptionHub::Place::Place(std::mutex &mutex, std::shared_ptr<Channel> channel)
    : m_mutex(mutex), m_channel(std::move(channel))
{
}

SubscriptionHub::Place::~Place()
{
    const std::scoped_lock lock(m_mutex);
    --m_channel->places;
}

std::optional<WakeMessage> SubscriptionHub::Place::await(TimePoint until, std::stop_token stop)
{
    std::unique_lock lock(m_mutex);
    const auto isOver = [this] {
        return !m_channel->messages.empty() || m_channel->state == Channel::State::Broken;
    };
    if (!m_channel->changed.wait_until(lock, stop, until, isOver)) {
        // What has arrived by now counts, though the thread that reads it may have had no turn. Its present look may
        // have begun before.
        const int looks = m_channel->looks + 2;
        m_channel->looked.wait_until(lock, std::move(stop),
                                     std::max(until, std::chrono::steady_clock::now()) + readPatience,
                                     [&] { return isOver() || m_channel->looks >= looks; });
    }
    if (m_channel->messages.empty())
        return std::nullopt;
    const WakeMessage heard = m_channel->messages.front();
    m_channel->messages.pop_front();
    return heard;
}

SubscriptionHub::SubscriptionHub(ServerAddress address) : d(std::make_unique<Private>(std::move(address))) {}

SubscriptionHub::~SubscriptionHub() = default;

std::unique_ptr<SubscriptionHub::Place> SubscriptionHub::join(const QByteArray &channel, std::stop_token stop)
{
    std::unique_lock lock(d->mutex);
    std::shared_ptr<Channel> &known = d->channels[channel];
    if (!known)
        known = std::make_shared<Channel>();
    const std::shared_ptr<Channel> joined = known;
    ++joined->places;
    d->wished.notify_one();
    joined->changed.wait_until(lock, std::move(stop), std::chrono::steady_clock::now() + joinPatience,
                               [&] { return joined->state != Channel::State::Wanted; });
    if (joined->state == Channel::State::Subscribed)
        return std::make_unique<Place>(d->mutex, joined);
    --joined->places;
    return nullptr;
}

qint64 SubscriptionHub::commandsSent() const
{
    return d->commands;
}

} // namespace lockscope
