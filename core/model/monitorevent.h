// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"

#include <QString>

namespace lockscope {

/// An event of the monitor, or of several locks at once.
enum class MonitorEventKind : quint8 {
    Disconnected,
    Reconnected,
    FeedChanged,
    FeedGap,    ///< changes may have been missed
    Flushed,    ///< most or all keys are gone
    Swapped,    ///< SWAPDB
    Restarted,  ///< another process answers
    FailedOver, ///< to another server
    NodeLost,   ///< one of several servers
    NodeReady,
    NodeLeft, ///< a lost one that has no more locks
    Deadlock,
    DeadlockEnded,
};
constexpr int momentKinds = static_cast<int>(MonitorEventKind::DeadlockEnded) + 1;

struct MonitorEvent
{
    MonitorEventKind kind = MonitorEventKind::Disconnected;
    QString text;      ///< translated, for display; a server's bytes are escaped
    qint64 wallMs = 0; ///< epoch ms
    LockKey key{};     ///< a concerned lock; empty: none
};

} // namespace lockscope
