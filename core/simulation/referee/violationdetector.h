// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/findings.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QString>

#include <optional>
#include <vector>

namespace lockscope {

/// An event reported to a referee, in order of time. Times are of one clock for all workers.
struct RefereeEvent
{
    enum class Kind : quint8 {
        Enter,        ///< the critical section, after the acquisition was answered
        Leave,        ///< before the release is sent, after the last protected write
        Crash,        ///< inside or outside: no more writes
        Deleting,     ///< before the command is sent
        Deleted,      ///< confirmed by the server
        Renewed,      ///< a new lease until leaseEnds
        Leaked,       ///< the worker believes to have released a lock that the server still holds
        ServerLosing, ///< the server is about to lose its data: locks end before their leases
        ServerLost,
        ProcessStalled, ///< a process' workers are stopped: a woken one does not come
        ProcessResumed,
    };

    Kind kind = Kind::Enter;
    int lock = 0;
    int worker = 0;
    microseconds at{0};
    qint64 fence = -1; ///< Enter: fencing token
    microseconds asked{
        0}; ///< Enter: when the successful attempt was sent, or the last one before the handoff
    microseconds leaseEnds{0}; ///< Enter, Renewed: earliest end, as far as the worker can know
    microseconds granted{0}; ///< Enter after a handoff: its lease, from some moment after the holder's leave
    microseconds waited{0};  ///< Enter: since the first attempt
    bool byTimer = false;    ///< Enter: it relied on being woken, but its own timer ended first
};

/// Finds violations in an ordered list of events alone. Pure.
class ViolationDetector
{
public:
    explicit ViolationDetector(microseconds start = microseconds{0});

    void take(const RefereeEvent &event);
    void add(const Violation &violation); ///< orphans and leaks, found by others
    const Findings &findings() const { return m_findings; }

private:
    struct Occupant
    {
        int worker;
        microseconds entered;
        microseconds asked; ///< the lock is not older
        microseconds leaseEnds;
        qint64 fence;
        qint64 entry;        ///< number of its entrance to the lock
        bool isLate = false; ///< another worker had entered before its delete began
    };
    struct Section
    {
        std::vector<Occupant> inside;
        std::vector<Occupant> left; ///< each worker's last stay, until its next: a delete may follow
        qint64 entries = 0;
        qint64 highestFence = -1;
        microseconds lastLeave{-1};
        std::optional<microseconds> freed; ///< when the last release was answered
        bool released = false;             ///< lastLeave was a leave, not a crash
        bool leftInTime = false;           ///< its lease had not ended: the lock was not acquired before
    };

    void enter(Section &section, const RefereeEvent &event);
    void checkWakeUp(const Section &section, const RefereeEvent &event);
    void overlap(const Section &section, const Occupant &intruder, int lock);
    OverlapCause explain(const Occupant &holder, const Occupant &intruder) const;
    void leave(Section &section, const RefereeEvent &event);
    void crash(Section &section, const RefereeEvent &event);
    void deleted(Section &section, const RefereeEvent &event);
    Violation violationBy(ViolationKind kind,
                          const RefereeEvent &event) const; ///< by this worker, now

    microseconds m_start;
    QHash<int, Section> m_sections;
    bool m_losing = false;
    microseconds m_lostAt{-1};
    int m_stalled = 0; ///< number of stopped processes
    std::optional<microseconds> m_resumedAt;
    Findings m_findings;
    QSet<ViolationKind> m_kept;
};

} // namespace lockscope
