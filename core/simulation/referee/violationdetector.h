// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/histogram.h"

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
        Enter,        ///< into the critical section, after the acquisition was answered
        Leave,        ///< before the release is sent, after the last write to what the lock protects
        Crash,        ///< dead, inside or outside: writes nothing more
        Deleting,     ///< about to delete the lock
        Deleted,      ///< the server said that it deleted it
        Renewed,      ///< a new lease; leaseEnds says until when
        Leaked,       ///< believes to have released what the server says it still holds
        ServerLosing, ///< the server is about to lose its data: locks end before their leases
        ServerLost,   ///< it has
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

enum class ViolationKind : quint8 {
    Overlap,        ///< two workers inside at once
    ForeignRelease, ///< a lock deleted from under another owner
    Orphan,         ///< a lock without expiry that nobody will end
    LostWakeUp,     ///< the lock was free, and the waiter slept on
    FenceRepeated,  ///< a token that is not larger than the one before
    StaleWrite,     ///< written after another had entered, and nothing stopped it
    Leak,           ///< left locked by an owner that believes to have released it
};

/// Why two were inside although the lock worked as its algorithm promises.
enum class Explanation : quint8 {
    None,
    LeaseEnded, ///< of the one who was inside
    CameLate,   ///< the lease of the one who entered had ended before it did
    ServerLostData,
};

/// One finding, with what is needed to tell it as a story.
struct Violation
{
    ViolationKind kind = ViolationKind::Overlap;
    Explanation explanation = Explanation::None;
    int lock = 0;
    int holder = -1;   ///< who held, or was to be protected; -1: nobody known
    int intruder = -1; ///< who entered, deleted, wrote or slept
    microseconds holderEntered{0};
    microseconds at{0}; ///< since the run's start
    microseconds since{
        0}; ///< LeaseEnded, CameLate: that lease had ended so long ago; LostWakeUp: free for so long
    qint64 fence = -1; ///< FenceRepeated, StaleWrite: the token, and the one before
    qint64 fenceBefore = -1;
};

/// "W3 held sim:herd:1 since 1.204 s; its lease had ended 48 ms ago; W7 entered at 1.352 s." Translated.
QString describe(const Violation &violation, const QList<QByteArray> &keys);

/// What the referee counted.
struct Findings
{
    qint64 overlaps = 0;            ///< all of them
    qint64 unexplainedOverlaps = 0; ///< those that neither lease nor lost data explain
    qint64 foreignReleases = 0;
    qint64 orphans = 0;
    qint64 lostWakeUps = 0;
    qint64 fenceViolations = 0;
    qint64 staleWrites = 0;    ///< accepted
    qint64 rejectedWrites = 0; ///< stale, and rejected by their fencing token
    qint64 leaks = 0;
    Histogram handoff;         ///< from a holder's leave to the entrance of one who had been waiting then
    QList<Violation> examples; ///< the first hundred, and the first of each sort

    bool isClean() const;
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
    void judgeWakeUp(const Section &section, const RefereeEvent &event);
    void overlap(const Section &section, const Occupant &intruder, int lock);
    Explanation explain(const Occupant &holder, const Occupant &intruder) const;
    void leave(Section &section, const RefereeEvent &event);
    void crash(Section &section, const RefereeEvent &event);
    void deleted(Section &section, const RefereeEvent &event);

    microseconds m_start;
    QHash<int, Section> m_sections;
    bool m_losing = false;
    microseconds m_lostAt{-1};
    Findings m_findings;
    QSet<ViolationKind> m_kept; ///< of which there is a story
};

} // namespace lockscope
