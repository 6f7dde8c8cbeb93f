// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/ownernames.h"
#include "core/table/waitindex.h"
#include "core/watch/waitforgraph.h"

namespace lockscope {

// What is said of those that wait. Pure.

/// Describes each owner of the cycle in a line: "A holds order:1 and waits for order:2".
QStringList cycleText(const Deadlock &deadlock, const WaitIndex &index, const OwnerNames &names);

/// "The owner waits for order:2 (owner: B)."; empty if no such wait is known.
QString waitsOfOwner(const Lock &lock, const WaitIndex &index, const OwnerNames &names);

/// Number of waiters behind a lock and behind locks that they hold: "3", "≥ 3" if there may be more, "0" only
/// if exact; empty if unknown.
QString blocksText(const Lock &lock, const WaitIndex &index);
/// A sentence with both kinds of waiters behind a lock; empty if unknown.
QString blocksSentence(const Lock &lock, const WaitIndex &index);
/// Number of locks that its owners wait for; empty if none is known.
QString waitsForText(const Lock &lock, const WaitIndex &index);
/// "≥ 3 min 12 s", since the wait was first seen.
QString waitedText(milliseconds waited);

} // namespace lockscope
