// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/roundtracker.h"

namespace lockscope {

namespace {

constexpr int maxRepetitions = 3;

} // namespace

RoundTracker::RoundTracker(const Plan &plan)
    : m_wanted(plan.rounds.value_or(0)),
      m_longestSpan(plan.mode == WaitMode::Try ? std::optional<microseconds>(plan.lease) : std::nullopt)
{
}

bool RoundTracker::take(Round past)
{
    const std::lock_guard guard(m_mutex);
    if (past.number > 0) {
        past.voided = m_longestSpan && past.lastTry - past.firstTry >= *m_longestSpan;
        m_valid += past.voided ? 0 : 1;
        m_rounds.append(past);
    }
    return m_valid < m_wanted && m_rounds.size() < qsizetype(m_wanted) * maxRepetitions;
}

QList<Round> RoundTracker::rounds() const
{
    const std::lock_guard guard(m_mutex);
    return m_rounds;
}

} // namespace lockscope
