// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/holdtimes.h"

#include "core/family/weaktoken.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace lockscope {

namespace {

/// An entry of the cache besides its value and the bytes of its key.
constexpr qsizetype entryBytes = 96;
constexpr milliseconds shortestUnusual{1000};
constexpr int unusualTimes = 5;

} // namespace

std::optional<milliseconds> UsualHold::unusualFrom(int times) const
{
    if (!isKnown())
        return std::nullopt;
    return std::max({shortestUnusual, longest + milliseconds(1), times * std::max(median, milliseconds(1))});
}

std::optional<qint64> UsualHold::timesUsual(milliseconds held) const
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
        known->ms[known->seen++ % mostHolds] =
            static_cast<quint32>(std::clamp<qint64>(event.held->count(), 0, most));
        known->unusual = usualOf(*known).unusualFrom(unusualTimes);
    }
}

UsualHold HoldTimes::of(const LockKey &key) const
{
    const Holds *known = m_keys.object(key);
    return known ? usualOf(*known) : UsualHold();
}

TimePoint HoldTimes::unusualAfter(const WatchedLock &lock) const
{
    if (m_keys.isEmpty())
        return TimePoint::max();
    const Holds *known = m_keys.object(lock.key());
    return known && known->unusual && isOneHold(lock) ? lock.heldSince + *known->unusual : TimePoint::max();
}

UsualHold HoldTimes::usualOf(const Holds &holds)
{
    UsualHold usual;
    auto sorted = holds.ms;
    const auto count = static_cast<size_t>(std::min<quint32>(holds.seen, mostHolds));
    std::sort(sorted.begin(), sorted.begin() + static_cast<qsizetype>(count));
    usual.holds = static_cast<int>(count);
    if (!usual.isKnown())
        return usual;
    const size_t tenth = count / 10;
    usual.from = milliseconds(sorted[tenth]);
    usual.to = milliseconds(sorted[count - 1 - tenth]);
    usual.median = milliseconds(sorted[count / 2]);
    usual.longest = milliseconds(sorted[count - 1]);
    return usual;
}

} // namespace lockscope
