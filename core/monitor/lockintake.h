// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/lockmonitor.h"
#include "core/monitor/lockstore.h"

#include <QHash>

#include <utility>

namespace lockscope {

/// Puts what was read into the store, each lock named by the user's rules, as far as there is room; tells the names what was found
/// under them; and knows what may be the work of an action under way.
class LockIntake
{
public:
    /// All outlive it; the rules and the bounds count as they are then.
    LockIntake(LockStore &locks, NominatedNames &names, const MonitorOptions &options)
        : m_locks(locks), m_names(names), m_options(options)
    {
    }

    /// See LockStore::apply(). A new lock that there is no room for is left out.
    void take(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden);
    /// Why locks were left out since the last call.
    std::optional<Error> takeOverfull();
    /// Globs under which too much was no lock since the last call: it was forgotten.
    QList<QByteArray> takeLeftOut() { return std::exchange(m_leftOut, {}); }
    /// Other names are looked for; what is none of them is forgotten.
    void setPatterns(const QList<QByteArray> &patterns, const FamilySet &undiscovered = {});
    /// All that only the present patterns nominate.
    void allWasLookedFor() { m_namesBefore.reset(); }
    /// What is new of a pattern that was added may have been held all the time.
    bool wasLookedFor(const LockKey &key) const
    {
        return !m_namesBefore || m_locks.find(key) || m_namesBefore->contains(key.bytes);
    }

    void actionBegins(const LockKey &key) { ++m_actions[key]; }
    void actionEnded(const LockKey &key);
    /// It ends what was held, as an action does that is under way, and whose answer may come later.
    bool isOfAction(const Inspection &inspection) const;

private:
    void forgetOthers();
    void store(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden);

    LockStore &m_locks;
    NominatedNames &m_names;
    std::optional<NominatedNames> m_namesBefore;
    const MonitorOptions &m_options;
    QHash<LockKey, int> m_actions; ///< under way
    QList<QByteArray> m_leftOut;
    bool m_isOverfull = false;
};

} // namespace lockscope
