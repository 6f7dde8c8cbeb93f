// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

#include <deque>

namespace lockscope {

/// The last events of all locks, so that a lock chosen late still has its past. Bounded: the oldest are
/// forgotten.
class EventStore
{
public:
    explicit EventStore(size_t most = 20'000) : m_most(most) {}

    void append(const QList<LockEvent> &events);
    /// At most `most` events of one key, newest first.
    QList<LockEvent> of(const LockKey &key, qsizetype most) const;

private:
    size_t m_most;
    std::deque<LockEvent> m_events;
};

} // namespace lockscope
