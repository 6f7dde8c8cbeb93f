// SPDX-License-Identifier: GPL-3.0-or-later
// What a LockHistory tells.
#include "core/history/lockhistory.h"

#include <algorithm>
#include <iterator>

namespace lockscope {

namespace {

/// A hold goes on as the next slice with another count.
bool isSameHold(const SliceRecord &record)
{
    return record.begin == SliceBegin::Reentered || record.begin == SliceBegin::Unwound;
}

/// One behind the other; those that meet become one, of no certain slots.
void joinGap(std::vector<HistoryGap> &gaps, const HistoryGap &next)
{
    if (gaps.empty() || (gaps.back().toMs && *gaps.back().toMs < next.fromMs)) {
        gaps.push_back({next.fromMs, next.toMs});
    } else if (HistoryGap &last = gaps.back(); last.toMs) {
        last.toMs = next.toMs ? std::max(*last.toMs, *next.toMs) : next.toMs;
    }
}

std::vector<HistoryGap> joinedGaps(const std::deque<HistoryGap> &ofAll,
                                   const std::vector<HistoryGap> &ofSlots)
{
    if (ofSlots.empty())
        return {ofAll.begin(), ofAll.end()};
    std::vector<HistoryGap> inOrder, joined;
    inOrder.reserve(ofAll.size() + ofSlots.size());
    std::ranges::merge(ofAll, ofSlots, std::back_inserter(inOrder), {}, &HistoryGap::fromMs,
                       &HistoryGap::fromMs);
    for (const HistoryGap &gap : inOrder)
        joinGap(joined, gap);
    return joined;
}

} // namespace

/// nullopt: of any key.
std::vector<HistoryGap> LockHistory::slotGapsOf(const std::optional<LockKey> &key) const
{
    std::vector<HistoryGap> found;
    if (m_slotGaps.empty())
        return found;
    const auto slot = size_t(key ? slotOf(key->bytes) : 0);
    for (const HistoryGap &gap : m_slotGaps) {
        if (!key || gap.slotSet->test(slot))
            joinGap(found, gap);
    }
    return found;
}

std::vector<HistoryGap> LockHistory::gapsOf(const LockKey &key) const
{
    return joinedGaps(m_gaps, slotGapsOf(key));
}

std::vector<HistoryGap> LockHistory::gapsOfAny() const
{
    return joinedGaps(m_gaps, slotGapsOf(std::nullopt));
}

/// Changes of that lock may have been missed in that time, or in some of it.
bool LockHistory::isInGap(const LockKey &key, qint64 fromMs, qint64 toMs) const
{
    const auto meets = [fromMs, toMs](const HistoryGap &gap) {
        return gap.fromMs < toMs && (!gap.toMs || *gap.toMs > fromMs);
    };
    return std::ranges::any_of(m_gaps, meets) || std::ranges::any_of(slotGapsOf(key), meets);
}

const std::vector<SliceTrack> *LockHistory::tracks(const LockKey &key) const
{
    const Lane *lane = find(key);
    return lane ? &lane->tracks : nullptr;
}

std::optional<qint64> LockHistory::foundMs(const LockKey &key) const
{
    const Lane *lane = find(key);
    const auto found = lane ? foundAt(*lane) : std::nullopt;
    return found ? std::optional(toAxis(*found)) : std::nullopt;
}

std::optional<qint64> LockHistory::unwatchedMs(const LockKey &key) const
{
    const Lane *lane = find(key);
    return lane && lane->isUnwatched ? std::optional(toAxis(lane->lastMs)) : std::nullopt;
}

bool LockHistory::knewWaiters(const LockKey &key, qint64 fromMs, qint64 toMs) const
{
    const Lane *lane = find(key);
    if (!lane || lane->firstWaitersMs == SliceRecord::isOpen)
        return false;
    return toAxis(lane->firstWaitersMs) < toMs &&
           (lane->tellsWaiters || toAxis(lane->lastWaitersMs) >= fromMs);
}

Family LockHistory::familyOf(const LockKey &key) const
{
    const Lane *lane = find(key);
    return lane ? lane->family : Family();
}

std::optional<qint64> LockHistory::endedMs(const LockKey &key) const
{
    const Lane *lane = find(key);
    quint32 last = 0;
    if (lane) {
        for (const SliceTrack &each : lane->tracks) {
            if (each.open())
                return std::nullopt;
            last = each.isEmpty() ? last : std::max(last, each.last().to);
        }
    }
    return toAxis(last);
}

int LockHistory::holdRows(const LockKey &key) const
{
    const Lane *lane = find(key);
    return lane ? lane->holdRows : 1;
}

int LockHistory::waitRows(const LockKey &key) const
{
    const Lane *lane = find(key);
    int rows = 0;
    if (lane) {
        for (const SliceTrack &each : lane->tracks)
            rows +=
                !each.isEmpty() && (each.kind() == SliceKind::Wait || each.kind() == SliceKind::WaitCount);
    }
    return rows;
}

qint64 LockHistory::longestLease(const LockKey &key) const
{
    const Lane *lane = find(key);
    return lane ? lane->longestLease : 0;
}

HistorySlice LockHistory::sliceOf(const SliceTrack &track, const SliceRecord &record, qint64 nowMs) const
{
    const qint64 from = toAxis(record.from);
    return {.kind = track.kind(),
            .row = track.row(),
            .fromMs = from,
            .toMs = record.to == SliceRecord::isOpen ? std::max(nowMs, from) : toAxis(record.to),
            .begin = record.begin,
            .end = record.end,
            .value = record.value,
            .detail = record.detail};
}

/// Where a lane begins with what was found: before, nobody had looked.
std::optional<quint32> LockHistory::foundAt(const Lane &lane)
{
    const SliceTrack *holds = track(lane, SliceKind::Hold, 0);
    if (!holds || holds->isEmpty() || holds->at(0).begin != SliceBegin::Found)
        return std::nullopt;
    const SliceTrack *unknown = track(lane, SliceKind::Unknown, 0);
    const bool isFirst = !unknown || unknown->isEmpty() || unknown->at(0).from > holds->at(0).from;
    return isFirst ? std::optional(holds->at(0).from) : std::nullopt;
}

void LockHistory::visit(const LockKey &key, qint64 fromMs, qint64 toMs, qint64 nowMs, qint64 stepMs,
                        const Take &take) const
{
    const Lane *lane = find(key);
    if (!lane || fromMs >= toMs)
        return;
    const quint32 from = fromBase(fromMs), to = fromBase(toMs);
    if (const auto found = foundAt(*lane); found && *found > from)
        take({.kind = SliceKind::Unknown, .fromMs = fromMs, .toMs = toAxis(*found)});
    for (const SliceTrack &each : lane->tracks)
        visitTrack(each, from, to, nowMs, stepMs, take);
    if (lane->isUnwatched && lane->lastMs < to)
        take({.kind = SliceKind::Unknown, .fromMs = std::max(fromMs, toAxis(lane->lastMs)), .toMs = toMs});
    for (const HistoryGap &gap : slotGapsOf(key)) {
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
    const quint32 from = fromBase(fromMs), to = fromBase(toMs);
    qint64 taken = 0;
    for (const Lane &lane : m_lanesByNumber) {
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
    const Lane *lane = find(key);
    state.isKnown = lane && atMs >= m_firstMs && atMs <= nowMs && !isInGap(key, atMs, atMs + 1);
    if (!lane)
        return state;
    std::optional<WaiterCertainty> counted;
    visit(key, atMs, atMs + 1, nowMs + 1, 1, [&](const HistorySlice &slice) {
        switch (slice.kind) {
        case SliceKind::Hold: {
            qint64 since = slice.fromMs;
            const SliceTrack &holds = *track(*lane, SliceKind::Hold, slice.row);
            size_t at = holds.firstEndingAfter(fromBase(atMs));
            for (; at > 0 && isSameHold(holds.at(at)); --at)
                since = toAxis(holds.at(at - 1).from);
            state.holders.append({m_owners.at(slice.value), slice.detail, since,
                                  holds.at(at).begin == SliceBegin::Found || isSameHold(holds.at(at))});
            break;
        }
        case SliceKind::Wait:
            state.queue.append({m_owners.at(slice.value), slice.detail != 0});
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

bool LockHistory::isTouched(const LockKey &key, qint64 fromMs, qint64 toMs) const
{
    const Lane *lane = find(key);
    if (!lane)
        return false;
    const quint32 from = fromBase(fromMs), to = fromBase(toMs);
    if (lane->isUnwatched && lane->lastMs < to)
        return true;
    if (const auto found = foundAt(*lane); found && *found > from)
        return true;
    if (isInGap(key, fromMs, toMs))
        return true;
    return std::ranges::any_of(lane->tracks, [from, to](const SliceTrack &each) {
        const size_t first = each.firstEndingAfter(from);
        return first < each.size() && each.at(first).from < to;
    });
}

} // namespace lockscope
