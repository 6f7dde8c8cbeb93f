// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/strategy.h"
#include "core/simulation/strategy/subscriptionhub.h"
#include "core/simulation/strategy/workerconnections.h"
#include "tests/support/redisserver.h"

#include <QtTest>

#include <functional>

namespace lockscope {

/// A worker's hand on one lock, with all that a strategy needs.
class Hand : private FaultHook
{
public:
    Hand(const ServerAddress &server, SubscriptionHub &hub, const Algorithm &algorithm,
         const QByteArray &owner, const QByteArray &key = "lock", const std::stop_token &stop = {})
        : links(server, stop),
          m_random(std::hash<std::string>{}(owner.toStdString()) & 0xffffU),
          m_strategy(makeStrategy(
              algorithm, StrategyContext{links, hub, *this, m_random, stop, LockKey(key), OwnerId(owner)}))
    {
        if (!links.open())
            qFatal("no connection");
    }

    LockStrategy *operator->() { return m_strategy.get(); }

    /// One attempt as an outcome in a word.
    AcquireResult::Verdict acquire(std::chrono::milliseconds lease = std::chrono::seconds(30),
                                   std::optional<TimePoint> patience = std::nullopt)
    {
        const Result<AcquireResult> attempt = m_strategy->acquire({lease, patience});
        if (!attempt)
            qFatal("acquire: %s", attempt.error().text().constData());
        last = *attempt;
        return attempt->verdict;
    }
    ReleaseResult release()
    {
        const Result<ReleaseResult> returned = m_strategy->release();
        if (!returned)
            qFatal("release: %s", returned.error().text().constData());
        return *returned;
    }
    WakeResult await(TimePoint until)
    {
        const Result<WakeResult> awakening = m_strategy->await(until);
        if (!awakening)
            qFatal("await: %s", awakening.error().text().constData());
        return *awakening;
    }
    /// Attempts and waits, as a worker that blocks.
    bool block(std::chrono::milliseconds lease, TimePoint until)
    {
        while (Clock::now() < until) {
            const AcquireResult::Verdict verdict = acquire(lease, until);
            if (verdict == AcquireResult::Verdict::Acquired)
                return true;
            const WakeResult awakening = await(until);
            if (awakening.grant) {
                last = *awakening.grant;
                return true;
            }
        }
        return false;
    }

    WorkerConnections links;
    std::function<bool(Moment)> faultHook; ///< what happens between two commands; empty: nothing
    AcquireResult last;

private:
    bool pass(Moment moment) override { return !faultHook || faultHook(moment); }

    std::mt19937 m_random;
    std::unique_ptr<LockStrategy> m_strategy;
};

} // namespace lockscope
