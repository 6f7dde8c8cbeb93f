// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/history/historyclock.h"

#include <algorithm>

namespace lockscope {

qint64 HistoryClock::take(qint64 wallMs)
{
    qint64 at = wallMs + m_steps.back().shiftMs;
    if (at < m_latest - maxBackMs) {
        m_steps.push_back({m_latest, m_latest - wallMs});
        if (m_steps.size() > maxSteps)
            m_steps.erase(m_steps.begin());
        at = m_latest;
    }
    m_latest = std::max(m_latest, at);
    return at;
}

qint64 HistoryClock::now(qint64 wallMs) const
{
    return std::max(wallMs + m_steps.back().shiftMs, m_latest);
}

qint64 HistoryClock::wallAt(qint64 axisMs) const
{
    const auto later =
        std::ranges::find_if(m_steps, [axisMs](const Step &step) { return step.fromMs > axisMs; });
    return axisMs - (later == m_steps.begin() ? *later : *(later - 1)).shiftMs;
}

} // namespace lockscope
