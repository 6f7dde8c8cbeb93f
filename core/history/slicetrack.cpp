// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/slicetrack.h"

#include <algorithm>

namespace lockscope {

void SliceTrack::append(const SliceRecord &record)
{
    // A vector by itself takes as much again.
    if (m_records.size() == m_records.capacity())
        m_records.reserve(m_records.size() + std::max<size_t>(1, m_records.size() / 4));
    m_records.push_back(record);
}

SliceRecord SliceTrack::takeFirst()
{
    constexpr size_t spare = 2;
    const SliceRecord first = at(0);
    ++m_head;
    // Most of many lanes have a few slices: what these leave unused is what all of it takes.
    if (m_head * 4 >= m_records.size()) {
        m_records.erase(m_records.begin(), m_records.begin() + std::ptrdiff_t(m_head));
        m_head = 0;
        if (isEmpty() || m_records.capacity() > m_records.size() * 3 / 2 + spare)
            m_records.shrink_to_fit();
    }
    return first;
}

size_t SliceTrack::firstEndingAfter(quint32 moment) const
{
    const auto begin = m_records.begin() + std::ptrdiff_t(m_head);
    const auto found = std::partition_point(begin, m_records.end(), [moment](const SliceRecord &record) {
        return record.to <= moment && record.from < moment;
    });
    return size_t(found - begin);
}

size_t SliceTrack::firstFrom(quint32 moment, size_t start) const
{
    size_t low = start, step = 1;
    for (; low + step < size() && at(low + step).from < moment; step *= 2)
        low += step;
    const auto first = m_records.begin() + std::ptrdiff_t(m_head);
    const auto found = std::partition_point(
        first + std::ptrdiff_t(low), first + std::ptrdiff_t(std::min(low + step, size())),
        [moment](const SliceRecord &record) { return record.from < moment; });
    return size_t(found - first);
}

} // namespace lockscope
