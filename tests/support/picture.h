// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/model/names.h"

#include <QHash>

namespace lockscope {

/// The locks according to diffs, and events as "kind key" lines.
struct DisplayedState
{
    void take(const LockDiff &diff)
    {
        for (const LockKey &key : diff.removed)
            locks.remove(key.bytes);
        for (const WatchedLock &lock : diff.changed)
            locks[lock.key().bytes] = lock;
        for (const LockEvent &event : diff.events)
            events += eventName(event.kind) + ' ' + event.address.key.bytes;
    }

    QHash<QByteArray, WatchedLock> locks;
    QByteArrayList events;
};

} // namespace lockscope
