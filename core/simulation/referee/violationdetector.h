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

/// What a referee was told, in the order in which it happened. Times are of one clock for all workers.
struct RefereeEvent
{
    enum class Kind : quint8 {
        Enter,          ///< into the critical section, after the acquisition was answered
        Leave,          ///< before the release is sent, after the last write to what the lock protects
        Crash,          ///< dead, inside or outside: writes nothing more
        Deleting,       ///< about to delete the lock
        Deleted,        ///< the server said that it deleted it
        Renewed,        ///< a new lease; leaseEnds says until when
        Leaked,         ///< believes to have released what the server says it still holds
        ServerLosing,   ///< the server is about to lose its data: locks end before their leases
        ServerLost,     ///< it has
        ProcessStalled, ///< the workers of a process stand still: whoever is woken there does not come
        ProcessResumed,
    };

    Kind kind = Kind::Enter;
    int lock = 0;
    int worker = 0;
    microseconds at{0};
    int insideBefore = 0; ///< Enter: how many were inside, by the referee's own counter
    qint64 fence = -1;    ///< Enter: the fencing token
    microseconds asked{
        0}; ///< Enter: when the attempt was sent that got the lock, or the last one before the hand-over
    microseconds leaseEnds{0}; ///< Enter, Renewed: not before this moment, as far as the worker can know
    microseconds granted{0}; ///< Enter of a lock that was handed over: its lease, from some moment after the
                             ///< holder's leave
    microseconds waited{0};  ///< Enter: since the worker began to want the lock
    bool byTimer = false;    ///< Enter: it relied on being woken, but its own timer ended first
};

/// Decides from an ordered list of events alone. Pure: the same events give the same findings.
class ViolationDetector
{
public:
    explicit ViolationDetector(microseconds start = microseconds{0});

    void take(const RefereeEvent &event);
    void add(const Violation &violation); ///< found by others: orphans, leaks
    const Findings &findings() const { return m_findings; }

private:
    struct Occupant
    {
        int worker;
        microseconds entered;
        microseconds asked; ///< its lock is not older
        microseconds leaseEnds;
        qint64 fence;
        qint64 entry;        ///< which entrance of the lock it was
        bool isLate = false; ///< another had entered when it set out to delete
    };
    struct Section
    {
        std::vector<Occupant> inside;
        std::vector<Occupant> left; ///< of each worker its last stay, until its next: a delete may follow
        qint64 entries = 0;
        qint64 highestFence = -1;
        microseconds lastLeave{-1};
        std::optional<microseconds> freed; ///< when the server had answered the release of who left then
        bool released = false;             ///< lastLeave was a leave, not a crash
        bool leftInTime = false;           ///< and the lease had not ended: nobody was given the lock before
    };

    void enter(Section &section, const RefereeEvent &event);
    void checkWakeUp(const Section &section, const RefereeEvent &event);
    void overlap(const Section &section, const Occupant &intruder, int lock);
    OverlapCause explain(const Occupant &holder, const Occupant &intruder) const;
    void leave(Section &section, const RefereeEvent &event);
    void crash(Section &section, const RefereeEvent &event);
    void deleted(Section &section, const RefereeEvent &event);
    Violation violationBy(ViolationKind kind,
                          const RefereeEvent &event) const; ///< by this worker, at this moment

    microseconds m_start;
    QHash<int, Section> m_sections;
    bool m_losing = false;
    microseconds m_lostAt{-1};
    int m_stalled = 0; ///< processes that stand still
    std::optional<microseconds> m_resumedAt;
    Findings m_findings;
    QSet<ViolationKind> m_kept; ///< of which there is a story
};

} // namespace lockscope
