// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/libraries/handoff.h"
#include "core/redis/script.h"
#include "core/simulation/strategy/scriptreply.h"
#include "core/simulation/strategy/strategies.h"
#include "core/simulation/strategy/strategy.h"

#include <algorithm>
#include <charconv>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

/// The content of a wake-up message.
struct Grant
{
    qint64 fence = 0;
    milliseconds lease{0};

    /// Reads "<fence> <lease in ms>"; absent: not a handoff.
    static std::optional<Grant> parse(QByteArrayView text)
    {
        Grant grant;
        qint64 lease = 0;
        const char *end = text.data() + text.size();
        const auto fence = std::from_chars(text.data(), end, grant.fence);
        if (fence.ec != std::errc() || fence.ptr == end || *fence.ptr != ' ')
            return std::nullopt;
        const auto left = std::from_chars(fence.ptr + 1, end, lease);
        if (left.ec != std::errc() || left.ptr != end)
            return std::nullopt;
        grant.lease = milliseconds(lease);
        return grant;
    }
};

/// Fair: a release passes the lock to the longest-waiting worker, and wakes only that one.
class Handoff : public LockStrategy
{
public:
    Handoff(const Algorithm &algorithm, const StrategyContext &context)
        : LockStrategy(algorithm, context),
          m_companions(context.key),
          m_channel(handoffChannel(context.key, context.owner))
    {
    }

    Result<WakeResult> await(TimePoint until) override
    {
        // A new subscription may have come after the hand-over.
        const Result<bool> isNew = m_context.links.follow(m_channel);
        if (!isNew)
            return tl::unexpected(isNew.error());
        if (*isNew || !m_isQueued)
            return WakeResult{.byMessage = true};
        const TimePoint end = std::min({until, m_lookAgain, holdersEnd().value_or(until)});
        for (;;) {
            const auto message = m_context.links.messages().nextMessage(end);
            if (!message)
                return WakeResult{.byMessage = true}; // broken: the next attempt says what was missed
            if (!*message)
                return WakeResult{};
            const std::optional<Grant> grant =
                (*message)->channel == m_channel ? Grant::parse((*message)->text) : std::nullopt;
            if (!grant || grant->fence <= m_fence)
                continue;
            m_fence = grant->fence;
            m_isQueued = false;
            // Of the answer to the last question every earlier token was known.
            const WakeMessage heard{Clock::now(), m_askedAt, -1};
            AcquireResult attempt{
                .verdict = AcquireResult::Verdict::Acquired, .ttl = grant->lease, .fence = grant->fence};
            if (grant->lease < m_lease) {
                const Result<bool> extended = extend(m_lease);
                if (!extended)
                    return tl::unexpected(extended.error());
                if (!*extended)
                    return WakeResult{.byMessage = true, .message = heard};
                attempt.ttl = m_lease;
            }
            m_localHoldCount = 1;
            return WakeResult{.byMessage = true, .grant = attempt, .message = heard};
        }
    }

    /// The last attempt leaves the queue atomically if there was no handoff.
    Result<AcquireResult> giveUp() override
    {
        if (!m_isQueued)
            return AcquireResult{};
        Result<AcquireResult> last = ask(0ms);
        if (last && last->holds())
            m_localHoldCount = 1;
        return last;
    }

    Result<int> storedHolds() override { return countInHash(m_context); }
    bool isWoken() const override { return true; }

protected:
    Result<AcquireResult> take(const AcquireRequest &request) override
    {
        m_lease = request.lease;
        const bool waits = request.patience && m_localHoldCount == 0;
        // Only one who listens can be handed anything; a lock that is free needs no subscription.
        if (!waits || !m_isListening) {
            Result<AcquireResult> attempt = ask(0ms);
            if (!waits || !attempt || attempt->holds())
                return attempt;
            if (const Result<bool> following = m_context.links.follow(m_channel); !following)
                return tl::unexpected(following.error());
            m_isListening = true;
        }
        // One that died silently must not be waited for: hence signs of life, at least every lease. With twice as much in
        // hand, whoever is handed the lock has it for its whole lease.
        const milliseconds sign = std::clamp<milliseconds>(m_lease, 1s, 1h);
        const TimePoint now = Clock::now();
        m_lookAgain = now + sign;
        const bool endsSooner = *request.patience < now + 2 * sign;
        return ask(endsSooner ? std::max(1ms, std::chrono::ceil<milliseconds>(*request.patience - now))
                              : 2 * sign);
    }

    Result<ReleaseResult> releaseLevel() override
    {
        static const Script script("handoff/release.lua");
        const QByteArray level = QByteArray::number(m_localHoldCount);
        // Of the last level nothing is left that a lease could be for.
        const QByteArray lease = m_localHoldCount > 1 ? leaseInSeconds(m_lease) : QByteArray("");
        return run(script, {m_context.owner.bytes, lease, level}).map([](const ScriptReply &answer) {
            ReleaseResult result = levelReleased(answer);
            result.isPublished = result.deleted && answer.ttl;
            if (result.deleted)
                result.handedFor = answer.ttl;
            return result;
        });
    }

    /// The lock is stored like a reentrant one; only its expiry changes.
    Result<bool> extend(milliseconds lease) override
    {
        static const Script script("reentrant/extend.lua");
        return answerFrom(
                   script.run(connection(), {key()}, {m_context.owner.bytes, leaseInSeconds(lease), "named"}))
            .map([](const ScriptReply &answer) { return answer.outcome == "extended"; });
    }

private:
    /// `patience`: how long to stay in the queue without a heartbeat; 0: not at all.
    Result<AcquireResult> ask(milliseconds patience)
    {
        static const Script script("handoff/acquire.lua");
        const QByteArray level = QByteArray::number(m_localHoldCount + 1);
        const QByteArray stay = patience > 0ms ? leaseInSeconds(patience) : QByteArray("");
        m_askedAt = Clock::now();
        const Result<ScriptReply> answer =
            run(script, {m_context.owner.bytes, leaseInSeconds(m_lease), stay, level});
        if (!answer)
            return tl::unexpected(answer.error());
        m_isQueued = answer->outcome == "queued";
        // Whatever was handed over before this answer has no larger token, and is no news any more.
        m_fence = std::max(m_fence, answer->fence);
        AcquireResult attempt{.ttl = answer->ttl, .fence = m_isQueued ? -1 : answer->fence};
        if (m_isQueued)
            attempt.verdict = AcquireResult::Verdict::Queued;
        else if (answer->outcome == "acquired")
            attempt.verdict = AcquireResult::Verdict::Acquired;
        else if (answer->outcome == "reentered")
            attempt.verdict = AcquireResult::Verdict::Reentered;
        else if (m_localHoldCount > 0)
            attempt.verdict = AcquireResult::Verdict::Lost;
        return attempt;
    }

    Result<ScriptReply> run(const Script &script, std::initializer_list<QByteArrayView> arguments)
    {
        return answerFrom(script.run(
            connection(), {key(), m_companions.queue, m_companions.waiters, m_companions.fence}, arguments));
    }

    const HandoffKeys m_companions;
    const QByteArray m_channel;
    milliseconds m_lease{0};
    qint64 m_fence = 0; ///< the last one seen: a message without a larger one is of an earlier turn
    TimePoint m_lookAgain;
    TimePoint m_askedAt;
    bool m_isListening = false;
    bool m_isQueued = false;
};

QList<QByteArray> companionKeys(const LockKey &key)
{
    const HandoffKeys companions(key);
    return {companions.queue, companions.waiters, companions.fence};
}

} // namespace

constexpr StrategySpec strategies::handoff{
    .kind = StrategyKind::Handoff,
    .name = "handoff",
    .title = QT_TRANSLATE_NOOP("phrases", "Fair queue with handoff"),
    .meaning = QT_TRANSLATE_NOOP(
        "phrases", "Fair queue: release hands the lock to the queue head and wakes only that waiter"),
    .make = makeStrategyOf<Handoff>,
    .isReentrant = true,
    .canPoll = false,
    .canBackOff = false,
    .givesFences = true,
    .companionKeys = companionKeys,
};

} // namespace lockscope
