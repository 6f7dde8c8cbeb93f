// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/simulation/model/histogram.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

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
enum class OverlapCause : quint8 {
    None,
    LeaseEnded, ///< of the one who was inside
    CameLate,   ///< the lease of the one who entered had ended before it did
    ServerLostData,
};

/// One finding, with what is needed to tell it as a story.
struct Violation
{
    ViolationKind kind = ViolationKind::Overlap;
    OverlapCause explanation = OverlapCause::None;
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

/// "W3 held sim:herd:1 since 1.204 s; its lease had ended 48 ms ago; W7 entered at 1.352 s."
Phrase storyOf(const Violation &violation, const QList<QByteArray> &keys);

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

    qint64 violations() const;
    bool isClean() const { return violations() == 0; }
};

/// What counts the violations of each kind, in their order.
constexpr qint64 Findings::*violationCounts[] = {
    &Findings::overlaps,        &Findings::foreignReleases, &Findings::orphans, &Findings::lostWakeUps,
    &Findings::fenceViolations, &Findings::staleWrites,     &Findings::leaks};
static_assert(std::size(violationCounts) == size_t(ViolationKind::Leak) + 1);

} // namespace lockscope
