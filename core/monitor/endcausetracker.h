// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/endcauseresolver.h"
#include "core/monitor/throttle.h"
#include "core/watch/scanstats.h"

#include <functional>
#include <optional>

namespace lockscope {

class InfoWatch;

/// Judges ends as soon as possible, and requests the server counters that they wait for: if these do not come
/// otherwise, at most four times per second.
class EndCauseTracker
{
public:
    /// `again`: called when waiting ends may be settled. `info` must outlive this object.
    EndCauseTracker(InfoWatch &info, QObject *parent, std::function<void()> again);

    /// `isSameProcess`: the counters continue. `isReplica`: the counters do not include its ends.
    void connected(bool isSameProcess, bool isReplica, TimePoint now);
    void halt() { m_asking.cancel(); }
    void setCounts(bool counts) { m_judge.setCounts(counts); }
    void note(const LockKey &key, EventKind end, TimePoint at) { m_judge.note(key, end, at); }

    /// Changes of whole databases since the previous counters.
    struct Changes
    {
        TimePoint since{};       ///< time of the previous counters
        bool anyFlushed = false; ///< in an unknown database
        bool anySwapped = false;
    };
    Changes take(const ServerCounters &counters);
    /// True if the counters may be requested along with changed keys.
    bool admits(TimePoint now) { return m_asking.admits(now); }

    bool isWaiting() const { return m_judge.isWaiting(); }
    /// Takes new events, and returns those that can be reported now.
    QList<LockEvent> settle(const QList<LockEvent> &events, bool isConnected);

    /// Absent: the server evicts no keys, as far as is known.
    std::optional<Eviction> eviction() const;

private:
    InfoWatch &m_info;
    EndCauseResolver m_judge;
    Throttle m_asking;
};

} // namespace lockscope
