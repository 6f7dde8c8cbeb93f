// SPDX-License-Identifier: GPL-3.0-or-later
// What a LockHistory tells.
#include "core/history/lockhistory.h"

#include <algorithm>

namespace lockscope {

namespace {

/// Waiters are read after their lock: those of the first reading may have waited before.
constexpr qint64 firstReadingMs = 10'000;

} // namespace

HistorySlice LockHistory::sliceOf(const SliceTrack &track, const SliceRecord &record, qint64 nowMs) const
{
    const qint64 from = m_store.toAxis(record.from);
    return {.kind = track.kind(),
            .row = track.row(),
            .fromMs = from,
            .toMs = record.to == SliceRecord::isOpen ? std::max(nowMs, from) : m_store.toAxis(record.to),
            .begin = record.begin,
            .end = record.end,
            .value = record.value,
            .detail = record.detail};
}

void LockHistory::visit(const LockKey &key, qint64 fromMs, qint64 toMs, qint64 nowMs, qint64 stepMs,
                        const Take &take) const
{
    const SliceLane *lane = m_store.find(key);
    if (!lane || fromMs >= toMs)
        return;
    const quint32 from = m_store.fromBase(fromMs), to = m_store.fromBase(toMs);
    if (const auto found = lane->foundAt(); found && *found > from)
        take({.kind = SliceKind::Unknown, .fromMs = fromMs, .toMs = m_store.toAxis(*found)});
    for (const SliceTrack &each : lane->tracks)
        visitTrack(each, from, to, nowMs, stepMs, take);
    if (lane->isUnwatched && lane->lastMs < to)
        take({.kind = SliceKind::Unknown,
              .fromMs = std::max(fromMs, m_store.toAxis(lane->lastMs)),
              .toMs = toMs});
    for (const HistoryGap &gap : m_gaps.ofSlot(key)) {
        const qint64 gapTo = gap.toMs.value_or(std::max(nowMs, gap.fromMs));
        if (gap.fromMs < toMs && gapTo > fromMs)
            take({.kind = SliceKind::Unknown, .fromMs = gap.fromMs, .toMs = gapTo});
    }
}

void LockHistory::visitTrack(const SliceTrack &track, quint32 from, quint32 to, qint64 nowMs, qint64 stepMs,
                             const Take &take) const
{
    const auto step = quint32(std::clamp<qint64>(stepMs, 1, SliceRecord::isOpen));
    for (size_t i = track.firstEndingAfter(from); i < track.size() && track.at(i).from < to;) {
        const SliceRecord &first = track.at(i);
        HistorySlice slice = sliceOf(track, first, nowMs);
        size_t next = i + 1;
        if (step > 1 && next < track.size() && track.at(next).from / step == first.from / step) {
            const quint64 stepEnd = (quint64(first.from) / step + 1) * step;
            next = track.firstFrom(quint32(std::min<quint64>(stepEnd, SliceRecord::isOpen)), i);
            if (track.at(next - 1).to > stepEnd) // it is long enough for itself
                --next;
            const HistorySlice last = sliceOf(track, track.at(next - 1), nowMs);
            slice.toMs = last.toMs;
            slice.end = last.end;
            slice.merged = qint64(next - i);
        }
        take(slice);
        i = next;
    }
}

bool LockHistory::visitStays(qint64 fromMs, qint64 toMs, qint64 nowMs, qint64 most,
                             const TakeStay &take) const
{
    const quint32 from = m_store.fromBase(fromMs), to = m_store.fromBase(toMs);
    qint64 taken = 0;
    for (const SliceLane &lane : m_store.lanes()) {
        for (const SliceTrack &each : lane.tracks) {
            if (each.kind() != SliceKind::Hold && each.kind() != SliceKind::Wait)
                continue;
            for (size_t i = each.firstEndingAfter(from); i < each.size() && each.at(i).from < to; ++i) {
                if (++taken > most)
                    return false;
                take(lane.key, sliceOf(each, each.at(i), nowMs));
            }
        }
    }
    return true;
}

LaneState LockHistory::stateAt(const LockKey &key, qint64 atMs, qint64 nowMs) const
{
    LaneState state;
    const SliceLane *lane = m_store.find(key);
    state.isKnown = lane && atMs >= firstMs() && atMs <= nowMs && !m_gaps.isIn(key, atMs, atMs + 1);
    if (!lane)
        return state;
    std::optional<WaiterCertainty> counted;
    visit(key, atMs, atMs + 1, nowMs + 1, 1, [&](const HistorySlice &slice) {
        switch (slice.kind) {
        case SliceKind::Hold: {
            qint64 since = slice.fromMs;
            const SliceTrack &holds = *lane->find(SliceKind::Hold, slice.row);
            size_t at = holds.firstEndingAfter(m_store.fromBase(atMs));
            for (; at > 0 && holds.at(at).isSameHold(); --at)
                since = m_store.toAxis(holds.at(at - 1).from);
            state.holders.append({m_store.owner(slice.value), slice.detail, since,
                                  holds.at(at).begin == SliceBegin::Found || holds.at(at).isSameHold()});
            break;
        }
        case SliceKind::Wait:
            state.queue.append({m_store.owner(slice.value), slice.detail != 0});
            break;
        case SliceKind::WaitCount:
            state.waiters = slice.value;
            counted = WaiterCertainty(slice.detail);
            break;
        case SliceKind::Lease:
            state.isEndless = slice.value == HistorySlice::noExpiry;
            if (!state.isEndless)
                state.leftMs = std::max<qint64>(qint64(slice.value) - (atMs - slice.fromMs), 0);
            break;
        case SliceKind::Unknown:
            state.isKnown = false;
            break;
        case SliceKind::Mark:
            break;
        }
    });
    if (counted) {
        state.certainty = *counted;
    } else if (!state.queue.isEmpty()) {
        state.waiters = state.queue.size();
        state.certainty = WaiterCertainty::Exact;
    }
    return state;
}

bool LockHistory::isFirstReading(const SliceLane &lane, const std::vector<HistoryGap> &gaps, quint32 at) const
{
    const auto isJustBefore = [atMs = m_store.toAxis(at)](qint64 seenMs) {
        return seenMs <= atMs && atMs - seenMs < firstReadingMs;
    };
    const auto next = std::ranges::partition_point(
        gaps, [atMs = m_store.toAxis(at)](const HistoryGap &gap) { return gap.toMs && *gap.toMs <= atMs; });
    const auto found = lane.foundAt();
    return (found && isJustBefore(m_store.toAxis(*found))) ||
           (next != gaps.begin() && isJustBefore(*std::prev(next)->toMs));
}

bool LockHistory::isTouched(const LockKey &key, qint64 fromMs, qint64 toMs) const
{
    const SliceLane *lane = m_store.find(key);
    if (!lane)
        return false;
    const quint32 from = m_store.fromBase(fromMs), to = m_store.fromBase(toMs);
    if (lane->isUnwatched && lane->lastMs < to)
        return true;
    if (const auto found = lane->foundAt(); found && *found > from)
        return true;
    if (m_gaps.isIn(key, fromMs, toMs))
        return true;
    return std::ranges::any_of(lane->tracks, [from, to](const SliceTrack &each) {
        const size_t first = each.firstEndingAfter(from);
        return first < each.size() && each.at(first).from < to;
    });
}

} // namespace lockscope
