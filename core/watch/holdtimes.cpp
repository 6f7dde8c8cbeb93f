// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/holdtimes.h"

#include "core/family/weaktoken.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace lockscope {

namespace {

/// The size of a cache entry besides its value and its key's bytes.
constexpr qsizetype entryBytes = 96;
constexpr milliseconds shortestUnusual{1000};
constexpr int unusualTimes = 5;
/// In an unbounded distribution, such as an exponential one, new maxima occur now and then.
constexpr int clearlyLonger = 3;

constexpr double firstBucketEnds = 16; // ms
constexpr double bucketsPerDoubling = 1.5;

double endOfBucket(size_t bucket)
{
    return firstBucketEnds * std::exp2(double(bucket) / bucketsPerDoubling);
}

} // namespace

std::optional<milliseconds> HoldTimeStats::unusualFrom(int times) const
{
    if (!isKnown())
        return std::nullopt;
    return std::max({shortestUnusual, longest + milliseconds(1), clearlyLonger * nearlyAll,
                     times * std::max(median, milliseconds(1))});
}

std::optional<qint64> HoldTimeStats::timesUsual(milliseconds held) const
{
    const auto unusual = unusualFrom(unusualTimes);
    if (!unusual || held < *unusual)
        return std::nullopt;
    return held / std::max(median, milliseconds(1));
}

bool isOneHold(const WatchedLock &lock)
{
    return !lock.lock.owners.isEmpty() && !lock.problems().testFlag(Problem::Orphaned) &&
           !mayRepeat(lock.lock);
}

void HoldTimes::add(const QList<LockEvent> &events)
{
    for (const LockEvent &event : events) {
        if (!event.held || event.kind == EventKind::Forced)
            continue;
        const LockKey &key = event.address.key;
        Holds *known = m_keys.object(key);
        if (!known) {
            auto added = std::make_unique<Holds>();
            const qsizetype cost = entryBytes + qsizetype(sizeof(Holds)) + key.bytes.size();
            known = added.get();
            if (!m_keys.insert(key, added.release(), cost)) // takes it in any case
                continue;
        }
        constexpr qint64 most = std::numeric_limits<quint32>::max();
        known->add(static_cast<quint32>(std::clamp<qint64>(event.held->count(), 0, most)));
    }
}

HoldTimeStats HoldTimes::of(const LockKey &key) const
{
    const Holds *known = m_keys.object(key);
    return known ? known->usual() : HoldTimeStats();
}

TimePoint HoldTimes::unusualAfter(const WatchedLock &lock) const
{
    if (m_keys.isEmpty() || !isOneHold(lock))
        return TimePoint::max();
    const auto unusual = of(lock.key()).unusualFrom(unusualTimes);
    return unusual ? lock.heldSince + *unusual : TimePoint::max();
}

void HoldTimes::Holds::add(quint32 ms)
{
    shortest = std::min(shortest, ms);
    longest = std::max(longest, ms);
    const double above = std::log2(std::max(double(ms), 1.0) / firstBucketEnds) * bucketsPerDoubling;
    const size_t bucket = ms < firstBucketEnds ? 0 : std::min(size_t(above) + 1, counts.size() - 1);
    if (++counts.at(bucket) < std::numeric_limits<quint16>::max())
        return;
    for (quint16 &count : counts) // what was long ago counts less, and what came once is forgotten
        count /= 2;
    for (size_t last = counts.size() - 1; last > bucket && counts.at(last) == 0; --last)
        longest = std::min(longest, quint32(endOfBucket(last - 1)));
}

/// Interpolated as if a bucket's holds were evenly spread.
milliseconds HoldTimes::Holds::quantile(int thousandths) const
{
    const int all = total();
    const int rank = (all * thousandths + 999) / 1000;
    size_t bucket = 0;
    int below = 0;
    for (; below + counts.at(bucket) < rank; ++bucket)
        below += counts.at(bucket);
    if (rank == all)
        return milliseconds(longest);
    const double from = std::max(bucket > 0 ? endOfBucket(bucket - 1) : 0, double(shortest));
    const double to = bucket + 1 < counts.size() ? std::min(endOfBucket(bucket), double(longest)) : longest;
    return milliseconds(qint64(from + (to - from) * (rank - below - 0.5) / counts.at(bucket)));
}

HoldTimeStats HoldTimes::Holds::usual() const
{
    HoldTimeStats usual;
    usual.holds = total();
    if (!usual.isKnown())
        return usual;
    usual.from = quantile(100);
    usual.to = quantile(900);
    usual.median = quantile(500);
    usual.nearlyAll = quantile(HoldTimeStats::nearlyAllShare);
    usual.longest = milliseconds(longest);
    return usual;
}

} // namespace lockscope
