// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>

#include <atomic>
#include <chrono>
#include <thread>

#include <time.h> // NOLINT(modernize-deprecated-headers): clock_gettime() is POSIX, not C++

namespace lockscope {

/// Measures time by how often a thread that sleeps 1 ms wakes up. On slow or busy machines these milliseconds
/// are longer, which makes limits independent of the machine. Never ahead of real time.
class MachineClock
{
public:
    std::chrono::milliseconds now() const { return std::chrono::milliseconds(m_ticks); }

private:
    std::atomic<qint64> m_ticks = 0;
    std::jthread m_thread{[this](const std::stop_token &stop) {
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            ++m_ticks;
        }
    }};
};

/// Returns the CPU time of `work` on this thread.
template <typename Work>
std::chrono::nanoseconds workTime(Work work)
{
    const auto used = [] {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    };
    const auto before = used();
    work();
    return used() - before;
}

/// Returns the CPU time to read each byte once: faster code cannot have read all of them.
inline std::chrono::nanoseconds walkTime(QByteArrayView bytes)
{
    return workTime([bytes] {
        volatile unsigned sum = 0;
        for (const char byte : bytes)
            sum = sum + static_cast<unsigned char>(byte);
    });
}

} // namespace lockscope
