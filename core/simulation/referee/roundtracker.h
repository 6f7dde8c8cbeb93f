// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/report.h"

#include <mutex>

namespace lockscope {

/// Which rounds were valid, and whether another is needed. Thread-safe.
class RoundTracker
{
public:
    explicit RoundTracker(const Plan &plan);

    /// The round that is over (number 0: the first is yet to come); true: another is to follow. A round whose
    /// tries were so far apart that a lease may have ended between them is void, and repeated; after three times
    /// the wanted number there is no more.
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
