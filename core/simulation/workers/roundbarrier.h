// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"
#include "core/simulation/model/report.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>

namespace lockscope {

/// Starts the rounds of all workers simultaneously. Thread-safe.
class RoundBarrier
{
public:
    /// `arrived` is called on the last worker's thread when all workers have finished the previous round: it,
    /// or later another caller, must call open() or end(). The round has the attempts.
    RoundBarrier(int workers, std::function<void(const Round &past)> arrived);

    /// Blocks until the next round opens; returns its start. Absent: no more rounds, or a stop.
    std::optional<TimePoint> pass(std::stop_token stop);
    void open(TimePoint at);
    void end();
    int waiting() const; ///< number of workers ready for the next round

    /// One worker's attempt in the current round; times since the run's start.
    void tried(microseconds asked, microseconds answered, bool won);

private:
    const int m_workers;
    const std::function<void(const Round &)> m_arrived;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_opened;
    int m_waiting = 0;        ///< for the round after m_round
    bool m_announced = false; ///< all have arrived, and `arrived` was called
    int m_round = 0;
    bool m_ended = false;
    TimePoint m_at;
    Round m_tries;
};

} // namespace lockscope
