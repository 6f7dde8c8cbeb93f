// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/endcauseresolver.h"

#include <algorithm>
#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr size_t maxSamples = 512;
constexpr qsizetype maxNotes = 10'000;

/// True for ends of whole locks seen before; holds of several owners are read from the lock.
bool isToBeJudged(const LockEvent &event)
{
    return event.seenAt != TimePoint() && (isEnd(event.kind) || event.kind == EventKind::OwnerChanged) &&
           event.kind != EventKind::Forced;
}

/// True if it was reported when it happened.
bool wasHeard(const LockEvent &event)
{
    return event.kind != EventKind::Vanished && event.unseenFor == 0ms;
}

/// True if the server only evicts keys with a TTL. Even without eviction at both times, it may have evicted.
bool isSpared(const LockEvent &event, const ServerCounters &before, const ServerCounters &after)
{
    using Evicts = ServerCounters::Evicts;
    return !event.hadLease && before.evicts != Evicts::AnyKey && after.evicts != Evicts::AnyKey &&
           (before.evicts == Evicts::KeysWithTtl || after.evicts == Evicts::KeysWithTtl);
}

} // namespace

void EndCauseResolver::connected(bool isSameProcess, TimePoint now)
{
    m_notes.clear();
    if (!isSameProcess)
        beginAnew(now);
}

void EndCauseResolver::beginAnew(TimePoint now)
{
    m_samples.clear();
    m_countsSince = now;
}

void EndCauseResolver::take(const ServerCounters &counters)
{
    if (!m_samples.empty() && counters.isBehind(m_samples.back()))
        beginAnew(counters.at);
    m_samples.push_back(counters);
    if (m_samples.size() <= maxSamples)
        return;
    auto last = m_samples.begin();
    for (size_t i = 2; i < maxSamples / 2; i += 2) // each second one of the older half goes
        *++last = m_samples[i];
    m_samples.erase(last + 1, m_samples.begin() + maxSamples / 2);
}

void EndCauseResolver::note(const LockKey &key, EventKind end, TimePoint at)
{
    if (m_notes.size() >= maxNotes)
        m_notes.clear();
    m_notes.insert(key, {end, at});
}

QList<LockEvent> EndCauseResolver::settle(const QList<LockEvent> &events)
{
    m_waiting += events;
    const auto waits =
        std::ranges::find_if_not(m_waiting, [this](const LockEvent &event) { return isReady(event); });
    QList<LockEvent> settled(m_waiting.begin(), waits);
    m_waiting.erase(m_waiting.cbegin(), waits);
    for (LockEvent &event : settled)
        judge(event);
    return settled;
}

QList<LockEvent> EndCauseResolver::settleAll()
{
    QList<LockEvent> settled = std::exchange(m_waiting, {});
    for (LockEvent &event : settled)
        judge(event);
    return settled;
}

bool EndCauseResolver::isReady(const LockEvent &event) const
{
    return !m_counts || !isToBeJudged(event) || (!m_samples.empty() && m_samples.back().at >= event.at);
}

void EndCauseResolver::judge(LockEvent &event) const
{
    if (!isToBeJudged(event))
        return;
    const EndKinds possible = possibleEnds(event);
    if (event.kind == EventKind::OwnerChanged) {
        event.possible = possible;
        return;
    }
    const std::optional<EventKind> known = possible.single();
    event.kind = known.value_or(EventKind::Vanished);
    event.possible = known ? EndKinds() : possible;
}

EndKinds EndCauseResolver::possibleEnds(const LockEvent &event) const
{
    const auto note = m_notes.constFind(event.address.key);
    if (note != m_notes.cend() && note->at >= event.seenAt)
        return {note->end};
    EndKinds possible = event.possible; // what the lock's own deadline and content say
    for (const EventKind end :
         {EventKind::Released, EventKind::Evicted, EventKind::Flushed, EventKind::Renamed})
        possible.set(end);
    const auto after = std::ranges::lower_bound(m_samples, event.at, {}, &ServerCounters::at);
    const bool isOverdue = possible.has(EventKind::Expired) && wasHeard(event);
    if (!m_counts || after == m_samples.end() || event.seenAt < m_countsSince)
        return isOverdue ? EndKinds{EventKind::Expired} : possible;

    const auto later = std::ranges::lower_bound(m_samples, event.seenAt, {}, &ServerCounters::at);
    // Where none is older, since the server's start: what it never did it did not do meanwhile.
    const ServerCounters before = later == m_samples.begin() ? ServerCounters() : *std::prev(later);
    EndKinds left = possible;
    const bool anyExpired = after->expired > before.expired;
    // Unheard, its end may have been brought forward; heard, that would have been read, unless all went too fast.
    left.set(EventKind::Expired, (possible.has(EventKind::Expired) || !wasHeard(event)) && anyExpired);
    left.set(EventKind::Evicted, after->evicted > before.evicted && !isSpared(event, before, *after));
    left.set(EventKind::Flushed, after->flushes > before.flushes);
    left.set(EventKind::Renamed, after->renames + after->swaps > before.renames + before.swaps);
    left.set(EventKind::Released, after->deletions > before.deletions);
    // What was deleted before its end would have been told before that.
    if (isOverdue && left.has(EventKind::Expired))
        return {EventKind::Expired};
    if (left.single())
        return left;
    if (left.isEmpty())
        left = possible; // by a command that we do not know
    left.set(EventKind::Expired, left.has(EventKind::Expired) || anyExpired);
    return left;
}

} // namespace lockscope
