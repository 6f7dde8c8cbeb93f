// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// Why a token does not distinguish holders.
enum class WeakToken : quint8 {
    No,
    Constant, ///< all holders write the same: two in a row look like one
    Number,   ///< a process ID at best, which other hosts and later processes have too
    Time,     ///< time of the acquisition: differs each time, but names nobody
};

/// The weakness of a token as stored, without a codec's quotes. Pure.
WeakToken weakToken(const LockKey &key, QByteArrayView stored);
/// The weakness of the token of a lock with one holder: a string, or a hash of any library. Pure.
WeakToken weakTokenOf(const Lock &lock);

/// True if the next holder may write the same value: an unchanged value then does not prove the same holder.
bool mayRepeat(WeakToken weak);
bool mayRepeat(const Lock &lock);
/// True if the owner ID names a thread, process or client: releasing and acquiring again between two readings
/// looks like a renewal. Pure.
bool mayReturn(const Lock &lock);
/// True if an owner that may return set its lease again too soon for a renewal: it may have released and
/// acquired again. Pure.
bool mayHaveReturned(milliseconds after, milliseconds lease);

} // namespace lockscope
