// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/strategy/retrypolicy.h"

#include "core/simulation/model/strategyspec.h"
#include "core/simulation/strategy/subscriptionhub.h"
#include "core/simulation/strategy/workerconnections.h"

#include <algorithm>
#include <thread>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto stopLook = 40ms;
constexpr auto lookAnyway = 1s; // where no lease is known, a lost message must not be waited for without end

/// Precise to well below 1 ms, unlike timed waits on Qt's sockets.
void sleepUntil(TimePoint until, const std::stop_token &stop)
{
    for (TimePoint now = Clock::now(); now < until && !stop.stop_requested(); now = Clock::now())
        std::this_thread::sleep_until(std::min(until, now + stopLook));
}

class Poll : public RetryPolicy
{
public:
    Poll(milliseconds every, const StrategyContext &context) : m_every(every), m_context(context) {}

    Result<WakeResult> await(std::optional<TimePoint>, TimePoint until) override
    {
        sleepUntil(std::min(until, Clock::now() + m_every), m_context.stop);
        return WakeResult{};
    }

private:
    milliseconds m_every;
    StrategyContext m_context;
};

class Backoff : public RetryPolicy
{
public:
    explicit Backoff(const StrategyContext &context) : m_context(context) {}

    Result<WakeResult> await(std::optional<TimePoint>, TimePoint until) override
    {
        std::uniform_int_distribution<microseconds::rep> anyUpTo(0, m_longest.count());
        sleepUntil(std::min(until, Clock::now() + microseconds(anyUpTo(m_context.random))), m_context.stop);
        m_longest = std::min<microseconds>(2 * m_longest, 20ms);
        return WakeResult{};
    }
    void end() override { m_longest = 1ms; }

private:
    StrategyContext m_context;
    microseconds m_longest = 1ms;
};

/// The worker in a message of Subscription, and when it sent it, by the common clock.
std::optional<WakeMessage> senderOf(const QByteArray &text)
{
    const QList<QByteArray> parts = text.split(' ');
    bool isWorker = false, isTime = false;
    const int worker = parts.value(0).toInt(&isWorker);
    const TimePoint sentAt(Clock::duration(parts.value(1).toLongLong(&isTime)));
    const TimePoint now = Clock::now();
    if (parts.size() != 2 || !isWorker || worker < 0 || worker >= Plan::maxWorkers || !isTime || sentAt > now)
        return std::nullopt; // another's
    return WakeMessage{now, sentAt, worker};
}

/// Every release is published, and all waiters retry.
class Subscription : public RetryPolicy
{
public:
    explicit Subscription(const StrategyContext &context)
        : m_context(context), m_channel(context.key.bytes + QByteArrayLiteral(":released"))
    {
    }

    void beforeAttempt() override
    {
        BlockingConnection &messages = m_context.links.messages();
        while (messages.isOpen()) {
            const auto old = messages.nextMessage(TimePoint::min());
            if (!old || !*old)
                return;
        }
    }
    Result<WakeResult> await(std::optional<TimePoint> leaseEnd, TimePoint until) override
    {
        const Result<bool> isNew = m_context.links.follow(m_channel);
        if (!isNew)
            return tl::unexpected(isNew.error());
        if (*isNew)
            return WakeResult{.byMessage = true}; // released in between, perhaps
        if (!leaseEnd) {
            const Result<Reply> left = m_context.links.commands().send({"PTTL", m_context.key.bytes});
            if (!left)
                return tl::unexpected(left.error());
            leaseEnd = Clock::now() + (left->integer == -1 ? lookAnyway : milliseconds(left->integer + 1));
        }
        const TimePoint end = std::min(*leaseEnd, until);
        for (;;) {
            const auto message = m_context.links.messages().nextMessage(end);
            if (message && *message && (*message)->channel != m_channel)
                continue; // of another lock, from an earlier visit
            if (message && *message)
                return WakeResult{.byMessage = true, .message = senderOf((*message)->text)};
            // A broken subscription may have missed a message: try, then subscribe anew.
            return WakeResult{.byMessage = !message};
        }
    }
    void announce() override
    {
        // Its loss is a lost wake-up, against which every waiter has its timer.
        const QByteArray said = QByteArray::number(m_context.worker) + ' ' +
                                QByteArray::number(qint64(Clock::now().time_since_epoch().count()));
        (void)m_context.links.commands().send({"PUBLISH", m_channel, said});
    }
    bool isWoken() const override { return true; }

private:
    StrategyContext m_context;
    QByteArray m_channel;
};

/// Like Redisson: the threads of a process share a subscription, and a message wakes one of them.
class SharedSubscription : public RetryPolicy
{
public:
    explicit SharedSubscription(const StrategyContext &context) : m_context(context)
    {
        const QByteArray &key = context.key.bytes;
        m_channel = "redisson_lock__channel:" + (key.contains('{') ? key : '{' + key + '}');
    }

    Result<WakeResult> await(std::optional<TimePoint> leaseEnd, TimePoint until) override
    {
        if (!m_place) {
            m_place = m_context.hub.join(m_channel, m_context.stop);
            if (!m_place && !m_context.stop.stop_requested())
                return tl::unexpected(Error{ErrorKind::NotConnected,
                                            Phrase(QT_TRANSLATE_NOOP("phrases", "could not subscribe"))});
            return WakeResult{.byMessage = true}; // released before the subscription, perhaps
        }
        const TimePoint end = std::min(leaseEnd.value_or(Clock::now() + lookAnyway), until);
        const auto heard = m_place->await(end, m_context.stop);
        if (heard)
            return WakeResult{.byMessage = true, .message = heard};
        if (Clock::now() >= end)
            return WakeResult{};
        m_place.reset(); // broken: what was missed shows at the next try
        return WakeResult{.byMessage = true};
    }
    void end() override { m_place.reset(); }
    bool isWoken() const override { return true; }

private:
    StrategyContext m_context;
    QByteArray m_channel;
    std::unique_ptr<SubscriptionHub::Place> m_place;
};

} // namespace

std::unique_ptr<RetryPolicy> makeRetryPolicy(const Algorithm &algorithm, const StrategyContext &context)
{
    switch (algorithm.wake) {
    case WakeMethod::Usual:
        if (specOf(algorithm.strategy).isSubscribed)
            return std::make_unique<SharedSubscription>(context);
        break;
    case WakeMethod::Poll:
        break;
    case WakeMethod::Backoff:
        return std::make_unique<Backoff>(context);
    case WakeMethod::Subscription:
        return std::make_unique<Subscription>(context);
    }
    return std::make_unique<Poll>(algorithm.poll, context);
}

} // namespace lockscope
