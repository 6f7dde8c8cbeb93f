// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/waitforgraph.h"
#include "ui/locks/ownernames.h"
#include "ui/locks/waitindex.h"

namespace lockscope {

// What is said of those that wait. Pure.

/// Each one of the cycle in a line: "A holds order:1 and waits for order:2".
QStringList cycleText(const Deadlock &deadlock, const WaitIndex &index, const OwnerNames &names);

/// Where the owner of a lock waits itself: "Its owner waits for order:2, which B holds."; empty where that is not known.
QString waitsOfOwner(const Lock &lock, const WaitIndex &index, const OwnerNames &names);

/// How many wait behind a lock, for it or for what its waiters hold: "3", "≥ 3" where there may be more, "0" only where it is
/// known that nobody does; empty where nothing is known.
QString blocksText(const Lock &lock, const WaitIndex &index);
/// The same in a sentence that tells both kinds apart; empty where nothing is known.
QString blocksSentence(const Lock &lock, const WaitIndex &index);
/// For how many locks its owners wait; empty where none is known, which is not none.
QString waitsForText(const Lock &lock, const WaitIndex &index);
/// "≥ 3 min 12 s", of those that wait since they were seen to.
QString waitedText(milliseconds waited);

} // namespace lockscope
