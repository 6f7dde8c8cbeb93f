// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// Why a token does not tell one holder from another.
enum class WeakToken : quint8 {
    No,
    Constant, ///< every holder writes the same: two in a row look like one
    Number,   ///< a process id at best, which other hosts and later processes have too
    Time,     ///< of the acquisition: differs from one to the next, but names nobody
};

/// Of what holders of this lock write for themselves, as it is stored: a codec's quotes are no part of it. Pure.
WeakToken weakToken(const LockKey &key, QByteArrayView stored);
/// Of a lock of one holder, kept as a string or as a hash of nobody in particular. Pure.
WeakToken weakTokenOf(const Lock &lock);

/// The next holder may write the very same: that nothing has changed is no sign then that it is still the same one.
bool mayRepeat(WeakToken weak);
bool mayRepeat(const Lock &lock);
/// Its owner's id names a thread, a process or a client: who releases the lock and acquires it again between two readings
/// has the same one, and that looks like a renewal. Pure.
bool mayReturn(const Lock &lock);
/// The lease of an owner that may return was set anew, so long after it had been set: sooner than those that keep a lock do it.
/// Then it may have been released and acquired again. Pure.
bool mayHaveReturned(milliseconds after, milliseconds lease);

} // namespace lockscope
