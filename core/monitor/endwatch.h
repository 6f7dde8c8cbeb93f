// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/monitor/endjudge.h"
#include "core/monitor/throttle.h"
#include "core/watch/scanstats.h"

#include <functional>
#include <optional>

namespace lockscope {

class InfoWatch;

/// Has ends judged as soon as that can be, and asks for the server's counters that they wait for: where these come on no other
/// occasion, four times a second at most.
class EndWatch
{
public:
    /// `again`: ends that wait may be settled now. `info` must outlive it.
    EndWatch(InfoWatch &info, QObject *parent, std::function<void()> again);

    /// `isSameProcess` as before: it goes on counting. `isReplica`: its counters don't tell of its ends.
    void connected(bool isSameProcess, bool isReplica, TimePoint now);
    void halt() { m_asking.cancel(); }
    void setCounts(bool counts) { m_judge.setCounts(counts); }
    void note(const LockKey &key, EventKind end, TimePoint at) { m_judge.note(key, end, at); }

    /// What happened to whole databases since the counters before.
    struct Changes
    {
        TimePoint since{};       ///< when those came
        bool anyFlushed = false; ///< which one is not told
        bool anySwapped = false;
    };
    Changes take(const ServerCounters &counters);
    /// The counters may be asked for along with what has changed.
    bool admits(TimePoint now) { return m_asking.admits(now); }

    bool isWaiting() const { return m_judge.isWaiting(); }
    /// Takes new events, and returns those that can be told now.
    QList<LockEvent> settle(const QList<LockEvent> &events, bool isConnected);

    /// Absent: the server takes no keys, as far as is known.
    std::optional<Eviction> eviction() const;

private:
    InfoWatch &m_info;
    EndJudge m_judge;
    Throttle m_asking;
};

} // namespace lockscope
