// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/family/renewalhealth.h"

#include "core/family/registry.h"
#include "core/family/weaktoken.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr int wholeLease = 255; // WatchedLock::minRenewalShare counts in parts of it
constexpr int margin = 20;      // a twentieth
constexpr int makesARhythm = 3;

constexpr milliseconds readLater = 1s; // than the watchdog has set it

bool hasWatchdogLease(const WatchedLock &watched)
{
    const milliseconds lease = specOf(watched.lock.family).watchdog.lease;
    return lease > 0ms && watched.maxObservedTtl <= lease && watched.maxObservedTtl > lease - readLater;
}

/// The share of the lease, in 255ths, left at the expected renewal; 0: none is expected.
int expectedAt(const WatchedLock &watched)
{
    const int needed = specOf(watched.lock.family).renews ? 1 : makesARhythm;
    if (watched.renewals >= needed && watched.minRenewalShare > 0)
        return watched.minRenewalShare;
    if (!hasWatchdogLease(watched))
        return 0;
    const int renewsAt = specOf(watched.lock.family).watchdog.renewsAt;
    return watched.minRenewalShare > 0 ? std::min<int>(watched.minRenewalShare, renewsAt) : renewsAt;
}

} // namespace

TimePoint overdueAfter(const WatchedLock &watched)
{
    const int expected = expectedAt(watched);
    if (expected == 0 || !watched.lock.deadline || mayRepeat(watched.lock))
        return TimePoint::max();
    const milliseconds lease = std::min(watched.maxObservedTtl, Deadline::horizon);
    const milliseconds latest = expected * lease / wholeLease - lease / margin;
    return latest > milliseconds::zero() ? watched.lock.deadline->latest - latest : TimePoint::max();
}

bool isRenewalOverdue(const WatchedLock &watched, TimePoint now)
{
    return now > overdueAfter(watched);
}

} // namespace lockscope
