// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QHash>
#include <QList>

namespace lockscope {

/// Remembers for a minute which holds were force-expired, so that the next reading reports no release, and an owner that
/// writes its lock again is noticed.
class ForcedExpiries
{
public:
    bool isEmpty() const { return m_forced.isEmpty(); }
    void record(const LockKey &key, const QList<LockOwner> &ended, TimePoint now);
    /// The difference between the last reading and the first one after a forced expiry is what that has made: it was
    /// reported when the action was answered. True once.
    bool takeExplanation(const Lock &before, const std::optional<Lock> &after);
    /// An owner whose hold was force-expired holds the lock again. True once; never where the next owner writes the same.
    bool takeReturn(const Lock &lock, TimePoint now);

private:
    struct Forced
    {
        QList<LockOwner> ended;
        TimePoint at;
        bool awaitsReading = true;
    };

    QHash<LockKey, Forced> m_forced;
};

} // namespace lockscope
