// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/monitor/servercounters.h"

#include <QHash>

#include <deque>

namespace lockscope {

/// Determines how locks ended from server counters at two moments: before the lock was last seen, and after
/// it was seen gone. Causes that the counters rule out are dropped; a single remaining one is reported,
/// otherwise the lock has Vanished with all possible causes. Keeps the order of events: an end waits for the
/// next counters, and later events wait with it. Pure.
class EndCauseResolver
{
public:
    /// Starts a connection. `isSameProcess`: the counters continue.
    void connected(bool isSameProcess, TimePoint now);
    /// Whether the counters include all ends: not on a replica, whose primary sends them.
    void setCounts(bool counts) { m_counts = counts; }
    bool counts() const { return m_counts; }

    /// Takes counters in the order of the replies, but before the reads of the same batch.
    void take(const ServerCounters &counters);
    /// Records that the server has reported this end of the key.
    void note(const LockKey &key, EventKind end, TimePoint at);

    /// Takes new events, and returns those that can be reported now.
    QList<LockEvent> settle(const QList<LockEvent> &events);
    /// Returns all waiting events with what is known: no more counters will come.
    QList<LockEvent> settleAll();
    /// True if the next counters are needed.
    bool isWaiting() const { return !m_waiting.isEmpty(); }

    const ServerCounters *latest() const { return m_samples.empty() ? nullptr : &m_samples.back(); }

private:
    struct Note
    {
        EventKind end;
        TimePoint at;
    };
    void beginAnew(TimePoint now);
    bool isReady(const LockEvent &event) const;
    void judge(LockEvent &event) const;
    EndKinds possibleEnds(const LockEvent &event) const;

    std::deque<ServerCounters> m_samples; ///< by time; fewer of the older ones
    TimePoint m_countsSince;              ///< earlier counters cannot be compared
    QHash<LockKey, Note> m_notes;
    QList<LockEvent> m_waiting;
    bool m_counts = false;
};

} // namespace lockscope
