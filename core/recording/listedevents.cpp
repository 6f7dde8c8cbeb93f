// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/listedevents.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

QSet<QByteArray> asSet(const QByteArrayList &names)
{
    return {names.begin(), names.end()};
}

} // namespace

void ListedSteps::begin(const RecordedSnapshot &picture, bool isLossListed)
{
    m_watching = picture.isRecorded ? picture.watching : WatchState();
    m_wasLost = isLossListed && m_watching.connection == Link::State::Backoff;
    m_missing = asSet(m_watching.missingNodes);
    m_incidentAt.reset();
    if (m_watching.feed.incident)
        m_incidentAt = m_watching.feed.incident->at;
    m_deadlocks = picture.deadlocks;
}

bool ListedSteps::take(const RecordingCursor::Step &step, const ListedEvents &listed)
{
    Moments moments;
    if (std::holds_alternative<RecordingGap>(step)) {
        m_watching = {}; // what was so before is not known to have been so
        moments.append({MonitorEventKind::FeedGap, {}});
    } else if (const auto *entry = std::get_if<RecordedEntry>(&step)) {
        const auto *diff = std::get_if<LockDiff>(&entry->what);
        if (diff)
            return listed.event ? std::ranges::any_of(diff->events, listed.event) : !diff->events.isEmpty();
        moments = momentsOf(*entry);
    }
    return std::ranges::any_of(moments, [&](const auto &moment) {
        return !listed.moment || listed.moment(moment.first, moment.second);
    });
}

ListedSteps::Moments ListedSteps::momentsOf(const RecordedEntry &entry)
{
    if (const auto *watching = std::get_if<WatchState>(&entry.what))
        return momentsOf(*watching);
    if (const auto *deadlocks = std::get_if<QList<Deadlock>>(&entry.what))
        return momentsOf(*deadlocks);
    if (const auto *reset = std::get_if<ServerReset>(&entry.what))
        return {{momentKind(*reset), {}}};
    return {};
}

ListedSteps::Moments ListedSteps::momentsOf(const WatchState &watching)
{
    Moments moments;
    const WatchState before = std::exchange(m_watching, watching);
    const bool isReady = watching.connection == Link::State::Ready;
    if (before.connection == Link::State::Ready && !isReady) {
        m_wasLost = true;
        moments.append({MonitorEventKind::Disconnected, {}});
    } else if (isReady && std::exchange(m_wasLost, false)) {
        moments.append({MonitorEventKind::Reconnected, {}});
    }
    // One that was told before a gap is none again behind it.
    if (watching.feed.incident && (!m_incidentAt || *m_incidentAt < watching.feed.incident->at)) {
        m_incidentAt = watching.feed.incident->at;
        moments.append({MonitorEventKind::FeedGap, {}});
    }
    if (!before.feed.routes.isEmpty() && watching.feed.routes != before.feed.routes)
        moments.append({MonitorEventKind::FeedChanged, {}});
    if (watching.nodes.isEmpty()) // nothing is known of them
        return moments;
    const QSet<QByteArray> missing = asSet(watching.missingNodes);
    const QSet<QByteArray> wasMissing = std::exchange(m_missing, missing);
    if (!(missing - wasMissing).isEmpty())
        moments.append({MonitorEventKind::NodeLost, {}});
    const QSet<QByteArray> found = wasMissing - missing;
    for (const QByteArray &name : found)
        moments.append(
            {watching.nodes.contains(name) ? MonitorEventKind::NodeReady : MonitorEventKind::NodeLeft, {}});
    return moments;
}

ListedSteps::Moments ListedSteps::momentsOf(const QList<Deadlock> &deadlocks)
{
    Moments moments;
    const QList<Deadlock> before = std::exchange(m_deadlocks, deadlocks);
    const auto add = [&](MonitorEventKind kind, const QList<Deadlock> &some, const QList<Deadlock> &others) {
        const QList<Deadlock> fresh = notIn(some, others);
        for (const Deadlock &deadlock : fresh)
            moments.append({kind, deadlock.cycle.value(0).lock});
    };
    add(MonitorEventKind::DeadlockEnded, before, deadlocks);
    add(MonitorEventKind::Deadlock, deadlocks, before);
    return moments;
}

} // namespace lockscope
