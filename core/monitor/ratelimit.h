// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

namespace lockscope {

/// Allows at most `most` calls per second; further ones are dropped.
class RateLimit
{
public:
    explicit RateLimit(int most) : m_most(most) {}

    bool admits(TimePoint now)
    {
        if (now - m_since >= std::chrono::seconds(1)) {
            m_since = now;
            m_count = 0;
        }
        return ++m_count <= m_most;
    }

private:
    const int m_most;
    TimePoint m_since;
    int m_count = 0;
};

} // namespace lockscope
