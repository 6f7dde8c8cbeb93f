// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <algorithm>

namespace lockscope {

/// Counts the batches in flight on this connection: one, or several during a scan at full speed.
class BatchesInFlight
{
public:
    /// Ignores replies to batches of an earlier connection.
    void reset()
    {
        ++m_generation;
        m_count = 0;
    }
    /// `asOf`: the data age without what is in flight.
    void sent(TimePoint asOf)
    {
        m_overlapped = m_count > 0;
        if (!m_overlapped)
            m_asOf = asOf;
        ++m_count;
    }
    void answered() { --m_count; }

    bool isEmpty() const { return m_count == 0; }
    /// True if the last batch was sent while another was in flight.
    bool hasOverlapped() const { return m_overlapped; }
    /// The number of the connection; increases with each.
    int generation() const { return m_generation; }
    /// The data age when the first of them was sent.
    TimePoint asOf() const { return m_asOf; }

private:
    int m_count = 0;
    int m_generation = 0;
    bool m_overlapped = false;
    TimePoint m_asOf;
};

} // namespace lockscope
