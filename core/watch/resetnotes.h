// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/serverreset.h"

#include <optional>

namespace lockscope {

/// The resets of a server that nobody has taken note of yet: the one that took most locks, and how many others there were.
class ResetNotes
{
public:
    void add(const ServerReset &reset);
    void clear() { *this = ResetNotes(); }

    bool isEmpty() const { return !m_largest; }
    const ServerReset &largest() const { return *m_largest; } ///< of equal ones the first
    int others() const { return m_others; }
    qint64 latestOtherMs() const { return m_latestOtherMs; } ///< epoch ms

private:
    std::optional<ServerReset> m_largest;
    int m_others = 0;
    qint64 m_latestOtherMs = 0;
};

} // namespace lockscope
