// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/slice.h"

#include <vector>

namespace lockscope {

/// A stored slice of 16 bytes. Times are in ms from the common base.
struct SliceRecord
{
    static constexpr quint32 isOpen = 0xffff'ffff; ///< of `to`

    quint32 from = 0;
    quint32 to = isOpen;
    quint32 value = 0;
    quint16 detail = 0;
    SliceBegin begin = SliceBegin::Seen;
    SliceEnd end = SliceEnd::Open;

    /// True if it continues the hold of the slice before it, with another count.
    bool isSameHold() const { return begin == SliceBegin::Reentered || begin == SliceBegin::Unwound; }
};
static_assert(sizeof(SliceRecord) == 16);

/// The slices of one kind and row of a lane, sorted and disjoint; only the last one may be open. At most half
/// more than needed is allocated, and nothing for dropped slices.
class SliceTrack
{
public:
    SliceTrack(SliceKind kind, quint8 row) : m_kind(kind), m_row(row) {}

    SliceKind kind() const { return m_kind; }
    quint8 row() const { return m_row; }
    size_t size() const { return m_records.size() - m_head; }
    bool isEmpty() const { return size() == 0; }
    const SliceRecord &at(size_t index) const { return m_records[m_head + index]; }
    SliceRecord &at(size_t index) { return m_records[m_head + index]; }
    const SliceRecord &last() const { return m_records.back(); }
    /// nullptr: none
    SliceRecord *open()
    {
        return isEmpty() || m_records.back().to != SliceRecord::isOpen ? nullptr : &m_records.back();
    }
    const SliceRecord *open() const { return const_cast<SliceTrack *>(this)->open(); }

    void append(const SliceRecord &record);
    void dropLast() { m_records.pop_back(); }
    SliceRecord takeFirst();

    /// The index of the first slice that ends after a moment, or of a mark at it; size() if none.
    size_t firstEndingAfter(quint32 moment) const;
    /// The index of the first slice from `start` on that begins at `moment` or later. Logarithmic time.
    size_t firstFrom(quint32 moment, size_t start) const;

private:
    SliceKind m_kind;
    quint8 m_row;
    quint32 m_head = 0; ///< number of removed records at the front
    std::vector<SliceRecord> m_records;
};

} // namespace lockscope
