// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/lockmonitor.h"
#include "core/monitor/lockstore.h"

#include <QHash>

namespace lockscope {

/// Puts what was read into the store, each lock named by the user's rules, as far as there is room; and knows what may be the
/// work of an action under way.
class LockIntake
{
public:
    /// Both outlive it; the rules and the bounds count as they are then.
    LockIntake(LockStore &locks, const MonitorOptions &options) : m_locks(locks), m_options(options) {}

    /// See LockStore::apply(). A new lock that there is no room for is left out.
    void take(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden);
    /// Why locks were left out since the last call.
    std::optional<Error> takeOverfull();

    void actionBegins(const LockKey &key) { ++m_actions[key]; }
    void actionEnded(const LockKey &key);
    /// It ends what was held, as an action does that is under way, and whose answer may come later.
    bool isOfAction(const Inspection &inspection) const;

private:
    LockStore &m_locks;
    const MonitorOptions &m_options;
    QHash<LockKey, int> m_actions; ///< under way
    bool m_isOverfull = false;
};

} // namespace lockscope
