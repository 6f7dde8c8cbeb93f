// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/lockmonitor.h"
#include "core/monitor/lockstore.h"

#include <QHash>

#include <utility>

namespace lockscope {

/// Puts readings into the store, with families set by the user's rules, up to the limits; reports to the
/// names what was found under them; and knows which changes may be due to a current action.
class LockIntake
{
public:
    /// All must outlive this object; the current rules and limits apply.
    LockIntake(LockStore &locks, KeyNameFilter &names, const MonitorOptions &options)
        : m_locks(locks), m_names(names), m_options(options)
    {
    }

    /// See LockStore::apply(). A new lock beyond the limits is left out.
    void take(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden);
    /// The reason why locks were left out since the last call.
    std::optional<Error> takeOverfull();
    /// Globs with too many keys that are no locks since the last call: these were forgotten.
    QList<QByteArray> takeLeftOut() { return std::exchange(m_leftOut, {}); }
    /// Changes the names; locks that no longer match are forgotten.
    void setPatterns(const QList<QByteArray> &patterns, const FamilySet &undiscovered = {});
    /// A scan has included all names that only the present patterns nominate.
    void allWasLookedFor() { m_namesBefore.reset(); }
    /// False for a new lock under an added pattern: it may have been held before.
    bool wasLookedFor(const LockKey &key) const
    {
        return !m_namesBefore || m_locks.find(key) || m_namesBefore->contains(key.bytes);
    }

    void beginAction(const LockKey &key) { ++m_actions[key]; }
    void actionEnded(const LockKey &key);
    /// True if it ends a hold like a current action whose reply may come later.
    bool isOfAction(const Inspection &inspection) const;

private:
    void forgetOthers();
    void store(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden);

    LockStore &m_locks;
    KeyNameFilter &m_names;
    std::optional<KeyNameFilter> m_namesBefore;
    const MonitorOptions &m_options;
    QHash<LockKey, int> m_actions; ///< current
    QList<QByteArray> m_leftOut;
    bool m_isOverfull = false;
};

} // namespace lockscope
