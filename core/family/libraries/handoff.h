// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

namespace lockscope {

/// The companion keys of a handoff lock, as the scripts of lua/handoff/ take them.
struct HandoffKeys
{
    QByteArray queue;
    QByteArray waiters;
    QByteArray fence;

    explicit HandoffKeys(const LockKey &lock);
};

QByteArray handoffChannel(const LockKey &lock, const OwnerId &owner);

} // namespace lockscope
