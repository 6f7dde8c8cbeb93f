// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"
#include "core/redis/deployment/slot.h"

#include <deque>
#include <optional>
#include <vector>

namespace lockscope {

/// A period in which changes may have been missed.
struct HistoryGap
{
    qint64 fromMs = 0;
    std::optional<qint64> toMs; ///< absent: not ended
    SharedSlots slotSet{};      ///< only for locks of these slots; absent: all
};

/// Periods in which changes of locks may have been missed, for all lanes or for some slots. A gap begins at
/// the last moment when all was known. Bounded. Times are on the history's axis.
class HistoryGaps
{
public:
    /// While disconnected, confirm() ends no gap.
    void setDisconnected(bool isDisconnected) { m_isDisconnected = isDisconnected; }
    /// Begins a gap of all lanes.
    void begin(qint64 atMs);
    void setUnknownSlots(const SharedSlots &unknown, qint64 atMs);
    /// All data was current at that moment.
    void confirm(qint64 atMs);

    /// Gaps of all lanes; of a key's slot; of a key's lane; of any lane. Sorted and disjoint.
    const std::deque<HistoryGap> &ofAll() const { return m_ofAll; }
    std::vector<HistoryGap> ofSlot(const LockKey &key) const { return ofSlots(&key); }
    std::vector<HistoryGap> of(const LockKey &key) const;
    std::vector<HistoryGap> ofAny() const;
    /// True if changes of that lock may have been missed during part of that time.
    bool isIn(const LockKey &key, qint64 fromMs, qint64 toMs) const;
    /// The begin of an open gap without readings of the lane. `lastMs`: its last reading, 0: none.
    std::optional<qint64> openSince(const LockKey &key, qint64 lastMs) const;
    /// The end of the forgotten gaps: earlier times would falsely appear as seen.
    qint64 forgottenMs() const { return m_forgottenMs; }

private:
    std::vector<HistoryGap> ofSlots(const LockKey *key) const;
    void keepBounds(std::deque<HistoryGap> &gaps);

    std::deque<HistoryGap> m_ofAll;
    std::deque<HistoryGap> m_ofSlots; ///< for each set of slots, sorted by begin and end; may overlap
    qint64 m_confirmedMs = 0;
    qint64 m_toldMs = 0;      ///< begin of the last gap: when all was last known
    qint64 m_slotsToldMs = 0; ///< begin of the last gap in m_ofSlots
    qint64 m_forgottenMs = 0;
    bool m_isDisconnected = false;
    bool m_isAllUnknown = false;
};

} // namespace lockscope
