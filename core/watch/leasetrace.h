// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/eventlog.h"

#include <QList>

#include <deque>
#include <optional>

namespace lockscope {

/// A period in which a lock's lease is known by one rule, or unknown.
struct LeaseStretch
{
    enum class Is : quint8 {
        Unknown, ///< not monitored, or a gap
        Free,
        Held,    ///< the time left fell only by the passing of time
        Endless, ///< held without expiry
    };

    Is is = Is::Unknown;
    qint64 fromMs = 0; ///< epoch ms
    qint64 toMs = 0;
    milliseconds leftAtStart{0};  ///< Held
    bool beginsByRenewal = false; ///< Held

    /// Held: the time left then; zero if expired.
    milliseconds leftAt(qint64 atMs) const;
};

/// The lease of one lock over the last minutes, by its events, even from before it was selected. Keeps only
/// changes of the expiry, the last 64. Times before this machine's clock was set back, by more than threads
/// may differ, are unknown.
class LeaseTrace
{
public:
    static constexpr size_t maxMarks = 64;
    /// Limit in a row; further gaps are merged with the last: a flapping node leaves room for the lease.
    static constexpr qsizetype maxGapMarks = 8;

    /// Switches to another lock (absent: none), with its events in the log.
    void follow(const EventLog &log, const std::optional<LockKey> &key);
    void update(const EventLog &log);

    /// The stretches of a period, without holes; empty if nothing was seen. Unknown before the first event,
    /// and between a gap and the next event.
    QList<LeaseStretch> between(qint64 fromMs, qint64 toMs) const;
    std::optional<qint64> firstMs() const;

private:
    struct Mark
    {
        enum class Kind : quint8 { Set, Renewed, Ended, Unknown, GapBegins, GapEnds };
        bool isGap() const { return kind == Kind::GapBegins || kind == Kind::GapEnds; }

        Kind kind = Kind::Set;
        qint64 atMs = 0;
        CompactOptional<milliseconds> left; ///< for Set and Renewed; absent: no expiry
    };

    std::optional<Mark> markOf(const EventLog &log, qint64 number) const;
    void add(const Mark &mark);
    size_t firstOfClock() const;

    std::optional<LockKey> m_key;
    qint64 m_next = 0;
    std::deque<Mark> m_marks;
};

} // namespace lockscope
