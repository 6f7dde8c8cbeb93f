// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/processes/eventmerge.h"

#include <algorithm>

namespace lockscope {

void EventMerge::mark(size_t source, microseconds at)
{
    microseconds &mark = m_sources[source].mark;
    mark = std::max(mark, at);
}

QList<RefereeEvent> EventMerge::take()
{
    const microseconds limit = std::ranges::min_element(m_sources, {}, &Source::mark)->mark;
    QList<RefereeEvent> events;
    for (Source &source : m_sources) {
        while (!source.events.empty() && source.events.front().at <= limit) {
            events.append(source.events.front());
            source.events.pop_front();
        }
    }
    std::ranges::stable_sort(events, {}, &RefereeEvent::at);
    for (RefereeEvent &event : events)
        m_last = event.at = std::max(event.at, m_last);
    return events;
}

} // namespace lockscope
