// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QByteArrayView>

#include <optional>
#include <span>

namespace lockscope {

/// The server's cost of our commands, by its own statistics (INFO commandstats). These cover all clients, but
/// hardly any other sends these commands, and a read costs the same for all.
class CommandCosts
{
public:
    /// Reads the text of INFO commandstats. Counters that decreased (restart, CONFIG RESETSTAT) start again.
    void take(QByteArrayView commandStats);

    /// The cost of one command that reads a key, and of one SCAN, between the last two texts, with the time
    /// for request and reply, which the statistics leave out. nullopt until there were enough commands.
    std::optional<Clock::duration> read() const { return m_read.cost; }
    std::optional<Clock::duration> page() const { return m_page.cost; }

private:
    struct Kind
    {
        double calls = 0;
        double microseconds = 0;
        std::optional<Clock::duration> cost;

        void take(QByteArrayView commandStats, std::span<const QByteArrayView> names, double enough,
                  double withItsWay);
    };

    Kind m_read;
    Kind m_page;
};

} // namespace lockscope
