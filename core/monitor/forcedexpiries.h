// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <QHash>
#include <QList>

namespace lockscope {

/// Remembers for a minute which holds were force-expired: the next reading reports no release, and an owner
/// that writes its lock again is detected.
class ForcedExpiries
{
public:
    bool isEmpty() const { return m_forced.isEmpty(); }
    void record(const LockKey &key, const QList<LockOwner> &ended, TimePoint now);
    /// True once, for the difference between the last reading and the first one after a forced expiry, which
    /// was reported with the action.
    bool takeExplanation(const Lock &before, const std::optional<Lock> &after);
    /// True once, if a force-expired owner holds the lock again; never if all owners write the same value.
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
