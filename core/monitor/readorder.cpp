// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/readorder.h"

#include <algorithm>
#include <vector>

namespace lockscope {

void ReadOrder::List::takeDue(TimePoint until, TimePoint now, qsizetype max, QList<LockKey> &into)
{
    while (oldest && oldest->readAt <= until && into.size() < max) {
        KnownLock &known = *oldest;
        into.append(known.watched.key());
        remove(known);
        known.readAt = now;
        append(known);
    }
}

void ReadOrder::clear()
{
    m_pushed = m_polled = m_idle = {};
}

void ReadOrder::rebuild(KnownLocks &locks)
{
    std::vector<KnownLock *> all;
    all.reserve(locks.size());
    for (auto &[key, known] : locks)
        all.push_back(&known);
    std::ranges::sort(all, {}, &KnownLock::readAt);
    clear();
    for (KnownLock *known : all)
        listOf(*known).append(*known);
}

std::optional<TimePoint> ReadOrder::oldestPolled() const
{
    return m_polled.oldest ? std::optional(m_polled.oldest->readAt) : std::nullopt;
}

std::optional<TimePoint> ReadOrder::oldest(bool all) const
{
    std::optional<TimePoint> oldest = oldestPolled();
    for (const KnownLock *known : {m_pushed.oldest, all ? m_idle.oldest : nullptr}) {
        if (known)
            oldest = std::min(known->readAt, oldest.value_or(TimePoint::max()));
    }
    return oldest;
}

QList<LockKey> ReadOrder::takeDuePolled(TimePoint until, TimePoint now, qsizetype max)
{
    QList<LockKey> keys;
    m_polled.takeDue(until, now, max, keys);
    return keys;
}

QList<LockKey> ReadOrder::takeDue(TimePoint until, TimePoint now, qsizetype max, bool all)
{
    QList<LockKey> keys;
    m_pushed.takeDue(until, now, max, keys);
    m_polled.takeDue(until, now, max, keys);
    if (all)
        m_idle.takeDue(until, now, max, keys);
    return keys;
}

} // namespace lockscope
