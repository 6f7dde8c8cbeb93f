// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"

namespace lockscope {

/// Why a token does not tell one holder from another.
enum class WeakToken : quint8 {
    No,
    Constant, ///< every holder writes the same: two in a row look like one
    Number,   ///< a process id at best, which other hosts and later processes have too
    Time,     ///< of the acquisition: differs from one to the next, but names nobody
};

/// Of a lock kept as a string. Pure.
WeakToken weakTokenOf(const Lock &lock);

} // namespace lockscope
