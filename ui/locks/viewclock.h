// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lock/lock.h"

#include <optional>

namespace lockscope {

/// What time it is in the window. While the connection is lost it stands still at the last moment that was
/// confirmed: a countdown that goes on would claim what nobody knows.
class ViewClock
{
public:
    TimePoint now() const { return m_stoppedAt ? *m_stoppedAt : Clock::now(); }
    bool isStopped() const { return m_stoppedAt.has_value(); }
    void stopAt(TimePoint at) { m_stoppedAt = at; }
    void run() { m_stoppedAt.reset(); }

private:
    std::optional<TimePoint> m_stoppedAt;
};

} // namespace lockscope
