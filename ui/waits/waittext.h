// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/waitforgraph.h"
#include "ui/locks/ownernames.h"

namespace lockscope {

class WaitIndex;

// What is said of those that wait. Pure.

/// Each one of the cycle in a line: "A holds order:1 and waits for order:2".
QStringList cycleText(const Deadlock &deadlock, const WaitIndex &index, const OwnerNames &names);

/// Where the owner of a lock waits itself: "Its owner waits for order:2, which B holds."; empty where that is not known.
QString waitsOfOwner(const Lock &lock, const WaitIndex &index, const OwnerNames &names);

} // namespace lockscope
