// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockstate.h"
#include "core/table/look.h"
#include "core/table/ownernames.h"
#include "core/watch/clusterstatus.h"

#include <QString>

namespace lockscope {

// What the table and the inspector say of a lock, in short.

QString stateWord(LockState state); ///< translated
Glyph stateGlyph(LockState state);
StatusColor stateColor(LockState state);
/// Formats the time left: "12.4 s" below a minute, then "3 min 12 s".
QString countdown(milliseconds left);
/// Returns the part of `left` that countdown() shows; equal for equal texts.
milliseconds countedPart(milliseconds left);
QString ttlText(const Lock &lock,
                TimePoint now); ///< "no expiry", "expired" or a countdown; "≥" beyond the horizon
QString ttlText(const WatchedLock &lock, TimePoint now); ///< "unknown" if the lock is no longer readable
QString heldText(const WatchedLock &lock,
                 TimePoint now); ///< "≥" if acquired before watching began; "≤" or "unknown" for a weak token
/// Returns the time that ttlText() and heldText() show: for one reading, equal parts have equal texts.
milliseconds ttlPart(const WatchedLock &lock, TimePoint now);
milliseconds heldPart(const WatchedLock &lock, TimePoint now);
QString holdsText(const Lock &lock);                          ///< "2"; as stored if it is no number
QString ownerText(const Lock &lock, const OwnerNames &names); ///< first owner and number of others
QString ownerToolTip(const Lock &lock,
                     const OwnerNames &names); ///< full ID, below its name if it has one
/// "3" if exact, "≥ 3" if there may be more; empty if unknown.
QString waiterCountText(const WatchedLock &lock);
/// Waiter count with the dead waiters: "3 (1 dead)".
QString waitersText(const WatchedLock &lock);
/// A sentence on the waiters and how certain their count is; empty if nothing is known.
QString waitersSentence(const Lock &lock);
struct StateAppearance
{
    QString word;
    Glyph glyph;
    StatusColor color;
    int more = 0; ///< further problems

    QString moreText() const { return more > 0 ? u'+' + QString::number(more) : QString(); }
    QString text() const { return more > 0 ? word + u' ' + moreText() : word; }
};
/// Returns the state if it is a problem, and the corruption for a corrupt lock; otherwise the most harmful
/// problem, or the state without problems.
StateAppearance appearanceOf(const WatchedLock &lock, LockState state);
/// Returns the anchor of the help for what the state column says.
QString helpTopicOf(const WatchedLock &lock, TimePoint now);
StateAppearance goneAppearance();
/// Counts a hold of unusual length among the further problems.
StateAppearance appearanceOf(const WatchedLock &lock, TimePoint now);
QString problemsText(Problems problems); ///< short words, by severity
/// Problems of a lock, including stalled and held unusually long.
QString problemsText(const WatchedLock &lock, TimePoint now);
/// The state and all problems, for screen readers.
QString stateInWords(const WatchedLock &lock, TimePoint now);
QString problemSentences(Problems problems); ///< one per line
/// Sentences on the problems of a lock, including held unusually long.
QString problemSentences(const WatchedLock &lock, TimePoint now);

/// The node of a lock in a cluster, short and full; in a Redlock group the number of servers that have it and
/// what that means. Empty elsewhere.
QString nodeText(const Lock &lock, const ClusterStatus &cluster);
QString nodeToolTip(const Lock &lock, const ClusterStatus &cluster);

} // namespace lockscope
