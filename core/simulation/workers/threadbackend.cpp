// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/roundtracker.h"
#include "core/simulation/workers/workerpool.h"

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto roundLead = 3ms; // so that all of them sleep already when a round begins

class ThreadBackend : public WorkerBackend
{
public:
    explicit ThreadBackend(Run run)
        : m_book(run.plan),
          m_referee(run.start, static_cast<int>(run.keys.size())),
          m_pool(run, m_referee, routinesOf(run.plan), 0, run.plan.workers,
                 [this](const Round &past) { arrived(past); })
    {
        m_referee.setTraced(run.isTraced);
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
    void add(const Violation &violation) override { m_referee.add(violation); }

    bool hasEnded() const override { return m_pool.hasEnded(); }
    QList<WorkerView> views() const override { return m_pool.views(); }
    WorkerStats total() const override { return m_pool.total(); }
    QList<LogLine> takeLog() override { return m_pool.takeLog(); }
    RunTrace takeTrace() override
    {
        RunTrace trace = m_referee.takeTrace();
        trace.add(m_pool.takeTrace());
        return trace;
    }
    Findings findings() const override { return m_referee.findings(); }
    QList<Round> rounds() const override { return m_book.rounds(); }
    std::optional<Error> error() const override { return m_pool.error(); }

private:
    void arrived(const Round &past)
    {
        if (m_book.take(past))
            m_pool.gate().open(Clock::now() + roundLead);
        else
            m_pool.gate().end();
    }

    RoundTracker m_book;
    LocalReferee m_referee;
    WorkerPool m_pool; // last: its threads use the others
};

} // namespace

std::unique_ptr<WorkerBackend> threadBackend(WorkerBackend::Run run)
{
    return std::make_unique<ThreadBackend>(std::move(run));
}

} // namespace lockscope
