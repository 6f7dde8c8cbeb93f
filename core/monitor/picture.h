// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/lockstore.h"
#include "core/monitor/readages.h"

namespace lockscope {

/// The known locks with the moments that matter for each: when it was last read, and when it should have ended.
class Picture
{
public:
    LockStore locks;
    ReadAges ages;
    Schedule ends; ///< just after each predicted end

    /// `isTold`: changes of this key are told.
    void apply(const Inspection &inspection, TimePoint now, bool isTold)
    {
        locks.apply(inspection, now);
        if (!inspection.lock)
            return dropMoments(inspection.key);
        ages.set(inspection.key, now, isTold);
        if (inspection.lock->deadline)
            ends.set(inspection.key, inspection.lock->deadline->latest + afterEnd);
        else
            ends.remove(inspection.key);
    }

    /// Without an event: it is only not watched any more.
    void forget(const LockKey &key)
    {
        locks.forget(key);
        dropMoments(key);
    }

private:
    static constexpr milliseconds afterEnd{1};

    void dropMoments(const LockKey &key)
    {
        ages.remove(key);
        ends.remove(key);
    }
};

} // namespace lockscope
