// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/deadwaiterdetector.h"

#include <algorithm>

namespace lockscope {

void DeadWaiterDetector::judge(const LockKey &lock, Waiters &waiters, TimePoint now)
{
    const QHash<OwnerId, SilentFor> before = m_silent.take(lock);
    QHash<OwnerId, SilentFor> silent;
    for (Waiter &waiter : waiters.queue) {
        if (waiter.listening == SubscriptionState::Yes || waiter.listening == SubscriptionState::NotHeard)
            continue;
        SilentFor silence = before.value(waiter.id, {now, 0});
        if (waiter.listening == SubscriptionState::No)
            ++silence.looks;
        else if (silence.looks == 0) // nothing is known, and nothing was
            continue;
        waiter.isDead = silence.looks >= looks && now - silence.since >= patience;
        silent.insert(waiter.id, silence);
    }
    if (!silent.isEmpty())
        m_silent.insert(lock, silent);
}

bool hasBlockedWaiters(const Waiters &waiters)
{
    const QList<Waiter> &queue = waiters.queue;
    const auto dead = std::ranges::find(queue, true, &Waiter::isDead);
    return dead != queue.end() && (dead == queue.begin() ||
                                   std::any_of(dead, queue.end(), [](const Waiter &w) { return !w.isDead; }));
}

} // namespace lockscope
