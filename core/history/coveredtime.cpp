// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/coveredtime.h"

#include <algorithm>

namespace lockscope {

CoveredTime::CoveredTime(const std::vector<Part> &parts)
{
    for (const auto &[from, to] : parts) {
        if (from >= to)
            continue;
        if (m_wholes.empty()) {
            m_wholes.push_back({from, to, 0});
        } else if (Whole &last = m_wholes.back(); from <= last.to) {
            last.to = std::max(last.to, to);
        } else {
            m_wholes.push_back({from, to, last.before + (last.to - last.from)});
        }
    }
}

qint64 CoveredTime::until(quint32 moment) const
{
    const auto next =
        std::ranges::partition_point(m_wholes, [moment](const Whole &each) { return each.from < moment; });
    if (next == m_wholes.begin())
        return 0;
    const Whole &last = *(next - 1);
    return last.before + (std::min(moment, last.to) - last.from);
}

qint64 CoveredTime::in(quint32 from, quint32 to) const
{
    return from < to ? until(to) - until(from) : 0;
}

std::vector<CoveredTime::Part> CoveredTime::rest(quint32 from, quint32 to) const
{
    std::vector<Part> parts;
    auto next = std::ranges::partition_point(m_wholes, [from](const Whole &each) { return each.to <= from; });
    for (; next != m_wholes.end() && next->from < to; ++next) {
        if (from < next->from)
            parts.emplace_back(from, next->from);
        from = next->to;
    }
    if (from < to)
        parts.emplace_back(from, to);
    return parts;
}

} // namespace lockscope
