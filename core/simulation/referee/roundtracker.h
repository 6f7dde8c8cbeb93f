// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/report.h"

#include <mutex>

namespace lockscope {

/// Decides which rounds are valid, and whether another is needed. Thread-safe.
class RoundTracker
{
public:
    explicit RoundTracker(const Plan &plan);

    /// Takes a finished round (number 0: before the first one); true: another follows. A round whose attempts
    /// were so far apart that a lease may have ended between them is void and repeated; at most three times
    /// the planned number of rounds.
    bool take(Round past);
    QList<Round> rounds() const;

private:
    const int m_wanted;
    const std::optional<microseconds> m_longestSpan;
    mutable std::mutex m_mutex;
    QList<Round> m_rounds;
    int m_valid = 0;
};

} // namespace lockscope
