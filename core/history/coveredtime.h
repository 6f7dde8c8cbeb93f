// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <utility>
#include <vector>

namespace lockscope {

/// A union of time ranges that may overlap. How much of another range they cover is found by binary search.
class CoveredTime
{
public:
    using Part = std::pair<quint32, quint32>; ///< from, to

    CoveredTime() = default;
    /// `parts`: sorted by begin.
    explicit CoveredTime(const std::vector<Part> &parts);

    qint64 in(quint32 from, quint32 to) const;
    /// The parts of a range that are not covered, in order.
    std::vector<Part> rest(quint32 from, quint32 to) const;

private:
    struct Whole
    {
        quint32 from;
        quint32 to;
        qint64 before; ///< total length of the earlier ranges
    };
    qint64 until(quint32 moment) const;

    std::vector<Whole> m_wholes; ///< sorted, disjoint, not adjacent
};

} // namespace lockscope
