// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// The keys of a hand-off lock beside its own, as the scripts of lua/handoff/ take them.
struct HandoffKeys
{
    QByteArray queue;
    QByteArray waiters;
    QByteArray fence;

    explicit HandoffKeys(const LockKey &lock);
};

/// The channel on which an owner hears that a hand-off lock was passed to it.
QByteArray handoffChannel(const LockKey &lock, const OwnerId &owner);

} // namespace lockscope
