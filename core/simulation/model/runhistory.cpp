// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/runhistory.h"

#include <algorithm>

namespace lockscope {

namespace {

using TraceKind = TraceEntry::Kind;

struct ServerChange
{
    TraceKind begin;
    TraceKind end;
    RunHistory::ServerState state;
};

constexpr ServerChange serverStates[] = {
    {TraceKind::ServerPaused, TraceKind::ServerResumed, RunHistory::ServerState::Paused},
    {TraceKind::ServerStopping, TraceKind::ServerBack, RunHistory::ServerState::Losing},
    {TraceKind::ProcessStalled, TraceKind::ProcessResumed, RunHistory::ServerState::ProcessStalled},
};

template <typename Parts>
auto openPart(Parts &parts, int lock)
{
    return std::ranges::find_if(parts.rbegin(), parts.rend(), [lock](const RunHistory::Part &part) {
        return part.lock == lock && !part.time.to;
    });
}

void endSpan(std::vector<RunSpan> &spans, microseconds at)
{
    if (!spans.empty() && !spans.back().to)
        spans.back().to = at;
}

/// The first row not in `taken`.
template <typename Taken>
int freeRow(const Taken &taken)
{
    int row = 0;
    while (row < RunHistory::maxRows - 1 && taken(row))
        ++row;
    return row;
}

} // namespace

RunHistory::RunHistory(int workers, int locks)
    : m_workers(size_t(workers)), m_sections(size_t(locks)), m_publishers(size_t(locks))
{
}

void RunHistory::take(const QList<TraceEntry> &entries)
{
    for (const TraceEntry &entry : entries)
        takeEntry(entry);
    settleWakes();
}

void RunHistory::takeEntry(const TraceEntry &entry)
{
    const bool isOrphan = entry.kind >= TraceKind::Orphaned;
    const bool isOfLock = entry.kind <= TraceKind::NoReply || isOrphan;
    const bool isOfWorker = entry.kind < TraceKind::ServerPaused;
    if (entry.kind > TraceKind::OrphanedNoMore || entry.worker >= int(m_workers.size()) ||
        entry.lock >= int(m_sections.size()) || (isOfLock && entry.lock < 0) ||
        (isOfWorker && entry.worker < 0))
        return;
    m_end = std::max(m_end, entry.at);
    m_areMomentsInOrder = m_areMomentsInOrder && (m_moments.empty() || m_moments.back() < entry.at);
    m_moments.push_back(entry.at);
    if (entry.kind <= TraceKind::DiedInside)
        takeOfReferee(entry);
    else if (isOrphan)
        takeOfLock(entry);
    else if (entry.kind >= TraceKind::ServerPaused)
        takeOfServer(entry);
    else
        takeOfWorker(m_workers[size_t(entry.worker)], entry);
}

void RunHistory::takeOfReferee(const TraceEntry &entry)
{
    Section &section = m_sections[size_t(entry.lock)];
    std::vector<size_t> &inside = section.inside;
    if (entry.kind == TraceKind::Entered) {
        const int row = freeRow([&](int wanted) {
            return std::ranges::any_of(inside,
                                       [&](size_t stay) { return section.stays[stay].row == wanted; });
        });
        inside.push_back(section.stays.size());
        section.stays.push_back({entry.worker, {entry.at, {}}, row});
        section.rows = std::max(section.rows, row + 1);
        if (inside.size() == 2)
            section.overlaps.push_back({entry.at, {}});
        return;
    }
    const auto found =
        std::ranges::find_if(inside, [&](size_t stay) { return section.stays[stay].worker == entry.worker; });
    if (found == inside.end())
        return;
    section.stays[*found].time.to = entry.at;
    inside.erase(found);
    if (inside.size() == 1)
        endSpan(section.overlaps, entry.at);
}

void RunHistory::takeOfServer(const TraceEntry &entry)
{
    for (const auto &[begin, end, state] : serverStates) {
        if (entry.kind == begin)
            m_server.push_back({state, {entry.at, {}}});
        if (entry.kind != end)
            continue;
        const auto open =
            std::ranges::find_if(m_server.rbegin(), m_server.rend(), [known = state](const ServerSpan &span) {
                return span.state == known && !span.time.to;
            });
        if (open != m_server.rend())
            open->time.to = entry.at;
    }
}

void RunHistory::takeOfLock(const TraceEntry &entry)
{
    std::vector<RunSpan> &orphans = m_sections[size_t(entry.lock)].orphans;
    endSpan(orphans, entry.at); // another's follows it
    if (entry.kind == TraceKind::Orphaned)
        orphans.push_back({std::min(entry.since, entry.at), {}});
}

/// Searches only the last holds: a worker has a few locks, and releases the last one first.
int RunHistory::rowBesideHolds(Worker &worker) const
{
    const int row = freeRow([&](int wanted) {
        const size_t looked = std::min<size_t>(worker.holds.size(), 64);
        return std::any_of(worker.holds.end() - std::ptrdiff_t(looked), worker.holds.end(),
                           [&](const Part &hold) { return !hold.time.to && hold.row == wanted; });
    });
    worker.rows = std::max(worker.rows, row + 1);
    return row;
}

void RunHistory::beginHold(Worker &worker, const TraceEntry &entry)
{
    endWait(worker, entry);
    worker.holds.push_back({entry.lock, {entry.at, {}}, rowBesideHolds(worker)});
    Lease lease{entry.lock, entry.since, entry.until};
    if (entry.kind == TraceKind::MigratedLock) {
        // It was given by a release, which comes after its holder's leave.
        for (auto stay = m_sections[size_t(entry.lock)].stays.rbegin();
             stay != m_sections[size_t(entry.lock)].stays.rend(); ++stay) {
            if (stay->worker == entry.worker && !stay->time.to)
                continue;
            const microseconds left = stay->time.to.value_or(entry.since);
            lease.until += std::max(left - lease.from, microseconds(0));
            lease.from = std::max(left, lease.from);
            lease.isFromLeave = true;
            break;
        }
    }
    worker.leases.push_back(lease);
    endLostReleases(entry);
}

/// The last lease of this lock, unless ended; null: none.
RunHistory::Lease *RunHistory::lastLease(Worker &worker, int lock)
{
    const auto lease = std::ranges::find(worker.leases.rbegin(), worker.leases.rend(), lock, &Lease::lock);
    return lease == worker.leases.rend() || lease->endedAt ? nullptr : &*lease;
}

/// The previous lease ends at the request for this one.
void RunHistory::renewLease(Worker &worker, const TraceEntry &entry)
{
    if (Lease *last = lastLease(worker, entry.lock))
        last->endedAt = entry.since;
    worker.leases.push_back({entry.lock, entry.since, entry.until, {}, true});
}

void RunHistory::changeLevels(Worker &worker, const TraceEntry &entry, int by)
{
    const auto hold = openPart(worker.holds, entry.lock);
    if (hold == worker.holds.rend())
        return;
    const int levels = hold->changes.empty() ? hold->levels : hold->changes.back().levels;
    hold->changes.push_back({entry.at, std::max(levels + by, 1)});
    if (entry.until.count() > 0)
        renewLease(worker, entry);
}

void RunHistory::endWait(Worker &worker, const TraceEntry &entry)
{
    if (const auto wait = openPart(worker.waits, entry.lock); wait != worker.waits.rend())
        wait->time.to = entry.at;
}

/// `isWatched`: its worker is alive, and knows the end.
void RunHistory::endHold(Worker &worker, int lock, microseconds at, bool isWatched)
{
    const auto hold = openPart(worker.holds, lock);
    if (hold == worker.holds.rend())
        return;
    hold->time.to = at;
    Lease *lease = lastLease(worker, lock);
    if (!lease)
        return;
    // What its process did not tell, nobody heard of.
    const bool isTold =
        worker.gaps.empty() || at > *worker.gaps.back().to || lease->until < worker.gaps.back().from;
    lease->isOver = lease->until <= at && isTold;
    if (lease->isOver)
        return;
    if (isWatched)
        lease->endedAt = at;
    else // the server may have it on, whatever became of its holder
        lease->unwatchedFrom = isTold ? at : worker.gaps.back().from;
}

/// An ended worker neither waits nor believes to hold, and did not learn the outcome of its last release.
void RunHistory::endParts(Worker &worker, microseconds at)
{
    for (Part &wait : worker.waits) {
        if (!wait.time.to)
            wait.time.to = at;
    }
    for (size_t i = 0; i < worker.holds.size(); ++i) {
        if (!worker.holds[i].time.to)
            endHold(worker, worker.holds[i].lock, at, false);
    }
}

/// A crash ends a worker's waits and beliefs, but nothing on the server.
void RunHistory::endLife(Worker &worker, const TraceEntry &entry)
{
    endParts(worker, entry.at);
    endSpan(worker.pauses, entry.at);
    endSpan(worker.absences, entry.at);
    for (Publishers &lock : m_publishers) {
        for (PendingRelease &release : lock.pending) {
            if (release.worker == entry.worker && !release.diedAt)
                release.diedAt = entry.at;
        }
    }
}

void RunHistory::takeOfWorker(Worker &worker, const TraceEntry &entry)
{
    const auto mark = [&] { worker.marks.push_back({entry.kind, entry.at, entry.lock}); };
    switch (entry.kind) {
    case TraceKind::WaitBegan:
        worker.waits.push_back({entry.lock, {entry.at, {}}, rowBesideHolds(worker)});
        return;
    case TraceKind::Refused:
        worker.refusals.push_back(entry.at);
        return;
    case TraceKind::Woken:
        m_woken.push_back(entry);
        return;
    case TraceKind::Acquired:
    case TraceKind::MigratedLock:
        return beginHold(worker, entry);
    case TraceKind::Reentered:
        endWait(worker, entry);
        return changeLevels(worker, entry, 1);
    case TraceKind::Renewed:
        return renewLease(worker, entry);
    case TraceKind::Lost:
        mark();
        noteForeignEnd(worker, entry);
        endWait(worker, entry);
        return endHold(worker, entry.lock, entry.at);
    case TraceKind::GaveUp:
    case TraceKind::TimedOut:
        mark();
        return endWait(worker, entry);
    case TraceKind::ReleaseBegan:
        if (const auto hold = openPart(worker.holds, entry.lock); hold != worker.holds.rend())
            hold->releasing = entry.at;
        return beginRelease(entry);
    case TraceKind::Published: {
        endHold(worker, entry.lock, entry.at);
        if (!endRelease(entry))
            return;
        std::vector<Release> &releases = m_publishers[size_t(entry.lock)].releases;
        releases.push_back({entry.worker, entry.since, entry.at, entry.until});
        m_longestRelease = std::max(m_longestRelease, entry.at - entry.since);
        for (size_t i = releases.size() - 1; i > 0 && releases[i].sent < releases[i - 1].sent; --i)
            std::swap(releases[i], releases[i - 1]);
        return;
    }
    case TraceKind::Released:
        endRelease(entry);
        return endHold(worker, entry.lock, entry.at);
    case TraceKind::Unwound:
        return changeLevels(worker, entry, -1);
    case TraceKind::NotHeld:
        mark();
        endRelease(entry);
        noteForeignEnd(worker, entry);
        return endHold(worker, entry.lock, entry.at);
    case TraceKind::NoReply:
        for (PendingRelease &release : m_publishers[size_t(entry.lock)].pending)
            release.hadNoReply = release.hadNoReply || release.worker == entry.worker;
        return mark();
    case TraceKind::PauseBegan:
        worker.pauses.push_back({entry.at, {}});
        return;
    case TraceKind::PauseEnded:
        return endSpan(worker.pauses, entry.at);
    case TraceKind::Died:
        mark();
        endLife(worker, entry);
        worker.deaths.push_back({entry.at, {}});
        return;
    case TraceKind::LifeBegan:
        return endSpan(worker.deaths, entry.at);
    case TraceKind::Disconnected:
        if (worker.absences.empty() || worker.absences.back().to)
            worker.absences.push_back({entry.at, {}});
        return;
    case TraceKind::Connected:
        return endSpan(worker.absences, entry.at);
    case TraceKind::Finished:
        return endParts(worker, entry.at);
    case TraceKind::NotTold:
        return noteGap(worker, entry);
    default:
        return;
    }
}

const std::vector<microseconds> &RunHistory::moments() const
{
    if (!m_areMomentsInOrder) {
        std::ranges::sort(m_moments);
        const auto rest = std::ranges::unique(m_moments);
        m_moments.erase(rest.begin(), rest.end());
        m_areMomentsInOrder = true;
    }
    return m_moments;
}

} // namespace lockscope
