// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/expiryqueue.h"

#include <functional>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto afterExpiry = 1ms;
constexpr size_t minRebuild = 1024; // entries that may be stale, beside a quarter of all

TimePoint checkAt(const KnownLock &known)
{
    return known.watched.lock.deadline->latest + afterExpiry;
}

} // namespace

void ExpiryQueue::push(KnownLock &known, TimePoint at)
{
    known.expiryAt = at;
    m_entries.push({at, known.watched.key()});
}

void ExpiryQueue::clear()
{
    m_entries = {};
}

/// A later expiry needs no entry: it is corrected at the earlier moment.
void ExpiryQueue::expect(KnownLock &known)
{
    if (!known.watched.lock.deadline) {
        known.expiryAt = TimePoint::max();
        return;
    }
    const TimePoint at = checkAt(known);
    if (known.expiryAt <= at + 2 * afterExpiry && known.expiryAt != TimePoint::max())
        return;
    push(known, at);
    if (m_entries.size() >= m_locks.size() + m_locks.size() / 4 + minRebuild)
        rebuild();
}

void ExpiryQueue::rebuild()
{
    std::vector<Entry> current;
    current.reserve(m_locks.size());
    for (const auto &[key, known] : m_locks) {
        if (known.expiryAt != TimePoint::max())
            current.emplace_back(known.expiryAt, key);
    }
    m_entries = decltype(m_entries)(std::greater<>(), std::move(current));
}

void ExpiryQueue::dropStale()
{
    while (!m_entries.empty()) {
        const auto &[at, key] = m_entries.top();
        const auto found = m_locks.find(key);
        if (found == m_locks.end() || found->second.expiryAt != at) {
            m_entries.pop();
            continue;
        }
        const TimePoint expected = checkAt(found->second);
        if (expected <= at)
            return;
        m_entries.pop();
        push(found->second, expected);
    }
}

std::optional<TimePoint> ExpiryQueue::next()
{
    dropStale();
    return m_entries.empty() ? std::nullopt : std::optional(m_entries.top().first);
}

QList<LockKey> ExpiryQueue::takeExpired(TimePoint now, qsizetype max)
{
    QList<LockKey> keys;
    for (dropStale(); keys.size() < max && !m_entries.empty() && m_entries.top().first <= now; dropStale()) {
        keys.append(m_entries.top().second);
        m_locks.find(keys.last())->second.expiryAt = TimePoint::max();
        m_entries.pop();
    }
    return keys;
}

} // namespace lockscope
