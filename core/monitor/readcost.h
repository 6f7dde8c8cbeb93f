// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"

#include <QByteArrayView>

#include <optional>

namespace lockscope {

/// What one of our reads costs the server, by its own statistics (INFO commandstats). They count for all of its
/// clients, but hardly any other sends these commands, and a read is a read.
class ReadCost
{
public:
    /// The text of INFO commandstats. Counters that went back (a restart, CONFIG RESETSTAT) begin anew.
    void take(QByteArrayView commandStats);

    /// Of the reads between the last two texts, with reading the request and writing the reply, which the statistics leave
    /// out; nullopt until there were enough of them.
    std::optional<Clock::duration> value() const { return m_cost; }

private:
    double m_calls = 0;
    double m_microseconds = 0;
    std::optional<Clock::duration> m_cost;
};

} // namespace lockscope
