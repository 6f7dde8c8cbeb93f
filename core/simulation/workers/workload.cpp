// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/workload.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

class ScriptedRoutine : public Workload
{
public:
    explicit ScriptedRoutine(QList<Iteration> visits) : m_visits(std::move(visits)) {}

    std::optional<Iteration> next() override
    {
        if (m_next == m_visits.size())
            return std::nullopt;
        return m_visits[m_next++];
    }

private:
    QList<Iteration> m_visits;
    qsizetype m_next = 0;
};

class DrawnRoutine : public Workload
{
public:
    DrawnRoutine(Plan plan, int worker) : m_plan(std::move(plan))
    {
        std::seed_seq seed{m_plan.seed, static_cast<quint32>(worker)};
        m_random.seed(seed);
    }

    std::optional<Iteration> next() override
    {
        Iteration visit;
        visit.locks = {static_cast<int>(drawShare(m_random) * m_plan.locks)};
        visit.mode = m_plan.mode;
        visit.timeout = m_plan.timeout;
        visit.lease = m_plan.lease;
        visit.levels = m_plan.reentry;
        visit.hold = m_plan.hold.draw(m_random);
        if (m_plan.watchdog)
            visit.renew = std::max(m_plan.lease / 3, 1ms);
        drawFault(visit);
        visit.pause = m_plan.pause > 0ms ? m_plan.pause : m_plan.lease * 3 / 2;
        visit.rest =
            milliseconds(std::llround(drawShare(m_random) * static_cast<double>(2 * m_plan.rest.count())));
        return visit;
    }

private:
    /// A single random number for all faults, so that a rate does not change other choices.
    void drawFault(Iteration &visit)
    {
        double draw = drawShare(m_random);
        const std::pair<double, Fault> rates[] = {
            {m_plan.crashRate, Fault::CrashHolding},
            {m_plan.pauseRate, Fault::PauseHolding},
            {m_plan.splitCrashRate, Fault::CrashBeforeExpiry},
            {m_plan.watchdogStopRate, Fault::WatchdogStopped},
            {m_plan.replyLossRate / 2, Fault::AcquireReplyLost},
            {m_plan.replyLossRate / 2, Fault::ReleaseReplyLost},
            {m_plan.releasePauseRate, Fault::PauseInRelease},
        };
        for (const auto &[rate, fault] : rates) {
            if (draw < rate) {
                visit.fault = fault;
                return;
            }
            draw -= rate;
        }
        if (draw < m_plan.longHoldRate)
            visit.hold *= 10;
    }

    Plan m_plan;
    std::mt19937 m_random;
};

} // namespace

RoutineFactory routinesOf(const Plan &plan)
{
    return [plan](int worker) -> std::unique_ptr<Workload> {
        if (!plan.script.isEmpty())
            return std::make_unique<ScriptedRoutine>(plan.script.value(worker));
        return std::make_unique<DrawnRoutine>(plan, worker);
    };
}

} // namespace lockscope
