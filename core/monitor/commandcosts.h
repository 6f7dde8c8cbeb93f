// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QByteArrayView>

#include <optional>
#include <span>

namespace lockscope {

/// What our commands cost the server, by its own statistics (INFO commandstats). They count for all of its clients, but
/// hardly any other sends these commands, and a read is a read.
class CommandCosts
{
public:
    /// The text of INFO commandstats. Counters that went back (a restart, CONFIG RESETSTAT) begin anew.
    void take(QByteArrayView commandStats);

    /// Of one command that reads a key, and of one SCAN, between the last two texts; with reading the request and writing
    /// the reply, which the statistics leave out. nullopt until there were enough of them.
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
