// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/redis/deployment/slot.h"

#include <deque>
#include <optional>
#include <vector>

namespace lockscope {

/// A time in which changes may have been missed.
struct HistoryGap
{
    qint64 fromMs = 0;
    std::optional<qint64> toMs; ///< absent: it goes on
    SharedSlots slotSet{};      ///< of the locks of these alone; absent: of all
};

/// When changes of locks may have been missed: of all, or of those of some slots alone. A gap begins where all was known last.
/// Bounded. Times are on the history's axis.
class HistoryGaps
{
public:
    /// Until it is connected again, confirm() ends no gap.
    void setDisconnected(bool isDisconnected) { m_isDisconnected = isDisconnected; }
    /// A gap of all lanes is told.
    void begin(qint64 atMs);
    /// See LockHistory::setUnknownSlots().
    void setUnknownSlots(const SharedSlots &unknown, qint64 atMs);
    /// All that is known was true at that moment.
    void confirm(qint64 atMs);

    /// Of all lanes; of those of a key's slot; of a key's lane; of any lane. In order; none overlaps the next.
    const std::deque<HistoryGap> &ofAll() const { return m_ofAll; }
    std::vector<HistoryGap> ofSlot(const LockKey &key) const { return ofSlots(&key); }
    std::vector<HistoryGap> of(const LockKey &key) const;
    std::vector<HistoryGap> ofAny() const;
    /// Changes of that lock may have been missed in that time, or in some of it.
    bool isIn(const LockKey &key, qint64 fromMs, qint64 toMs) const;
    /// Where the gap began that goes on, and in which nothing of the lane was read; `lastMs`: what was read of it last, 0: nothing.
    std::optional<qint64> openSince(const LockKey &key, qint64 lastMs) const;
    /// Up to there gaps were forgotten: what was before would be said to have been seen.
    qint64 forgottenMs() const { return m_forgottenMs; }

private:
    std::vector<HistoryGap> ofSlots(const LockKey *key) const;
    void keepBounds(std::deque<HistoryGap> &gaps);

    std::deque<HistoryGap> m_ofAll;
    std::deque<HistoryGap> m_ofSlots; ///< each set of slots that was told, by begin and end; they may overlap
    qint64 m_confirmedMs = 0;         ///< 0: never
    qint64 m_toldMs = 0;              ///< of the last gap, which began where all was known last
    qint64 m_slotsToldMs = 0;         ///< the same of m_ofSlots
    qint64 m_forgottenMs = 0;
    bool m_isDisconnected = false;
    bool m_isAllUnknown = false; ///< every slot
};

} // namespace lockscope
