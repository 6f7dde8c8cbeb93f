// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace lockscope {

/// Permits writes of connections for a while; when closed, they are read-only. Both clocks must agree that it
/// is open: the steady clock stops while a computer sleeps, the wall clock may be set back. Thread-safe.
class WriteGate
{
public:
    void openFor(std::chrono::seconds time)
    {
        m_wallEnd = (Wall::now() + time).time_since_epoch().count();
        m_steadyEnd = (Steady::now() + time).time_since_epoch().count();
    }
    void close() { m_steadyEnd = m_wallEnd = 0; }

    bool isOpen() const { return left() > std::chrono::milliseconds(0); }
    /// The time left; zero if closed.
    std::chrono::milliseconds left() const
    {
        const Steady::duration steady = Steady::duration(m_steadyEnd) - Steady::now().time_since_epoch();
        const Wall::duration wall = Wall::duration(m_wallEnd) - Wall::now().time_since_epoch();
        const auto nearer = std::min<std::chrono::nanoseconds>(steady, wall);
        return std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(nearer));
    }

private:
    using Steady = std::chrono::steady_clock;
    using Wall = std::chrono::system_clock;

    std::atomic<Steady::rep> m_steadyEnd = 0;
    std::atomic<Wall::rep> m_wallEnd = 0;
};

} // namespace lockscope
