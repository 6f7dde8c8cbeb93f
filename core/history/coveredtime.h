// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <utility>
#include <vector>

namespace lockscope {

/// Times that may overlap, put together: how much of another time they cover is told by a search, however many they are.
class CoveredTime
{
public:
    using Part = std::pair<quint32, quint32>; ///< from, to

    CoveredTime() = default;
    /// In order of their beginnings.
    explicit CoveredTime(const std::vector<Part> &parts);

    qint64 in(quint32 from, quint32 to) const;

private:
    struct Whole
    {
        quint32 from;
        quint32 to;
        qint64 before; ///< the lengths of those before it
    };
    qint64 until(quint32 moment) const;

    std::vector<Whole> m_wholes; ///< in order, none meets the next
};

} // namespace lockscope
