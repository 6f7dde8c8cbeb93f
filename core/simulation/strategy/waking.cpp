// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/waking.h"

#include "core/simulation/strategy/links.h"
#include "core/simulation/strategy/subscriptionhub.h"

#include <QCoreApplication>

#include <algorithm>
#include <thread>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::waking)
};

constexpr auto stopLook = 40ms;
constexpr auto lookAnyway = 1s; // where no lease is known, a lost message must not be waited for without end

/// To well below a millisecond, which timed waits on Qt's sockets are not.
void sleepUntil(TimePoint until, const std::stop_token &stop)
{
    for (TimePoint now = Clock::now(); now < until && !stop.stop_requested(); now = Clock::now())
        std::this_thread::sleep_until(std::min(until, now + stopLook));
}

class Poll : public Waking
{
public:
    Poll(milliseconds every, const Hands &hands) : m_every(every), m_hands(hands) {}

    Result<Awakening> await(std::optional<TimePoint>, TimePoint until) override
    {
        sleepUntil(std::min(until, Clock::now() + m_every), m_hands.stop);
        return Awakening{};
    }

private:
    milliseconds m_every;
    Hands m_hands;
};

class BackOff : public Waking
{
public:
    explicit BackOff(const Hands &hands) : m_hands(hands) {}

    Result<Awakening> await(std::optional<TimePoint>, TimePoint until) override
    {
        std::uniform_int_distribution<microseconds::rep> anyUpTo(0, m_longest.count());
        sleepUntil(std::min(until, Clock::now() + microseconds(anyUpTo(m_hands.random))), m_hands.stop);
        m_longest = std::min<microseconds>(2 * m_longest, 20ms);
        return Awakening{};
    }
    void end() override { m_longest = 1ms; }

private:
    Hands m_hands;
    microseconds m_longest = 1ms;
};

/// Every release is published, and everybody who waits tries.
class Subscription : public Waking
{
public:
    explicit Subscription(const Hands &hands)
        : m_hands(hands), m_channel(hands.key.bytes + QByteArrayLiteral(":released"))
    {
    }

    void beforeAttempt() override
    {
        BlockingConnection &messages = m_hands.links.messages();
        while (messages.isOpen()) {
            const auto old = messages.nextMessage(TimePoint::min());
            if (!old || !*old)
                return;
        }
    }
    Result<Awakening> await(std::optional<TimePoint> leaseEnd, TimePoint until) override
    {
        const Result<bool> isNew = m_hands.links.follow(m_channel);
        if (!isNew)
            return tl::unexpected(isNew.error());
        if (*isNew)
            return Awakening{.byMessage = true, .grant = {}}; // released in between, perhaps
        if (!leaseEnd) {
            const Result<Reply> left = m_hands.links.commands().send({"PTTL", m_hands.key.bytes});
            if (!left)
                return tl::unexpected(left.error());
            leaseEnd = Clock::now() + (left->integer == -1 ? lookAnyway : milliseconds(left->integer + 1));
        }
        const TimePoint end = std::min(*leaseEnd, until);
        for (;;) {
            const auto message = m_hands.links.messages().nextMessage(end);
            if (message && *message && (*message)->channel != m_channel)
                continue; // of another lock, from an earlier visit
            // A broken subscription may have missed a message: try, then subscribe anew.
            return Awakening{.byMessage = !message || *message, .grant = {}};
        }
    }
    void announce() override
    {
        // Its loss is a lost wake-up, against which every waiter has its timer.
        (void)m_hands.links.commands().send({"PUBLISH", m_channel, "0"});
    }
    bool isWoken() const override { return true; }

private:
    Hands m_hands;
    QByteArray m_channel;
};

/// As Redisson waits: the threads of a process share a subscription, and a message wakes one of them.
class SharedSubscription : public Waking
{
public:
    explicit SharedSubscription(const Hands &hands) : m_hands(hands)
    {
        const QByteArray &key = hands.key.bytes;
        m_channel = "redisson_lock__channel:" + (key.contains('{') ? key : '{' + key + '}');
    }

    Result<Awakening> await(std::optional<TimePoint> leaseEnd, TimePoint until) override
    {
        if (!m_place) {
            m_place = m_hands.hub.join(m_channel, m_hands.stop);
            if (!m_place && !m_hands.stop.stop_requested())
                return tl::unexpected(
                    Error{ErrorKind::NotConnected, Words::tr("could not subscribe").toUtf8()});
            return Awakening{.byMessage = true, .grant = {}}; // released before the subscription, perhaps
        }
        const TimePoint end = std::min(leaseEnd.value_or(Clock::now() + lookAnyway), until);
        const bool woken = m_place->await(end, m_hands.stop);
        if (woken || Clock::now() >= end)
            return Awakening{.byMessage = woken, .grant = {}};
        m_place.reset(); // broken: what was missed shows at the next try
        return Awakening{.byMessage = true, .grant = {}};
    }
    void end() override { m_place.reset(); }
    bool isWoken() const override { return true; }

private:
    Hands m_hands;
    QByteArray m_channel;
    std::unique_ptr<SubscriptionHub::Place> m_place;
};

} // namespace

std::unique_ptr<Waking> makeWaking(const Algorithm &algorithm, const Hands &hands)
{
    switch (algorithm.wake) {
    case WakeForm::Usual:
        if (algorithm.strategy == StrategyKind::Redisson)
            return std::make_unique<SharedSubscription>(hands);
        break;
    case WakeForm::Poll:
        break;
    case WakeForm::BackOff:
        return std::make_unique<BackOff>(hands);
    case WakeForm::Subscription:
        return std::make_unique<Subscription>(hands);
    }
    return std::make_unique<Poll>(algorithm.poll, hands);
}

} // namespace lockscope
