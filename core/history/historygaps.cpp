// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/historygaps.h"

#include <algorithm>
#include <iterator>

namespace lockscope {

namespace {

constexpr size_t maxHistoryGaps = 1'000;

bool goesOn(const std::deque<HistoryGap> &gaps)
{
    return !gaps.empty() && !gaps.back().toMs;
}

/// Appends a gap; adjacent ones are merged, without slots.
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

void HistoryGaps::begin(qint64 atMs)
{
    if (goesOn(m_ofAll))
        return;
    m_ofAll.push_back({m_confirmedMs > 0 ? std::min(atMs, m_confirmedMs) : atMs, {}});
    m_toldMs = atMs;
    keepBounds(m_ofAll);
}

void HistoryGaps::keepBounds(std::deque<HistoryGap> &gaps)
{
    if (gaps.size() <= maxHistoryGaps)
        return;
    m_forgottenMs = std::max(m_forgottenMs, gaps.front().toMs.value_or(0));
    gaps.pop_front();
}

void HistoryGaps::setUnknownSlots(const SharedSlots &unknown, qint64 atMs)
{
    const bool isAll = unknown && unknown->all();
    if (isAll && !m_isAllUnknown)
        begin(atMs);
    m_isAllUnknown = isAll; // the gap ends with confirm()
    const SharedSlots some = unknown && unknown->any() && !isAll ? unknown : nullptr;
    HistoryGap *open = goesOn(m_ofSlots) ? &m_ofSlots.back() : nullptr;
    if (isSameSet(open ? open->slotSet : nullptr, some))
        return;
    if (open)
        open->toMs = atMs;
    if (!some)
        return;
    m_ofSlots.push_back({m_confirmedMs > 0 ? std::min(atMs, m_confirmedMs) : atMs, {}, some});
    m_slotsToldMs = atMs;
    keepBounds(m_ofSlots);
}

void HistoryGaps::confirm(qint64 atMs)
{
    if (m_isDisconnected || m_isAllUnknown)
        return;
    m_confirmedMs = std::max(m_confirmedMs, atMs);
    if (goesOn(m_ofAll) && atMs >= m_toldMs)
        m_ofAll.back().toMs = atMs;
}

/// Gaps of slots; nullptr: of any key.
std::vector<HistoryGap> HistoryGaps::ofSlots(const LockKey *key) const
{
    std::vector<HistoryGap> found;
    if (m_ofSlots.empty())
        return found;
    const auto slot = size_t(key ? slotOf(key->bytes) : 0);
    for (const HistoryGap &gap : m_ofSlots) {
        if (!key || gap.slotSet->test(slot))
            joinGap(found, gap);
    }
    return found;
}

std::vector<HistoryGap> HistoryGaps::of(const LockKey &key) const
{
    return joinedGaps(m_ofAll, ofSlot(key));
}

std::vector<HistoryGap> HistoryGaps::ofAny() const
{
    return joinedGaps(m_ofAll, ofSlots(nullptr));
}

bool HistoryGaps::isIn(const LockKey &key, qint64 fromMs, qint64 toMs) const
{
    const auto meets = [fromMs, toMs](const HistoryGap &gap) {
        return gap.fromMs < toMs && (!gap.toMs || *gap.toMs > fromMs);
    };
    return std::ranges::any_of(m_ofAll, meets) || std::ranges::any_of(ofSlot(key), meets);
}

std::optional<qint64> HistoryGaps::openSince(const LockKey &key, qint64 lastMs) const
{
    std::optional<qint64> from;
    if (goesOn(m_ofAll) && lastMs <= m_toldMs)
        from = m_ofAll.back().fromMs;
    if (goesOn(m_ofSlots) && lastMs <= m_slotsToldMs) {
        if (const auto its = ofSlot(key); !its.empty() && !its.back().toMs)
            from = std::min(from.value_or(its.back().fromMs), its.back().fromMs);
    }
    return from;
}

} // namespace lockscope
