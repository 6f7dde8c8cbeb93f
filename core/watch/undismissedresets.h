// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/serverreset.h"

#include <optional>

namespace lockscope {

/// Resets of a server that are not dismissed: the one with most locks, and the number of others.
class UndismissedResets
{
public:
    void add(const ServerReset &reset);
    void clear() { *this = UndismissedResets(); }

    bool isEmpty() const { return !m_largest; }
    const ServerReset &largest() const { return *m_largest; } ///< the first of equal ones; not if empty
    int others() const { return m_others; }
    qint64 latestOtherMs() const { return m_latestOtherMs; } ///< epoch ms; 0: none

private:
    std::optional<ServerReset> m_largest;
    int m_others = 0;
    qint64 m_latestOtherMs = 0;
};

} // namespace lockscope
