// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/knownlock.h"

#include <QList>

#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace lockscope {

/// Predicts when known locks expire. A renewal costs nothing: the entry is corrected when the earlier moment
/// comes. Does not own the locks.
class ExpiryQueue
{
public:
    explicit ExpiryQueue(KnownLocks &locks) : m_locks(locks) {}

    void expect(KnownLock &known);
    void clear();

    /// The time when the first lock should have expired, plus a margin for the server.
    std::optional<TimePoint> next();
    /// Locks that should have expired by now; each once until it is read again.
    QList<LockKey> takeExpired(TimePoint now, qsizetype max);

private:
    using Entry = std::pair<TimePoint, LockKey>;

    void push(KnownLock &known, TimePoint at);
    void rebuild();
    void dropStale();

    KnownLocks &m_locks;
    /// Entries may be earlier than the expiry, or for one that was canceled.
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_entries;
};

} // namespace lockscope
