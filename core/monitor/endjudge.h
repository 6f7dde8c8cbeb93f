// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/monitor/servercounters.h"

#include <QHash>

#include <deque>

namespace lockscope {

/// Tells how locks ended, by what their server has counted between two moments: one before the lock was last seen, and one after
/// it was seen gone. A cause that the server can't have had is ruled out. What is left is told where it is one, else the lock has
/// vanished, with all that is possible. Keeps the order of events: an end waits for the next counters, and what comes after it
/// waits with it. Pure.
class EndJudge
{
public:
    /// Another connection. `isSameProcess`: it goes on counting.
    void connected(bool isSameProcess, TimePoint now);
    /// Whether its counters tell of all ends: not those of a replica, which is told of them by its primary.
    void setCounts(bool counts) { m_counts = counts; }
    bool counts() const { return m_counts; }

    /// In the order of the server's replies, but before those of the same batch, behind which they were asked.
    void take(const ServerCounters &counters);
    /// The server has told that this happened to the key.
    void note(const LockKey &key, EventKind end, TimePoint at);

    /// Takes new events, and returns those that can be told now.
    QList<LockEvent> settle(const QList<LockEvent> &events);
    /// What waits is told by what is known: there will be no other counters.
    QList<LockEvent> settleAll();
    /// The next counters are wanted.
    bool isWaiting() const { return !m_waiting.isEmpty(); }

    /// The last ones.
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

    std::deque<ServerCounters> m_samples; ///< by time; the older, the fewer
    TimePoint m_countsSince;              ///< of what came before nothing can be compared
    QHash<LockKey, Note> m_notes;
    QList<LockEvent> m_waiting;
    bool m_counts = false;
};

} // namespace lockscope
