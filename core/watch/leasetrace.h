// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/eventlog.h"

#include <QList>

#include <deque>
#include <optional>

namespace lockscope {

/// A time during which one thing is known of a lock's lease, or nothing.
struct LeaseStretch
{
    enum class Is : quint8 {
        Unknown, ///< nobody watched, or the watching had a gap
        Free,    ///< there was no lock
        Held,    ///< its time left fell by time alone
        Endless, ///< held without expiry
    };

    Is is = Is::Unknown;
    qint64 fromMs = 0; ///< epoch ms
    qint64 toMs = 0;
    milliseconds leftAtStart{0};  ///< Held
    bool beginsByRenewal = false; ///< Held

    /// Held: what was left then; zero where the lease was over.
    milliseconds leftAt(qint64 atMs) const;
};

/// The lease of one lock over the last minutes, as its events tell: also of the time before anybody asked. Time left falls by
/// time alone, so that only changes of its end are kept: the last 64. What came before this machine's clock was set back, by more
/// than threads may differ, is unknown.
class LeaseTrace
{
public:
    static constexpr size_t mostMarks = 64;
    /// In a row: the further ones are one with the last, so that a node that comes and goes leaves room for the lease.
    static constexpr qsizetype mostGapMarks = 8;

    /// Follows another lock, nullopt for none, from what the log still has of it.
    void follow(const EventLog &log, const std::optional<LockKey> &key);
    /// Takes what was added to the log since.
    void update(const EventLog &log);

    /// From one moment to another, without holes; empty where nothing was seen. What comes before the first event is unknown,
    /// and what lies between a gap and the next event.
    QList<LeaseStretch> between(qint64 fromMs, qint64 toMs) const;
    std::optional<qint64> firstMs() const;

private:
    struct Mark
    {
        enum class Kind : quint8 { Set, Renewed, Ended, Unknown, GapBegins, GapEnds };
        bool isGap() const { return kind == Kind::GapBegins || kind == Kind::GapEnds; }

        Kind kind = Kind::Set;
        qint64 atMs = 0;
        CompactOptional<milliseconds> left; ///< of Set and Renewed; absent: no expiry
    };

    std::optional<Mark> markOf(const EventLog &log, qint64 number) const;
    void add(const Mark &mark);
    size_t firstOfClock() const;

    std::optional<LockKey> m_key;
    qint64 m_next = 0; ///< of the log
    std::deque<Mark> m_marks;
};

} // namespace lockscope
