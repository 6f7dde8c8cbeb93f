// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/roundbarrier.h"

#include <utility>

namespace lockscope {

RoundBarrier::RoundBarrier(int workers, std::function<void(const Round &)> arrived)
    : m_workers(workers), m_arrived(std::move(arrived))
{
}

std::optional<TimePoint> RoundBarrier::pass(std::stop_token stop)
{
    std::unique_lock guard(m_mutex);
    const int past = m_round;
    if (++m_waiting == m_workers && !m_announced) {
        m_announced = true;
        Round tries = std::exchange(m_tries, {});
        tries.number = past;
        guard.unlock();
        m_arrived(tries);
        guard.lock();
    }
    m_opened.wait(guard, stop, [&] { return m_ended || m_round != past; });
    if (m_round != past)
        return m_at;
    --m_waiting; // a stop: whoever it was may come back, before the round is open or after that
    return std::nullopt;
}

void RoundBarrier::open(TimePoint at)
{
    const std::lock_guard guard(m_mutex);
    m_at = at;
    ++m_round;
    m_waiting = 0;
    m_announced = false;
    m_opened.notify_all();
}

void RoundBarrier::end()
{
    const std::lock_guard guard(m_mutex);
    m_ended = true;
    m_opened.notify_all();
}

int RoundBarrier::waiting() const
{
    const std::lock_guard guard(m_mutex);
    return m_waiting;
}

void RoundBarrier::tried(microseconds asked, microseconds answered, bool won)
{
    Round one;
    one.tried = 1;
    one.winners = won ? 1 : 0;
    one.firstTry = asked;
    one.lastTry = answered;
    const std::lock_guard guard(m_mutex);
    m_tries.merge(one);
}

} // namespace lockscope
