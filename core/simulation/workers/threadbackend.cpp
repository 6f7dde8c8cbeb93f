// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/workers/workerpool.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto roundLead = 3ms; // so that all of them sleep already when a round begins

class ThreadBackend : public WorkerBackend
{
public:
    explicit ThreadBackend(const Run &run)
        : WorkerBackend(run),
          m_pool(run, m_referee, routinesOf(run.plan), 0, run.plan.workers,
                 [this](const Round &past) { arrived(past); })
    {
    }

    Result<void> begin() override
    {
        m_pool.start();
        return {};
    }
    void attend(milliseconds time) override { std::this_thread::sleep_for(time); }
    void requestStop() override { m_pool.requestStop(); }
    void kill(int worker) override { m_pool.kill(worker); }
    void setPaused(int worker, bool paused) override { m_pool.setPaused(worker, paused); }
    std::optional<int> killHolder() override { return m_pool.killHolder(); }
    bool forgoKill() override { return true; }
    void note(RefereeEvent::Kind kind) override { m_referee.take({.kind = kind}); }

    bool hasEnded() const override { return m_pool.hasEnded(); }
    WorkersStatus takeStatus() override
    {
        RunTrace trace = m_referee.takeTrace();
        WorkersStatus status = m_pool.takeStatus();
        trace.add(std::exchange(status.trace, RunTrace()));
        status.trace = trace;
        return status;
    }

private:
    void arrived(const Round &past)
    {
        if (m_rounds.take(past))
            m_pool.gate().open(Clock::now() + roundLead);
        else
            m_pool.gate().end();
    }

    WorkerPool m_pool;
};

} // namespace

std::unique_ptr<WorkerBackend> threadBackend(const WorkerBackend::Run &run)
{
    return std::make_unique<ThreadBackend>(run);
}

} // namespace lockscope
