// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/phrase.h"
#include "core/simulation/model/histogram.h"

#include <QByteArray>
#include <QList>

namespace lockscope {

enum class ViolationKind : quint8 {
    Overlap,        ///< two workers in the critical section
    ForeignRelease, ///< a release deleted another owner's lock
    Orphan,         ///< a lock without expiry that no worker will end
    LostWakeUp,     ///< the lock was free, but a waiter was not woken
    FenceRepeated,  ///< a token not larger than the previous one
    StaleWrite,     ///< accepted, although another worker had entered before
    Leak,           ///< left locked by an owner that believes to have released it
};

/// Why two workers overlapped although the lock kept its algorithm's promise.
enum class OverlapCause : quint8 {
    None,
    LeaseEnded, ///< lease of the worker inside
    CameLate,   ///< the entering worker's lease had already ended
    ServerLostData,
};

struct Violation
{
    ViolationKind kind = ViolationKind::Overlap;
    OverlapCause explanation = OverlapCause::None;
    int lock = 0;
    int holder = -1;   ///< held the lock, or was to be protected; -1: unknown
    int intruder = -1; ///< entered, deleted, wrote or was not woken
    microseconds holderEntered{0};
    microseconds at{0};    ///< since the run's start
    microseconds since{0}; ///< LeaseEnded, CameLate: time since that lease ended; LostWakeUp: time free
    qint64 fence = -1;     ///< FenceRepeated, StaleWrite: the token, and the previous one
    qint64 fenceBefore = -1;
};

/// A sentence: "W3 held sim:herd:1 since 1.204 s; its lease had ended 48 ms ago; W7 entered at 1.352 s."
Phrase storyOf(const Violation &violation, const QList<QByteArray> &keys);

struct Findings
{
    qint64 overlaps = 0;
    qint64 unexplainedOverlaps = 0; ///< neither lease nor lost data explain them
    qint64 foreignReleases = 0;
    qint64 orphans = 0;
    qint64 lostWakeUps = 0;
    qint64 fenceViolations = 0;
    qint64 staleWrites = 0;
    qint64 rejectedWrites = 0; ///< stale, and rejected by their fencing token
    qint64 leaks = 0;
    Histogram handoff;         ///< from a holder's leave to the entrance of a worker that was waiting then
    QList<Violation> examples; ///< the first hundred, and the first of each kind

    qint64 violations() const;
    bool isClean() const { return violations() == 0; }
};

/// Counters of the violations, in the order of their kinds.
constexpr qint64 Findings::*violationCounts[] = {
    &Findings::overlaps,        &Findings::foreignReleases, &Findings::orphans, &Findings::lostWakeUps,
    &Findings::fenceViolations, &Findings::staleWrites,     &Findings::leaks};
static_assert(std::size(violationCounts) == size_t(ViolationKind::Leak) + 1);

} // namespace lockscope
