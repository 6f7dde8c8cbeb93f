// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/undismissedresets.h"

#include <algorithm>
#include <utility>

namespace lockscope {

void UndismissedResets::add(const ServerReset &reset)
{
    if (!m_largest) {
        m_largest = reset;
        return;
    }
    ServerReset other = reset;
    if (other.locks > m_largest->locks)
        std::swap(other, *m_largest);
    ++m_others;
    m_latestOtherMs = std::max(m_latestOtherMs, other.wallMs);
}

} // namespace lockscope
