// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <optional>

namespace lockscope {

/// Detects that the server's wall clock was set, which no message reports; all expiries move with it.
class ClockJumps
{
public:
    /// Takes the text of INFO server and the times of request and reply. True if the server's clock has moved
    /// since the last call by more than the delays explain. Servers before Redis 6.2 report no time.
    bool happened(const QByteArray &serverInfo, TimePoint asked, TimePoint heard);
    void reset() { m_offset.reset(); }

private:
    /// The server's wall clock minus our monotonic clock.
    struct Offset
    {
        std::chrono::microseconds least;
        std::chrono::microseconds most;
    };
    std::optional<Offset> m_offset; ///< absent: no earlier value
};

} // namespace lockscope
