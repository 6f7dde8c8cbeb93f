// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/referee/violationdetector.h"

#include <QList>

#include <deque>
#include <vector>

namespace lockscope {

/// Merges events of several sources, each in its own order, by time. An event is returned once no source can
/// have an earlier one.
class EventMerge
{
public:
    explicit EventMerge(size_t sources) : m_sources(sources) {}

    void add(size_t source, const RefereeEvent &event) { m_sources[source].events.push_back(event); }
    /// No events earlier than `at` follow from this source; if they do, they count at the time of the
    /// previous event.
    void mark(size_t source, microseconds at);
    void close(size_t source) { mark(source, microseconds::max()); }
    bool isEmpty(size_t source) const { return m_sources[source].events.empty(); }
    QList<RefereeEvent> take();

private:
    struct Source
    {
        std::deque<RefereeEvent> events;
        microseconds mark = microseconds::min();
    };

    std::vector<Source> m_sources;
    microseconds m_last = microseconds::min();
};

} // namespace lockscope
