// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"

#include <QString>

namespace lockscope {

/// What happened to the watching, or to several locks at once.
enum class MomentKind : quint8 {
    Disconnected,
    Reconnected,
    FeedChanged,   ///< changes are heard in another way
    FeedGap,       ///< changes may have been missed
    Flushed,       ///< most or all keys are gone
    Swapped,       ///< with another database
    Restarted,     ///< another process answers
    FailedOver,    ///< another server has taken over
    NodeLost,      ///< one of several servers
    NodeReady,     ///< one that was lost
    NodeLeft,      ///< one that was lost, and keeps no locks any more
    Deadlock,      ///< confirmed
    DeadlockEnded, ///< one that was
};
constexpr int momentKinds = static_cast<int>(MomentKind::DeadlockEnded) + 1;

struct Moment
{
    MomentKind kind = MomentKind::Disconnected;
    QString text; ///< for people, translated; a server's bytes in it are escaped
    qint64 wallMs = 0;
    LockKey key{}; ///< a lock that it concerns; empty: none
};

} // namespace lockscope
