// SPDX-License-Identifier: GPL-3.0-or-later
// What is in sight of one lane of a run.
#include "ui/simulation/runlanes.h"

#include "core/words/texts.h"
#include "ui/simulation/runtext.h"

#include <algorithm>
#include <array>

namespace lockscope {

namespace {

using Part = RunHistory::Part;
using Look = LaneBar::Look;

constexpr qint64 tickPixels = 6; // between refused attempts, about
constexpr qint64 thinPixels = 2; // bars that are told apart no more

class MergedBars
{
public:
    MergedBars(QList<LaneBar> &bars, qint64 stepMs) : m_bars(bars), m_stepMs(stepMs) { m_last.fill(-1); }

    void add(const LaneBar &bar)
    {
        qsizetype &last = m_last[size_t(std::clamp(bar.row, 0, RunHistory::maxRows))];
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
    std::array<qsizetype, RunHistory::maxRows + 1> m_last{};
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

/// True for violations of the lock itself; others are marked only at the worker.
bool isOfSection(ViolationKind kind)
{
    return kind == ViolationKind::Overlap || kind == ViolationKind::ForeignRelease ||
           kind == ViolationKind::Orphan;
}

/// Indexed by ViolationKind.
constexpr RunMark violationMarks[] = {
    {Glyph::Octagon, StatusColor::Danger},   {Glyph::Bolt, StatusColor::Danger},
    {Glyph::Infinity, StatusColor::Endless}, {Glyph::Hourglass, StatusColor::Danger},
    {Glyph::Tag, StatusColor::Danger},       {Glyph::Triangle, StatusColor::Danger},
    {Glyph::Padlock, StatusColor::Danger}};
static_assert(std::size(violationMarks) == size_t(ViolationKind::Leak) + 1);

} // namespace

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
    for (const RunSpan &orphan : section.orphans) { // few; whoever is inside is drawn over it
        if (const TimeRange span = timeOf(orphan); span.touches(time))
            bars.add({.time = span,
                      .color = StatusColor::Endless,
                      .isOpenRight = !orphan.to,
                      .text = withoutExpiryText()});
    }
    for (const RunHistory::Stay &stay : section.stays) {
        const TimeRange whole = timeOf(stay.time);
        if (!whole.touches(time))
            continue;
        LaneBar bar{
            .time = whole, .row = stay.row, .isOpenRight = !stay.time.to, .text = workerName(stay.worker)};
        // Parts of it that another shares are bars of their own, where they are in sight.
        const auto first = std::ranges::lower_bound(
            section.overlaps, std::max(stay.time.from, fromAxis(time.fromMs)), {},
            [](const RunSpan &each) { return each.to.value_or(microseconds::max()); });
        for (auto span = first; span != section.overlaps.end(); ++span) {
            const TimeRange shared = timeOf(*span);
            if (shared.fromMs >= whole.toMs || shared.fromMs > time.toMs)
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
        const RunMark &look = violationMarks[size_t(violation.kind)];
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
        return hasSeveralLocks ? Texts::tr("Lock %1").arg(part.lock + 1) : QString();
    };
    for (const Part &wait : worker.waits) {
        if (const TimeRange span = timeOf(wait.time); span.touches(time))
            waits.add({.time = span,
                       .row = wait.row,
                       .look = Look::Hatched,
                       .color = StatusColor::Warning,
                       .isOpenRight = !wait.time.to,
                       .text = lockText(wait)});
    }
    for (const Part &wait : worker.waits) {
        if (const TimeRange span = timeOf(wait.time); span.touches(time))
            addRefusals(content, worker, span, wait.row, stepMs);
    }
    for (const Part &hold : worker.holds) {
        const TimeRange whole = timeOf(hold.time);
        if (!whole.touches(time))
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
    const auto addSpans = [&](const std::vector<RunSpan> &spans, StatusColor color, const QString &text) {
        MergedBars bars(content.bars, stepMs);
        for (const RunSpan &each : spans) {
            if (const TimeRange span = timeOf(each); span.touches(time))
                bars.add({.time = span, .color = color, .isOpenRight = !each.to, .text = text});
        }
    };
    addSpans(worker.pauses, StatusColor::Endless, lookOf(WorkerState::Paused).word);
    addSpans(worker.absences, StatusColor::Warning, lookOf(WorkerState::Disconnected).word);
    addSpans(worker.deaths, StatusColor::Muted, lookOf(WorkerState::Dead).word);
    for (const RunHistory::Lease &lease : worker.leases) {
        const microseconds to = std::min(lease.endedAt.value_or(lease.until), lease.until);
        const TimeRange span{onAxis(lease.from), onAxis(to)};
        if (span.toMs > span.fromMs && span.touches(time))
            content.leases.append(
                {span, 1, double(onAxis(lease.until) - span.toMs) / double(onAxis(lease.until) - span.fromMs),
                 false, lease.isRenewal});
    }
    for (const RunSpan &gap : worker.gaps) {
        if (const TimeRange span = timeOf(gap); span.touches(time))
            content.bars.append({.time = span, .look = Look::Unknown});
    }
    addMarks(content, number, time);
}

/// Marks no refusals in a wait with too many to count.
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
            add(violation.at, violationMarks[size_t(violation.kind)]);
    }
    std::ranges::sort(content.marks, {}, &LaneMark::atMs);
}

} // namespace lockscope
