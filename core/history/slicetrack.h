// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/slice.h"

#include <vector>

namespace lockscope {

/// A slice as it is kept: 16 bytes. Times are in ms from a base that is the same for all.
struct SliceRecord
{
    static constexpr quint32 isOpen = 0xffff'ffff; ///< of `to`

    quint32 from = 0;
    quint32 to = isOpen;
    quint32 value = 0;
    quint16 detail = 0;
    SliceBegin begin = SliceBegin::Seen;
    SliceEnd end = SliceEnd::Open;

    /// The hold before it goes on in it, with another count.
    bool isSameHold() const { return begin == SliceBegin::Reentered || begin == SliceBegin::Unwound; }
};
static_assert(sizeof(SliceRecord) == 16);

/// The slices of one kind and row of a lane, in order and without overlap; only the last one may be open. A half more than
/// what is used is allocated at most, and nothing for what was dropped.
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
    /// nullptr: none is.
    SliceRecord *open()
    {
        return isEmpty() || m_records.back().to != SliceRecord::isOpen ? nullptr : &m_records.back();
    }
    const SliceRecord *open() const { return const_cast<SliceTrack *>(this)->open(); }

    void append(const SliceRecord &record);
    void dropLast() { m_records.pop_back(); }
    SliceRecord takeFirst();

    /// The first that ends after a moment, or at it where it is a moment itself; size() where there is none.
    size_t firstEndingAfter(quint32 moment) const;
    /// The first from `start` on that begins at a moment or later. Takes as long as the logarithm of how far it is.
    size_t firstFrom(quint32 moment, size_t start) const;

private:
    SliceKind m_kind;
    quint8 m_row;
    quint32 m_head = 0; ///< records before it were taken
    std::vector<SliceRecord> m_records;
};

} // namespace lockscope
