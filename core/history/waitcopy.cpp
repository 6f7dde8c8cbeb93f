// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/waitcopy.h"

#include <QElapsedTimer>

#include <algorithm>

namespace lockscope {

namespace {

constexpr size_t lanesBetweenLooks = 64; ///< at the time

} // namespace

WaitCopy::WaitCopy(const LockHistory &history, qint64 fromMs, qint64 toMs)
    : m_history(&history),
      m_fromMs(std::max(fromMs, history.firstMs())),
      m_to(quint32(std::max<qint64>(toMs - m_fromMs, 0))),
      m_isShortened(fromMs < m_fromMs &&
                    (history.store().dropped() > 0 || history.store().firstMs() < history.firstMs()))
{
}

bool WaitCopy::work(milliseconds budget)
{
    QElapsedTimer timer;
    timer.start();
    const std::deque<SliceLane> &lanes = m_history->store().lanes();
    while (m_to > 0 && m_next < lanes.size()) {
        copy(lanes[m_next++]);
        if (m_next % lanesBetweenLooks == 0 && timer.hasExpired(budget.count()))
            return m_next == lanes.size();
    }
    return true;
}

quint32 WaitCopy::fromBegin(qint64 axisMs) const
{
    return quint32(std::clamp<qint64>(axisMs - m_fromMs, 0, m_to));
}

/// Its first slice in the period; size() if none.
size_t WaitCopy::firstOf(const SliceTrack &track) const
{
    const SliceStore &store = m_history->store();
    const size_t first = track.firstEndingAfter(store.fromBase(m_fromMs));
    return first < track.size() && store.toAxis(track.at(first).from) < m_fromMs + m_to ? first
                                                                                        : track.size();
}

void WaitCopy::copy(const SliceLane &source)
{
    const SliceStore &store = m_history->store();
    bool isHeld = false, isAwaited = false;
    for (const SliceTrack &track : source.tracks) {
        const bool isTouched = firstOf(track) < track.size();
        isHeld = isHeld || (isTouched && track.kind() == SliceKind::Hold);
        isAwaited = isAwaited ||
                    (isTouched && (track.kind() == SliceKind::Wait || track.kind() == SliceKind::WaitCount));
    }
    if (!isAwaited) {
        const bool knewWaiters =
            source.knewWaiters(store.fromBase(m_fromMs), store.fromBase(m_fromMs + m_to));
        if (isHeld && (!knewWaiters || source.countsAtLeast))
            m_silent.append(source.key);
        return;
    }
    WaitLane lane;
    lane.key = source.key;
    lane.family = source.family;
    lane.holdsManyRows = source.holdRows == LockHistory::maxRows;
    std::vector<CoveredTime::Part> unseen;
    const std::vector<HistoryGap> gaps = m_history->gapsOf(source.key);
    for (const SliceTrack &track : source.tracks) {
        if (track.kind() == SliceKind::Hold)
            lane.holds.emplace_back();
        for (size_t i = firstOf(track); i < track.size(); ++i) {
            const SliceRecord &record = track.at(i);
            const qint64 begin = store.toAxis(record.from);
            if (begin >= m_fromMs + m_to)
                break;
            WaitSpan span{.from = fromBegin(begin), .to = fromBegin(store.toAxis(record.to))};
            if (track.kind() == SliceKind::Unknown) {
                unseen.emplace_back(span.from, span.to);
            } else if (track.kind() == SliceKind::WaitCount) {
                span.value = record.value;
                span.isAtLeast = WaiterCertainty(record.detail) != WaiterCertainty::Exact;
                lane.counts.push_back(cutOff(span, record, source, gaps));
            } else if (track.kind() == SliceKind::Hold) {
                span.value = ownerNumber(record);
                lane.holds.back().push_back(span);
            } else if (track.kind() == SliceKind::Wait) {
                span.value = ownerNumber(record);
                span.isDead = record.detail != 0;
                lane.waits.push_back(cutOff(span, record, source, gaps));
                if (track.row() == 0)
                    lane.heads.push_back(span);
            }
        }
    }
    for (const HistoryGap &gap : gaps)
        unseen.emplace_back(fromBegin(gap.fromMs), gap.toMs ? fromBegin(*gap.toMs) : m_to);
    std::ranges::sort(unseen);
    lane.unseen = CoveredTime(unseen);
    m_lanes.push_back(std::move(lane));
}

quint32 WaitCopy::ownerNumber(const SliceRecord &record)
{
    return m_owners.add(m_history->store().owner(record.value)).id;
}

WaitSpan WaitCopy::cutOff(WaitSpan span, const SliceRecord &record, const SliceLane &lane,
                          const std::vector<HistoryGap> &gaps) const
{
    const bool beganBefore =
        record.begin == SliceBegin::Found ||
        (record.begin == SliceBegin::Seen && m_history->isFirstReading(lane, gaps, record.from));
    const bool wentOn = record.end == SliceEnd::Unwatched;
    const qint64 begin = m_history->store().toAxis(record.from), end = m_history->store().toAxis(record.to);
    const qint64 toMs = m_fromMs + m_to;
    span.isCut = begin < m_fromMs || end > toMs || beganBefore || wentOn;
    span.isAtLeast |= (beganBefore && begin > m_fromMs) || (wentOn && end < toMs);
    return span;
}

} // namespace lockscope
