// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/referee.h"

namespace lockscope {

namespace {

class LocalRefereeClient : public RefereeClient
{
public:
    explicit LocalRefereeClient(LocalReferee &referee) : m_referee(referee) {}
    void take(RefereeEvent event) override { m_referee.take(event); }

private:
    LocalReferee &m_referee;
};

} // namespace

LocalReferee::LocalReferee(TimePoint start, int locks) : m_start(start), m_inside(static_cast<size_t>(locks))
{
}

std::unique_ptr<RefereeClient> LocalReferee::admit()
{
    return std::make_unique<LocalRefereeClient>(*this);
}

microseconds LocalReferee::onClock(TimePoint moment) const
{
    return std::chrono::duration_cast<microseconds>(moment - m_start);
}

void LocalReferee::take(RefereeEvent event)
{
    const std::lock_guard guard(m_mutex);
    event.at = onClock(Clock::now());
    judge(event);
}

void LocalReferee::record(RefereeEvent event)
{
    const std::lock_guard guard(m_mutex);
    judge(event);
}

void LocalReferee::judge(RefereeEvent event)
{
    using Kind = RefereeEvent::Kind;
    int &inside = m_inside[static_cast<size_t>(event.lock)];
    if (event.kind == Kind::Enter)
        event.insideBefore = inside++;
    else if (event.kind == Kind::Leave || event.kind == Kind::Crash)
        --inside;
    m_detector.take(event);
}

void LocalReferee::add(const Violation &violation)
{
    const std::lock_guard guard(m_mutex);
    m_detector.add(violation);
}

Findings LocalReferee::findings() const
{
    const std::lock_guard guard(m_mutex);
    return m_detector.findings();
}

} // namespace lockscope
