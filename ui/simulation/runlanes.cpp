// SPDX-License-Identifier: GPL-3.0-or-later
// What is drawn of a run; runlanestext.cpp says it in words.
#include "ui/simulation/runlanes.h"

#include "core/base/printable.h"
#include "ui/simulation/runtext.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

struct LaneWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::RunLanes)
};

using Part = RunHistory::Part;
using Look = LaneBar::Look;

constexpr int pinnedSections = 3;     // with more of them, workers would have no room
constexpr qsizetype mostArrows = 300; // in sight: more say nothing
constexpr qint64 tickPixels = 6;      // between refused attempts, about
constexpr int fewLanes = 7;
constexpr int someLanes = 14;
constexpr int tailShare = 50; // of a script, behind its last event
constexpr int markIndent = 8;
constexpr qint64 thinPixels = 2;         // bars that are told apart no more
constexpr qsizetype keyCodePoints = 120; // of a key

bool touches(const TimeRange &one, const TimeRange &other)
{
    return one.fromMs <= other.toMs && one.toMs >= other.fromMs;
}

/// Bars that are too short to be told apart become one.
class MergedBars
{
public:
    MergedBars(QList<LaneBar> &bars, qint64 stepMs) : m_bars(bars), m_stepMs(stepMs) { m_last.fill(-1); }

    void add(const LaneBar &bar)
    {
        qsizetype &last = m_last[size_t(std::clamp(bar.row, 0, RunHistory::mostRows))];
        const bool isThin = bar.time.toMs - bar.time.fromMs < thinPixels * m_stepMs;
        if (last >= 0 && isThin) {
            LaneBar &before = m_bars[last];
            const bool isNear = bar.time.fromMs - before.time.toMs <= thinPixels * m_stepMs;
            const bool isMerged =
                before.look == Look::Dense || before.time.toMs - before.time.fromMs < thinPixels * m_stepMs;
            if (isNear && isMerged && before.color == bar.color) {
                before.time.toMs = std::max(before.time.toMs, bar.time.toMs);
                before.look = Look::Dense;
                before.text.clear();
                return;
            }
        }
        last = m_bars.size();
        m_bars.append(bar);
    }

private:
    QList<LaneBar> &m_bars;
    qint64 m_stepMs;
    std::array<qsizetype, RunHistory::mostRows + 1> m_last{};
};

struct RunMark
{
    std::optional<Glyph> glyph;
    StatusColor color;
};

RunMark lookOf(TraceEntry::Kind kind)
{
    switch (kind) {
    case TraceEntry::Kind::Died:
        return {Glyph::Cross, StatusColor::Danger};
    case TraceEntry::Kind::Lost:
    case TraceEntry::Kind::NotHeld:
        return {Glyph::OpenPadlock, StatusColor::Danger};
    case TraceEntry::Kind::TimedOut:
        return {Glyph::ClockFace, StatusColor::Warning};
    case TraceEntry::Kind::NoReply:
        return {Glyph::Unlinked, StatusColor::Warning};
    default:
        return {Glyph::Dash, StatusColor::Warning};
    }
}

/// What concerns the lock itself; the others are marked at the worker alone.
bool isOfSection(ViolationKind kind)
{
    return kind == ViolationKind::Overlap || kind == ViolationKind::ForeignRelease ||
           kind == ViolationKind::Orphan;
}

RunMark lookOf(ViolationKind kind)
{
    switch (kind) {
    case ViolationKind::Overlap:
        return {Glyph::Octagon, StatusColor::Danger};
    case ViolationKind::ForeignRelease:
        return {Glyph::Bolt, StatusColor::Danger};
    case ViolationKind::Orphan:
        return {Glyph::Infinity, StatusColor::Endless};
    case ViolationKind::LostWakeUp:
        return {Glyph::Hourglass, StatusColor::Danger};
    case ViolationKind::FenceRepeated:
        return {Glyph::Tag, StatusColor::Danger};
    case ViolationKind::StaleWrite:
        return {Glyph::Triangle, StatusColor::Danger};
    case ViolationKind::Leak:
        return {Glyph::Padlock, StatusColor::Danger};
    }
    return {std::nullopt, StatusColor::Danger};
}

} // namespace

RunLanes::RunLanes() = default;

void RunLanes::begin(const QList<QByteArray> &keys, int workers)
{
    m_history = RunHistory(workers, int(keys.size()));
    m_keys = keys;
    m_openWakes.clear();
    m_areWakesStale = false;
    m_violations.clear();
    m_end = m_axisEnd = microseconds(0);
    m_fullAt.reset();
    m_shownUntil.reset();
    m_chosen = -1;
    m_shownLocks.clear();
    chooseSections();
}

/// In their order, which stays as it is unless a lock that has none must have a lane.
void RunLanes::chooseSections()
{
    const auto locks = qsizetype(m_history.sections().size());
    std::vector<bool> isViolated(size_t(locks), false);
    for (qsizetype lock = 0; lock < locks && locks > mostSections; ++lock)
        isViolated[size_t(lock)] = !m_history.sections()[size_t(lock)].overlaps.empty();
    for (const Violation &violation : m_violations) {
        if (violation.lock >= 0 && violation.lock < locks)
            isViolated[size_t(violation.lock)] = true;
    }
    m_shownLocks.clear();
    for (const bool wanted : {true, false}) {
        for (int lock = 0; lock < locks && m_shownLocks.size() < size_t(mostSections); ++lock) {
            if (isViolated[size_t(lock)] == wanted)
                m_shownLocks.push_back(lock);
        }
    }
    std::ranges::sort(m_shownLocks);
}

void RunLanes::setFindings(const QList<Violation> &violations)
{
    m_violations = violations;
    if (locks() > mostSections)
        chooseSections();
}

void RunLanes::take(const QList<TraceEntry> &entries)
{
    m_history.take(entries);
    m_areWakesStale = true;
    m_end = std::max(m_end, m_history.end());
}

microseconds RunLanes::endOf(const Report &report)
{
    const QList<TraceEntry> &entries = report.trace.entries();
    const microseconds last = entries.isEmpty() ? microseconds(0) : entries.last().at;
    return report.plan.script.isEmpty() ? std::max(last, report.duration) : last + last / tailShare;
}

double RunLanes::barScale() const
{
    return laneCount() <= fewLanes ? 1.8 : laneCount() <= someLanes ? 1.3 : 1;
}

void RunLanes::setEnd(microseconds end)
{
    m_end = std::max(end, m_history.end());
}

/// What goes on then may have ended unrecorded.
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
    return sections() == 1 ? LaneWords::tr("Critical section")
                           : LaneWords::tr("Lock %1", "critical section of a lock").arg(lockOf(lane) + 1);
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
    return {0, onAxis(std::max({m_end, m_axisEnd, microseconds(1)}))};
}

qint64 RunLanes::shownUntilMs() const
{
    return onAxis(std::min(m_shownUntil.value_or(m_end), std::max(m_end, microseconds(1))));
}

TimeRange RunLanes::timeOf(const RunSpan &span) const
{
    return {onAxis(span.from), onAxis(std::max(span.to.value_or(knownEnd()), span.from))};
}

void RunLanes::fill(LaneContent &content, int lane, TimeRange time, qint64 stepMs) const
{
    if (lane < sections())
        fillSection(content, lockOf(lane), time, stepMs);
    else
        fillWorker(content, lane - sections(), time, stepMs);
}

void RunLanes::fillSection(LaneContent &content, int lock, TimeRange time, qint64 stepMs) const
{
    const RunHistory::Section &section = m_history.sections()[size_t(lock)];
    MergedBars bars(content.bars, stepMs);
    for (const RunHistory::Stay &stay : section.stays) {
        const TimeRange whole = timeOf(stay.time);
        if (whole.fromMs > time.toMs)
            break;
        if (!touches(whole, time))
            continue;
        LaneBar bar{
            .time = whole, .row = stay.row, .isOpenRight = !stay.time.to, .text = workerName(stay.worker)};
        // Parts of it that another shares are bars of their own.
        const auto first =
            std::ranges::lower_bound(section.overlaps, stay.time.from, {}, [](const RunSpan &each) {
                return each.to.value_or(microseconds::max());
            });
        for (auto span = first; span != section.overlaps.end(); ++span) {
            const TimeRange shared = timeOf(*span);
            if (shared.fromMs >= whole.toMs)
                break;
            const TimeRange part{std::max(shared.fromMs, whole.fromMs), std::min(shared.toMs, whole.toMs)};
            if (part.toMs <= part.fromMs)
                continue;
            if (part.fromMs > bar.time.fromMs) {
                LaneBar alone = bar;
                alone.time.toMs = part.fromMs;
                alone.isOpenRight = true;
                bars.add(alone);
            }
            // Never merged away: this is what one looks for.
            content.bars.append({.time = part,
                                 .row = stay.row,
                                 .look = Look::Crossed,
                                 .color = StatusColor::Danger,
                                 .isOpenLeft = part.fromMs > whole.fromMs,
                                 .isOpenRight = part.toMs < whole.toMs,
                                 .text = workerName(stay.worker)});
            bar.time.fromMs = part.toMs;
            bar.isOpenLeft = true;
        }
        if (bar.time.toMs > bar.time.fromMs || whole.toMs == whole.fromMs)
            bars.add(bar);
    }
    for (const Violation &violation : m_violations) {
        const RunMark look = lookOf(violation.kind);
        const qint64 at = onAxis(violation.at);
        if (violation.lock == lock && isOfSection(violation.kind) && at >= time.fromMs && at <= time.toMs)
            content.marks.append({at, look.glyph, look.color});
    }
    std::ranges::sort(content.marks, {}, &LaneMark::atMs);
}

void RunLanes::fillWorker(LaneContent &content, int number, TimeRange time, qint64 stepMs) const
{
    const RunHistory::Worker &worker = m_history.workers()[size_t(number)];
    MergedBars waits(content.bars, stepMs), holds(content.bars, stepMs);
    const bool hasSeveralLocks = m_history.sections().size() > 1;
    const auto lockText = [&](const Part &part) {
        return hasSeveralLocks ? LaneWords::tr("Lock %1", "critical section of a lock").arg(part.lock + 1)
                               : QString();
    };
    for (const Part &wait : worker.waits) {
        if (const TimeRange span = timeOf(wait.time); touches(span, time))
            waits.add({.time = span,
                       .row = wait.row,
                       .look = Look::Hatched,
                       .color = StatusColor::Warning,
                       .isOpenRight = !wait.time.to,
                       .text = lockText(wait)});
    }
    for (const Part &wait : worker.waits) {
        if (const TimeRange span = timeOf(wait.time); touches(span, time))
            addRefusals(content, worker, span, wait.row, stepMs);
    }
    for (const Part &hold : worker.holds) {
        const TimeRange whole = timeOf(hold.time);
        if (!touches(whole, time))
            continue;
        LaneBar bar{.time = whole, .row = hold.row, .depth = hold.levels, .text = lockText(hold)};
        for (const Part::Change &change : hold.changes) {
            bar.time.toMs = onAxis(change.at);
            holds.add(bar);
            bar.time = {onAxis(change.at), whole.toMs};
            bar.depth = change.levels;
        }
        bar.isOpenRight = !hold.time.to;
        holds.add(bar);
    }
    const auto addSpans = [&](const std::vector<RunSpan> &spans, Look look, StatusColor color,
                              const QString &text, int indent = 0) {
        MergedBars bars(content.bars, stepMs);
        for (const RunSpan &each : spans) {
            if (const TimeRange span = timeOf(each); touches(span, time))
                bars.add({.time = span,
                          .look = look,
                          .color = color,
                          .isOpenRight = !each.to,
                          .text = text,
                          .textIndent = indent});
        }
    };
    addSpans(worker.pauses, Look::Solid, StatusColor::Endless, lookOf(WorkerState::Paused).word);
    addSpans(worker.absences, Look::Solid, StatusColor::Warning, lookOf(WorkerState::Disconnected).word);
    addSpans(worker.deaths, Look::Solid, StatusColor::Muted, lookOf(WorkerState::Dead).word, markIndent);
    for (const RunHistory::Lease &lease : worker.leases) {
        const microseconds to = std::min(lease.endedAt.value_or(lease.until), lease.until);
        const TimeRange span{onAxis(lease.from), onAxis(to)};
        if (span.toMs > span.fromMs && touches(span, time))
            content.leases.append(
                {span, 1, double(onAxis(lease.until) - span.toMs) / double(onAxis(lease.until) - span.fromMs),
                 false, lease.isRenewal});
    }
    for (const RunSpan &gap : worker.gaps) {
        if (const TimeRange span = timeOf(gap); touches(span, time))
            content.bars.append({.time = span, .look = Look::Unknown});
    }
    addMarks(content, number, time);
}

/// In a wait with so many that they cannot be counted, none.
void RunLanes::addRefusals(LaneContent &content, const RunHistory::Worker &worker, TimeRange wait, int row,
                           qint64 stepMs)
{
    const auto first = std::ranges::lower_bound(worker.refusals, fromAxis(wait.fromMs));
    const auto last = std::ranges::upper_bound(worker.refusals, fromAxis(wait.toMs));
    if (last < first || (last - first) * tickPixels * stepMs > wait.toMs - wait.fromMs)
        return;
    for (auto refusal = first; refusal != last; ++refusal)
        content.bars.append(
            {.time = {onAxis(*refusal), onAxis(*refusal)}, .row = row, .color = StatusColor::Warning});
}

void RunLanes::addMarks(LaneContent &content, int number, TimeRange time) const
{
    const RunHistory::Worker &worker = m_history.workers()[size_t(number)];
    const auto add = [&](microseconds moment, const RunMark &look) {
        if (const qint64 at = onAxis(moment); at >= time.fromMs && at <= time.toMs)
            content.marks.append({at, look.glyph, look.color});
    };
    for (const RunHistory::Mark &mark : worker.marks)
        add(mark.at, lookOf(mark.kind));
    for (const RunHistory::Lease &lease : worker.leases) {
        const bool isOver = lease.isOver || !lease.endedAt;
        if (isOver && lease.until <= knownEnd())
            add(lease.until,
                {Glyph::Hourglass, lease.unwatchedFrom ? StatusColor::Muted : StatusColor::Warning});
    }
    for (const Violation &violation : m_violations) {
        if (violation.intruder == number && violation.kind != ViolationKind::Overlap)
            add(violation.at, lookOf(violation.kind));
    }
    std::ranges::sort(content.marks, {}, &LaneMark::atMs);
}

QList<LaneBand> RunLanes::bands(TimeRange time) const
{
    QList<LaneBand> bands;
    const qint64 until = shownUntilMs();
    for (const RunHistory::ServerSpan &span : m_history.server()) {
        TimeRange shown = timeOf(span.time);
        if (!touches(shown, time) || shown.fromMs > until)
            continue;
        shown.toMs = std::min(shown.toMs, until);
        LaneBand band{.time = shown, .isUnknown = false};
        switch (span.state) {
        case RunHistory::ServerState::Paused:
            band.text = LaneWords::tr("server paused");
            break;
        case RunHistory::ServerState::Losing:
            band.color = StatusColor::Danger;
            band.text = LaneWords::tr("restart or flush");
            break;
        case RunHistory::ServerState::ProcessStalled:
            band.color = StatusColor::Muted;
            band.text = LaneWords::tr("a process does not respond");
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
            lines.append({at, StatusColor::Danger, LaneWords::tr("restart or flush")});
    }
    return lines;
}

QList<LaneArrow> RunLanes::arrows(TimeRange time) const
{
    if (std::exchange(m_areWakesStale, false))
        m_openWakes = m_history.openWakes();
    QList<LaneArrow> arrows;
    for (const auto *wakes :
         {&m_history.settledWakes(), static_cast<const std::vector<RunHistory::Wake> *>(&m_openWakes)}) {
        for (const RunHistory::Wake &wake : *wakes) {
            const TimeRange span{onAxis(wake.sentAt), onAxis(wake.at)};
            if (!touches(span, time) || wake.at > knownEnd())
                continue;
            if (arrows.size() == mostArrows)
                return {};
            arrows.append({laneOfWorker(wake.from), laneOfWorker(wake.to), span.fromMs, span.toMs});
        }
    }
    return arrows;
}

} // namespace lockscope
