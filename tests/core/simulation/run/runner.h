// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/run/simulation.h"
#include "core/simulation/server/privateserver.h"

#include <QtTest>

#include <functional>
#include <memory>
#include <optional>

namespace lockscope {

using namespace std::chrono_literals;

inline constexpr int longestRun = 60'000;

/// A run from its start to its end.
class Runner
{
public:
    explicit Runner(const SimulationTarget &target) : m_simulation(target)
    {
        QObject::connect(&m_simulation, &Simulation::finished, &m_simulation,
                         [this](const Report &report) { m_result = report; });
        QObject::connect(&m_simulation, &Simulation::failed, &m_simulation,
                         [this](const Error &why) { m_result = tl::unexpected(why); });
    }

    Simulation &simulation() { return m_simulation; }
    bool hasEnded() const { return m_result.has_value(); }
    Result<Report> end()
    {
        if (!QTest::qWaitFor([this] { return hasEnded(); }, longestRun))
            return tl::unexpected(Error{ErrorKind::Canceled, "the run did not end"});
        return *m_result;
    }
    Result<Report> run(const Plan &plan)
    {
        m_result.reset();
        m_simulation.start(plan);
        return end();
    }
    /// `watch` sees each picture of the run.
    Result<Report> run(const Plan &plan, const std::function<void(const SimulationSnapshot &)> &watch)
    {
        const auto watching = QObject::connect(&m_simulation, &Simulation::progressed, &m_simulation, watch);
        const Result<Report> report = run(plan);
        QObject::disconnect(watching);
        return report;
    }

private:
    Simulation m_simulation;
    std::optional<Result<Report>> m_result;
};

inline Plan contention(const Algorithm &algorithm, milliseconds duration = 800ms)
{
    Plan plan;
    plan.name = "test";
    plan.algorithm = algorithm;
    plan.workers = 6;
    plan.duration = duration;
    plan.lease = 2s;
    plan.rest = 1ms;
    return plan;
}

inline Iteration visit(milliseconds startAt, milliseconds lease, milliseconds hold)
{
    Iteration visit;
    visit.startAt = startAt;
    visit.lease = lease;
    visit.hold = hold;
    return visit;
}

/// A private server, and runs on it.
class Bench
{
public:
    /// Why it is not there, or nothing.
    QByteArray open()
    {
        if (const Result<void> started = m_server.start(); !started)
            return started.error().text();
        m_runner = std::make_unique<Runner>(SimulationTarget{m_server.address(), &m_server});
        return {};
    }
    Runner &runner() { return *m_runner; }
    PrivateServer &server() { return m_server; }

private:
    PrivateServer m_server;
    std::unique_ptr<Runner> m_runner; ///< gone before the server
};

} // namespace lockscope

/// A run of `plan` on m_bench, whose report must be there; what watches it may come behind it.
#define RUN(report, ...)                                                                                     \
    const Result<Report> report = m_bench.runner().run(__VA_ARGS__);                                         \
    QVERIFY2(report, report ? "" : report.error().text().constData())
