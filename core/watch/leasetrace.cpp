// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/leasetrace.h"

#include <algorithm>

namespace lockscope {

milliseconds LeaseStretch::leftAt(qint64 atMs) const
{
    return std::max(leftAtStart - milliseconds(atMs - fromMs), milliseconds::zero());
}

void LeaseTrace::follow(const EventLog &log, const std::optional<LockKey> &key)
{
    m_key = key;
    m_marks.clear();
    m_next = log.end();
    if (!key)
        return;
    for (size_t found = 0; m_next > log.first() && found < maxMarks;) {
        const std::optional<Mark> mark = markOf(log, --m_next);
        found += mark && !mark->isGap() ? 1u : 0u;
    }
    update(log);
}

void LeaseTrace::update(const EventLog &log)
{
    if (m_next < log.clearedTo()) {
        m_marks.clear();
        m_next = log.clearedTo();
    }
    if (m_key) {
        if (m_next < log.first()) // it has dropped what was not taken yet
            add({Mark::Kind::Unknown, log.at(log.first()).event.wallMs, {}});
        for (qint64 number = std::max(m_next, log.first()); number < log.end(); ++number) {
            if (log.wasLostBefore(number))
                add({Mark::Kind::Unknown, log.at(std::max(number - 1, log.first())).event.wallMs, {}});
            if (const std::optional<Mark> mark = markOf(log, number))
                add(*mark);
        }
    }
    m_next = log.end();
}

void LeaseTrace::add(const Mark &mark)
{
    if (mark.kind == Mark::Kind::Unknown && (m_marks.empty() || m_marks.back().kind == mark.kind))
        return;
    if (mark.isGap() && std::ssize(m_marks) > maxGapMarks &&
        std::all_of(m_marks.end() - maxGapMarks, m_marks.end(),
                    [](const Mark &gap) { return gap.isGap(); })) {
        // What was known between two gaps is given up.
        if (m_marks.back().kind == Mark::Kind::GapBegins)
            m_marks[m_marks.size() - 2].kind = Mark::Kind::GapBegins;
        m_marks.back() = mark;
        return;
    }
    m_marks.push_back(mark);
    if (m_marks.size() > maxMarks)
        m_marks.pop_front();
}

/// Absent for entries without information on the lease.
std::optional<LeaseTrace::Mark> LeaseTrace::markOf(const EventLog &log, qint64 number) const
{
    using Kind = Mark::Kind;
    const LoggedKind kind = log.kindOf(number);
    if (kind.isMoment()) {
        switch (kind.moment()) {
        case MonitorEventKind::Disconnected:
        case MonitorEventKind::NodeLost:
            return Mark{Kind::GapBegins, log.at(number).event.wallMs, {}};
        case MonitorEventKind::Reconnected:
        case MonitorEventKind::NodeReady:
        case MonitorEventKind::FeedGap:
            return Mark{Kind::GapEnds, log.at(number).event.wallMs, {}};
        default:
            return std::nullopt;
        }
    }
    if (log.keyOf(number) != *m_key)
        return std::nullopt;
    const LockEvent event = log.at(number).event;
    switch (kind.event()) {
    case EventKind::Found:
    case EventKind::Acquired:
    case EventKind::OwnerChanged:
    case EventKind::Shortened:
    case EventKind::ExpiryLost:
        return Mark{Kind::Set, event.wallMs, event.ttl};
    case EventKind::Renewed:
        return Mark{Kind::Renewed, event.wallMs, event.ttl};
    case EventKind::Released:
    case EventKind::Expired:
    case EventKind::Vanished:
    case EventKind::Forced:
    case EventKind::Evicted:
    case EventKind::Flushed:
    case EventKind::Overwritten:
    case EventKind::Renamed:
    case EventKind::Failover:
        // One of several owners has gone: the lock is still held, for a time that the event does not tell.
        return Mark{event.others == 0 ? Kind::Ended : Kind::Unknown, event.wallMs, {}};
    case EventKind::Reentered:
    case EventKind::Unwound:
        break;
    }
    return std::nullopt;
}

std::optional<qint64> LeaseTrace::firstMs() const
{
    const auto first =
        std::find_if(m_marks.begin() + std::ptrdiff_t(firstOfClock()), m_marks.end(),
                     [](const Mark &mark) { return !mark.isGap() && mark.kind != Mark::Kind::Unknown; });
    return first == m_marks.end() ? std::nullopt : std::optional(first->atMs);
}

/// The first mark since the clock was last set back. Threads may differ a little.
size_t LeaseTrace::firstOfClock() const
{
    constexpr qint64 maxBack = 1000;
    for (size_t i = m_marks.size(); i > 1; --i) {
        if (m_marks[i - 1].atMs < m_marks[i - 2].atMs - maxBack)
            return i - 1;
    }
    return 0;
}

QList<LeaseStretch> LeaseTrace::between(qint64 fromMs, qint64 toMs) const
{
    using Is = LeaseStretch::Is;
    using Kind = Mark::Kind;
    if (!firstMs() || fromMs >= toMs)
        return {};
    QList<LeaseStretch> stretches{{Is::Unknown, fromMs, toMs}};
    LeaseStretch known;    // what was so before a gap that no event has followed yet
    qsizetype unsure = -1; // the first stretch since that gap
    const auto begin = [&](const Mark &mark, LeaseStretch next) {
        const qint64 at = std::clamp(mark.atMs, stretches.last().fromMs, toMs);
        next.leftAtStart = next.leftAt(at);
        next.fromMs = at;
        next.toMs = toMs;
        stretches.last().toMs = at;
        if (stretches.last().fromMs == at)
            stretches.removeLast();
        stretches.append(next);
    };
    for (size_t i = firstOfClock(); i < m_marks.size(); ++i) {
        const Mark &mark = m_marks[i];
        switch (mark.kind) {
        case Kind::GapBegins:
        case Kind::GapEnds:
            if (unsure < 0) {
                known = stretches.last();
                begin(mark, {Is::Unknown, mark.atMs, toMs});
                unsure = stretches.size() - 1;
            }
            if (mark.kind == Kind::GapEnds) {
                LeaseStretch resumed = known;
                resumed.beginsByRenewal = false;
                begin(mark, resumed);
                unsure = std::min(unsure, stretches.size() - 1);
            } else if (stretches.last().is != Is::Unknown) {
                begin(mark, {Is::Unknown, mark.atMs, toMs});
            }
            continue;
        case Kind::Set:
        case Kind::Renewed:
        case Kind::Ended:
        case Kind::Unknown:
            break;
        }
        if (unsure >= 0) { // what the event tells may have happened at any time since the gap began
            stretches[unsure].is = Is::Unknown;
            stretches.resize(unsure + 1);
            unsure = -1;
        }
        LeaseStretch next{mark.left ? Is::Held : Is::Endless, mark.atMs, toMs, mark.left.value_or({}),
                          mark.kind == Kind::Renewed};
        if (mark.kind == Kind::Ended)
            next = {Is::Free, mark.atMs, toMs};
        else if (mark.kind == Kind::Unknown)
            next = {Is::Unknown, mark.atMs, toMs};
        begin(mark, next);
    }
    if (stretches.size() > 1 && stretches.last().fromMs == toMs)
        stretches.removeLast();
    return stretches;
}

} // namespace lockscope
