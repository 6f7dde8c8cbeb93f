// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/monitorevent.h"
#include "core/recording/recording.h"

#include <QSet>

#include <functional>
#include <optional>

namespace lockscope {

/// Filters for entries of an event list; a missing function accepts all. Called on the searching thread.
struct ListedEvents
{
    std::function<bool(const LockEvent &event)> event{};
    std::function<bool(MonitorEventKind kind, const LockKey &key)> moment{};
};

/// Finds the steps of a recording that make an entry in an event list: events of locks, and moments that the
/// window derives from the monitor's state. Takes each step in order.
class ListedSteps
{
public:
    /// Sets the state before the first step, which makes no entry. `isLossListed`: if disconnected, the loss
    /// is listed, and its return will be too.
    void begin(const RecordedSnapshot &picture, bool isLossListed);
    /// True if this step makes an entry that the filter accepts.
    bool take(const RecordingCursor::Step &step, const ListedEvents &listed);

private:
    using Moments = QList<std::pair<MonitorEventKind, LockKey>>;

    Moments momentsOf(const RecordedEntry &entry);
    Moments momentsOf(const WatchState &watching);
    Moments momentsOf(const QList<Deadlock> &deadlocks);

    WatchState m_watching;
    bool m_wasLost = false;
    std::optional<TimePoint> m_incidentAt; ///< last one of the feed
    QSet<QByteArray> m_missing;
    QList<Deadlock> m_deadlocks;
};

} // namespace lockscope
