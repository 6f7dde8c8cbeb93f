// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/referee/violationdetector.h"

#include <QList>

#include <deque>
#include <vector>

namespace lockscope {

/// Brings the events of several sources, each in its own order, into the order of their times. An event comes out
/// when no source can have an earlier one any more.
class EventMerge
{
public:
    explicit EventMerge(size_t sources) : m_sources(sources) {}

    void add(size_t source, const RefereeEvent &event) { m_sources[source].events.push_back(event); }
    /// Nothing earlier than `at` is to come from this source. What comes all the same counts as of the time of the
    /// event before it.
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
