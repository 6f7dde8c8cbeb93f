// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/knownlock.h"

#include <QList>

#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace lockscope {

/// Predicts when known locks expire. A lease that is renewed costs nothing here: its entry is corrected when the earlier
/// moment comes. Owns no lock.
class ExpiryQueue
{
public:
    explicit ExpiryQueue(KnownLocks &locks) : m_locks(locks) {}

    /// A lock was read: it may expire at another moment than before.
    void expect(KnownLock &known);
    void clear();

    /// When the first lock should have expired; a moment later, so that the server has noticed.
    std::optional<TimePoint> next();
    /// Locks that should have expired by now; each once, until it is read again.
    QList<LockKey> takeExpired(TimePoint now, qsizetype max);

private:
    using Entry = std::pair<TimePoint, LockKey>;

    void push(KnownLock &known, TimePoint at);
    void rebuild();
    void dropStale();

    KnownLocks &m_locks;
    /// Some stand here earlier than they will expire, or for an expiry that will never be.
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_entries;
};

} // namespace lockscope
