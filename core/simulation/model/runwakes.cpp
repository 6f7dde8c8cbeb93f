// SPDX-License-Identifier: GPL-3.0-or-later
// Who woke whom: of whose release a message can have told.
#include "core/simulation/model/runhistory.h"

#include <algorithm>

namespace lockscope {

namespace {

/// Observations are reported within this time.
constexpr microseconds longestDelay = std::chrono::seconds(5);

} // namespace

/// From now on its message may come.
void RunHistory::beginRelease(const TraceEntry &entry)
{
    m_publishers[size_t(entry.lock)].pending.push_back({entry.worker, entry.at});
}

/// False: several commands, whose message may have come since their begin.
bool RunHistory::endRelease(const TraceEntry &entry)
{
    Publishers &publishers = m_publishers[size_t(entry.lock)];
    const auto release = std::ranges::find_if(publishers.pending, [&](const PendingRelease &each) {
        return each.worker == entry.worker && !each.diedAt;
    });
    if (release == publishers.pending.end())
        return true;
    const PendingRelease ended = *release;
    publishers.pending.erase(release);
    if (ended.hadNoReply)
        addDoubt(publishers, {ended.from, entry.at});
    return !ended.hadNoReply;
}

/// A dead worker's release has no effect once another worker has acquired the lock.
void RunHistory::endLostReleases(const TraceEntry &entry)
{
    Publishers &publishers = m_publishers[size_t(entry.lock)];
    std::erase_if(publishers.pending, [&](const PendingRelease &release) {
        const bool isEnded = release.diedAt && *release.diedAt <= entry.at;
        if (isEnded)
            addDoubt(publishers, {release.from, entry.at});
        return isEnded;
    });
}

/// A lock gone before its lease ended: an operator may have force-expired it, which publishes too.
void RunHistory::noteForeignEnd(Worker &worker, const TraceEntry &entry)
{
    if (const Lease *lease = lastLease(worker, entry.lock); lease && lease->until > entry.at)
        addDoubt(m_publishers[size_t(entry.lock)], {lease->from, entry.at});
}

/// A release of any lock may have begun in the gap.
void RunHistory::noteGap(Worker &worker, const TraceEntry &entry)
{
    worker.gaps.push_back({entry.since, entry.at});
    for (Publishers &lock : m_publishers)
        lock.pending.push_back({entry.worker, entry.since, true, entry.at});
}

void RunHistory::addDoubt(Publishers &publishers, RunSpan span)
{
    std::vector<RunSpan> &spans = publishers.doubtful;
    const auto first = std::ranges::lower_bound(
        spans, span.from, {}, [](const RunSpan &each) { return each.to.value_or(each.from); });
    auto behind = first;
    for (; behind != spans.end() && behind->from <= *span.to; ++behind) {
        span.from = std::min(span.from, behind->from);
        span.to = std::max(*span.to, *behind->to);
    }
    spans.insert(spans.erase(first, behind), span);
}

/// True if an unknown publisher may have sent the message.
bool RunHistory::isDoubtful(const Publishers &publishers, const TraceEntry &woken)
{
    const auto span = std::ranges::lower_bound(publishers.doubtful, woken.since, {}, [](const RunSpan &each) {
        return each.to.value_or(each.from);
    });
    return (span != publishers.doubtful.end() && span->from <= woken.at) ||
           std::ranges::any_of(publishers.pending,
                               [&](const PendingRelease &release) { return release.from <= woken.at; });
}

std::optional<RunHistory::Wake> RunHistory::known(const TraceEntry &woken) const
{
    Wake wake{woken.other, woken.worker, woken.lock, woken.since, woken.at};
    if (woken.other >= 0)
        return wake.from < int(m_workers.size()) && wake.from != wake.to ? std::optional(wake) : std::nullopt;
    const Publishers &publishers = m_publishers[size_t(woken.lock)];
    if (isDoubtful(publishers, woken))
        return std::nullopt;
    // Which of several releases it was cannot be said.
    const std::vector<Release> &releases = publishers.releases;
    auto release = std::ranges::upper_bound(releases, woken.at, {}, &Release::sent);
    // A lock that is handed over is that waiter's until its time runs out: nobody else can hand it on before.
    if (release != releases.begin() && std::prev(release)->handedUntil.count() > 0) {
        --release;
        if (release->worker == woken.worker || release->answered < woken.since ||
            release->handedUntil <= woken.at)
            return std::nullopt;
        return Wake{release->worker, woken.worker, woken.lock, release->sent, woken.at};
    }
    std::optional<Release> found;
    while (release != releases.begin() && (--release)->sent + m_longestRelease >= woken.since) {
        const bool canBe = release->worker != woken.worker && release->answered >= woken.since;
        if (!canBe)
            continue;
        if (found)
            return std::nullopt;
        found = *release;
    }
    if (!found)
        return std::nullopt;
    wake.from = found->worker;
    wake.sentAt = found->sent;
    return wake;
}

std::vector<RunHistory::Wake> RunHistory::wakes() const
{
    std::vector<Wake> wakes = m_wakes;
    for (const TraceEntry &woken : m_woken) {
        if (const std::optional<Wake> wake = known(woken))
            wakes.push_back(*wake);
    }
    return wakes;
}

void RunHistory::settleWakes()
{
    const auto open = std::ranges::find_if(
        m_woken, [this](const TraceEntry &woken) { return woken.at + longestDelay >= m_end; });
    for (auto woken = m_woken.begin(); woken != open; ++woken) {
        if (const std::optional<Wake> wake = known(*woken))
            m_wakes.push_back(*wake);
    }
    m_woken.erase(m_woken.begin(), open);
}

} // namespace lockscope
