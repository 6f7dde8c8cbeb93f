// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/moment.h"
#include "core/recording/recording.h"

#include <QSet>

#include <functional>
#include <optional>

namespace lockscope {

/// Which entries of a list of events count. Of those without a function, all. Called on the thread that searches.
struct ListedEvents
{
    std::function<bool(const LockEvent &event)> event{};
    std::function<bool(MomentKind kind, const LockKey &key)> moment{};
};

/// Finds the steps of a recording that a list of events has an entry of: of a lock's event, or of one of the moments that the
/// window finds in what a replay tells of the watching. Takes each step in order.
class ListedSteps
{
public:
    /// What was known before the first step: it makes no entry. `isLossListed`: where there was no connection, that stands in the
    /// list, so that its return does, too.
    void begin(const RecordedPicture &picture, bool isLossListed);
    /// Whether there is an entry of this step that counts.
    bool take(const RecordingCursor::Step &step, const ListedEvents &listed);

private:
    using Moments = QList<std::pair<MomentKind, LockKey>>;

    Moments momentsOf(const RecordedEntry &entry);
    Moments momentsOf(const Watching &watching);
    Moments momentsOf(const QList<Deadlock> &deadlocks);

    Watching m_watching;
    bool m_wasLost = false;
    std::optional<TimePoint> m_incidentAt; ///< of the feed, the last one
    QSet<QByteArray> m_missing;
    QList<Deadlock> m_deadlocks;
};

} // namespace lockscope
