// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <optional>

namespace lockscope {

/// Notices that the server's wall clock was set: no message tells of it, and every lock's end has moved with it.
class ClockJumps
{
public:
    /// The text of INFO server with the moments of ours between which it was made. True where the server's clock is off
    /// from what it was the time before by more than one can explain. Servers before Redis 6.2 do not say their time.
    bool happened(const QByteArray &serverInfo, TimePoint asked, TimePoint heard);
    void reset() { m_offset.reset(); }

private:
    /// Of the server's wall clock from our monotonic one.
    struct Offset
    {
        std::chrono::microseconds least;
        std::chrono::microseconds most;
    };
    std::optional<Offset> m_offset; ///< absent: nothing to compare with
};

} // namespace lockscope
