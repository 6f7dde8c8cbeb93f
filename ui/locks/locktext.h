// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/lockstate.h"
#include "core/watch/clusterstatus.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/glyph.h"
#include "ui/widgets/palette.h"

#include <QString>

namespace lockscope {

// What the table and the inspector say of a lock, in short.

QString stateWord(LockState state); ///< translated
Glyph stateGlyph(LockState state);
StatusColor stateColor(LockState state);
/// "12.4 s" below a minute, then "3 min 12 s": a countdown that is calm to look at.
QString countdown(milliseconds left);
/// What countdown() writes of it: the same for two that it writes alike.
milliseconds countedPart(milliseconds left);
QString ttlText(const Lock &lock,
                TimePoint now); ///< "no expiry", "ended", or a countdown; "≥" beyond the horizon
QString ttlText(const WatchedLock &lock, TimePoint now); ///< "unknown" where it may not be read any more
QString heldText(const WatchedLock &lock,
                 TimePoint now); ///< "≥" where the monitor came late; "≤" or "unknown" of a weak token
/// What time has changed in ttlText() and heldText(): of one reading of a lock, texts with the same part are the same.
milliseconds ttlPart(const WatchedLock &lock, TimePoint now);
milliseconds heldPart(const WatchedLock &lock, TimePoint now);
QString holdsText(const Lock &lock);                          ///< "2"; as stored where it is no count
QString ownerText(const Lock &lock, const OwnerNames &names); ///< the first owner and how many more there are
QString ownerToolTip(const Lock &lock,
                     const OwnerNames &names); ///< its whole id, below its name where it has one
/// "3" where each is known, "≥ 2" where there may be more; empty where nothing is known.
QString waiterCountText(const WatchedLock &lock);
/// The same with those that are dead: "3 (1 dead)".
QString waitersText(const WatchedLock &lock);
/// The same in a sentence that says how far it can be trusted; empty where nothing is to be said.
QString waitersSentence(const Lock &lock);
/// How a state is said and drawn.
struct StateAppearance
{
    QString word;
    Glyph glyph;
    StatusColor color;
};
/// The same in the table and in the inspector: the state where it is a problem; else the first problem there is; else the
/// state.
StateAppearance appearanceOf(const WatchedLock &lock, LockState state);
QStringList stateTexts();                ///< all words that it can have
QString problemsText(Problems problems); ///< short words, by severity
/// The same, and that it is stalled, or held unusually long, where it is.
QString problemsText(const WatchedLock &lock, TimePoint now);
/// The state, and all else that somebody has to look at: for who does not see the row.
QString stateInWords(const WatchedLock &lock, TimePoint now);
QString problemSentences(Problems problems); ///< a line each
/// The same, and that it is held unusually long, where it is.
QString problemSentences(const WatchedLock &lock, TimePoint now);

/// In a cluster the node that keeps the lock, in short and in full; in a Redlock group how many servers have it, and what that
/// means. Empty elsewhere.
QString nodeText(const Lock &lock, const ClusterStatus &cluster);
QString nodeToolTip(const Lock &lock, const ClusterStatus &cluster);

} // namespace lockscope
