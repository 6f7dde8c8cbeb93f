// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a run; runlanesfill.cpp fills a lane, runlanestext.cpp says it in words.
#include "ui/simulation/runlanes.h"

#include "core/base/printable.h"
#include "core/words/texts.h"
#include "ui/simulation/runtext.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

constexpr int pinnedSections = 3;    // with more of them, workers would have no room
constexpr qsizetype maxArrows = 300; // in sight: more say nothing
constexpr int fewLanes = 7;
constexpr int someLanes = 14;
constexpr int tailShare = 50;            // of a script, behind its last event
constexpr qsizetype keyCodePoints = 120; // of a key

} // namespace

void RunLanes::begin(const QList<QByteArray> &keys, int workers)
{
    m_history = RunHistory(workers, int(keys.size()));
    m_keys = keys;
    m_wakes.clear();
    m_areWakesStale = false;
    m_violations.clear();
    m_end = microseconds(0);
    m_fullAt.reset();
    m_shownUntil.reset();
    m_chosen = -1;
    m_shownLocks.clear();
    chooseSections();
}

/// Chooses the locks with a lane, in order; the choice changes only for a lock with a violation.
void RunLanes::chooseSections()
{
    const auto locks = qsizetype(m_history.sections().size());
    std::vector<bool> isViolated(size_t(locks), false);
    for (qsizetype lock = 0; lock < locks && locks > maxSections; ++lock)
        isViolated[size_t(lock)] = !m_history.sections()[size_t(lock)].overlaps.empty();
    for (const Violation &violation : m_violations) {
        if (violation.lock >= 0 && violation.lock < locks)
            isViolated[size_t(violation.lock)] = true;
    }
    m_shownLocks.clear();
    for (const bool wanted : {true, false}) {
        for (int lock = 0; lock < locks && m_shownLocks.size() < size_t(maxSections); ++lock) {
            if (isViolated[size_t(lock)] == wanted)
                m_shownLocks.push_back(lock);
        }
    }
    std::ranges::sort(m_shownLocks);
}

void RunLanes::setFindings(const QList<Violation> &violations)
{
    m_violations = violations;
    if (locks() > maxSections)
        chooseSections();
}

void RunLanes::take(const QList<TraceEntry> &entries)
{
    m_history.take(entries);
    m_areWakesStale = true;
    m_end = std::max(m_end, m_history.end());
}

void RunLanes::show(const Report &report)
{
    begin(report.keys, report.plan.workers);
    take(report.trace.entries());
    setFullAt(report.trace.fullAt());
    setFindings(report.findings.examples);
    const QList<TraceEntry> &entries = report.trace.entries();
    const microseconds last = entries.isEmpty() ? microseconds(0) : entries.last().at;
    setEnd(report.plan.script.isEmpty() ? std::max(last, report.duration) : last + last / tailShare);
}

double RunLanes::barScale() const
{
    return laneCount() <= fewLanes ? 2.4 : laneCount() <= someLanes ? 1.3 : 1;
}

void RunLanes::setEnd(microseconds end)
{
    m_end = std::max(end, m_history.end());
}

/// Returns the end of the recorded part: open spans may have ended unrecorded.
microseconds RunLanes::knownEnd() const
{
    return std::min(m_end, m_fullAt.value_or(m_end));
}

int RunLanes::laneCount() const
{
    return sections() + int(m_history.workers().size());
}

int RunLanes::pinnedLanes() const
{
    return sections() <= pinnedSections ? sections() : 0;
}

QString RunLanes::keyOf(int lock) const
{
    return printable(m_keys.value(lock), keyCodePoints);
}

QString RunLanes::laneName(int lane) const
{
    if (lane >= sections())
        return workerName(lane - sections());
    return sections() == 1 ? tr("Critical section") : Texts::tr("Lock %1").arg(lockOf(lane) + 1);
}

StatusColor RunLanes::laneColor(int lane) const
{
    if (lane < sections())
        return m_history.sections()[size_t(lockOf(lane))].overlaps.empty() ? StatusColor::Held
                                                                           : StatusColor::Danger;
    return StatusColor::Muted;
}

int RunLanes::barRows(int lane) const
{
    return lane < sections() ? m_history.sections()[size_t(lockOf(lane))].rows
                             : m_history.workers()[size_t(lane - sections())].rows;
}

TimeRange RunLanes::known() const
{
    return {0, onAxis(std::max(m_end, microseconds(1)))};
}

qint64 RunLanes::shownUntilMs() const
{
    return onAxis(std::min(m_shownUntil.value_or(m_end), std::max(m_end, microseconds(1))));
}

TimeRange RunLanes::timeOf(const RunSpan &span) const
{
    return {onAxis(span.from), onAxis(std::max(span.to.value_or(knownEnd()), span.from))};
}

QList<LaneBand> RunLanes::bands(TimeRange time) const
{
    QList<LaneBand> bands;
    const qint64 until = shownUntilMs();
    for (const RunHistory::ServerSpan &span : m_history.server()) {
        TimeRange shown = timeOf(span.time);
        if (!shown.touches(time) || shown.fromMs > until)
            continue;
        shown.toMs = std::min(shown.toMs, until);
        LaneBand band{.time = shown, .isUnknown = false};
        switch (span.state) {
        case RunHistory::ServerState::Paused:
            band.text = tr("server paused");
            break;
        case RunHistory::ServerState::Losing:
            band.color = StatusColor::Danger;
            band.text = tr("restart or flush");
            break;
        case RunHistory::ServerState::ProcessStalled:
            band.color = StatusColor::Muted;
            band.text = tr("a process does not respond");
            break;
        }
        bands.append(band);
    }
    if (m_fullAt && *m_fullAt < m_end)
        bands.append({.time = {onAxis(*m_fullAt), onAxis(m_end)}});
    return bands;
}

QList<LaneLine> RunLanes::lines(TimeRange time) const
{
    QList<LaneLine> lines;
    for (const RunHistory::ServerSpan &span : m_history.server()) {
        const qint64 at = onAxis(span.time.from);
        if (span.state == RunHistory::ServerState::Losing && at >= time.fromMs && at <= time.toMs)
            lines.append({at, StatusColor::Danger, tr("restart or flush")});
    }
    return lines;
}

QList<LaneArrow> RunLanes::arrows(TimeRange time) const
{
    if (std::exchange(m_areWakesStale, false))
        m_wakes = m_history.wakes();
    QList<LaneArrow> arrows;
    for (const RunHistory::Wake &wake : m_wakes) {
        const TimeRange span{onAxis(wake.sentAt), onAxis(wake.at)};
        if (!span.touches(time) || wake.at > knownEnd())
            continue;
        if (arrows.size() == maxArrows)
            return {};
        arrows.append({laneOfWorker(wake.from), laneOfWorker(wake.to), span.fromMs, span.toMs});
    }
    return arrows;
}

} // namespace lockscope
