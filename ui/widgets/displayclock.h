// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <algorithm>
#include <optional>

namespace lockscope {

/// What time it is in the window. While the connection is lost it stands still at the last moment that was
/// confirmed: a countdown that goes on would claim what nobody knows.
class DisplayClock
{
public:
    TimePoint now() const { return m_stoppedAt ? *m_stoppedAt : Clock::now(); }
    bool isStopped() const { return m_stoppedAt.has_value(); }
    /// How long it has stood still: so old is what is shown at least.
    milliseconds stoppedFor() const
    {
        const auto passed = m_stoppedAt ? Clock::now() - *m_stoppedAt : Clock::duration::zero();
        return std::max(std::chrono::duration_cast<milliseconds>(passed), milliseconds::zero());
    }
    void stopAt(TimePoint at) { m_stoppedAt = at; }
    void run() { m_stoppedAt.reset(); }

private:
    std::optional<TimePoint> m_stoppedAt;
};

} // namespace lockscope
