// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/run/simulation.h"

#include "core/simulation/model/strategyspec.h"
#include "core/simulation/run/simulationrunner.h"
#include "core/simulation/server/privateserver.h"

#include <QRandomGenerator>

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr char prefix[] = "sim:";

/// Unique names for each run: two programs do not share a lock by accident; otherwise the second finds the
/// key and refuses.
QList<QByteArray> keysFor(const Plan &plan)
{
    if (!plan.keys.isEmpty())
        return plan.keys;
    const QByteArray run = QByteArray::number(QRandomGenerator::global()->generate(), 16);
    QList<QByteArray> keys;
    // A cluster keeps the companions of these in the lock's slot only where its name says so.
    const bool needsTag = std::ranges::any_of(algorithmsOf(plan), [](const Algorithm &algorithm) {
        return algorithm.strategy == StrategyKind::Handoff;
    });
    for (int i = 1; i <= plan.locks; ++i) {
        const QByteArray name = plan.name + '-' + run + ':' + QByteArray::number(i);
        keys.append(needsTag ? prefix + ('{' + name + '}') : prefix + name);
    }
    return keys;
}

} // namespace

bool needsPrivateServer(const Plan &plan)
{
    const QList<Algorithm> algorithms = algorithmsOf(plan);
    const bool splits = std::ranges::any_of(
        algorithms, [](const Algorithm &algorithm) { return specOf(algorithm.strategy).splitsAcquire; });
    return splits || !plan.serverFaults.isEmpty();
}

Simulation::Simulation(const SimulationTarget &target, QObject *parent)
    : QObject(parent), m_address(target.address), m_server(target.server)
{
}

Simulation::~Simulation()
{
    // A paused server would let the workers wait for their deadlines.
    if (m_runner && m_server)
        m_server->resume();
}

void Simulation::start(const Plan &plan)
{
    const auto refuse = [this](const Phrase &why) {
        // Not from within start(): whoever calls it connects first and looks then, as with every other end.
        QMetaObject::invokeMethod(
            this,
            [this, why] {
                emit failed({ErrorKind::InvalidArgument, why});
            },
            Qt::QueuedConnection);
    };
    if (m_runner)
        return refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "Stop the running simulation first.")));
    if (const std::optional<Phrase> error = plan.validationError())
        return refuse(*error);
    if (std::ranges::any_of(plan.keys, [](const QByteArray &key) { return !key.startsWith(prefix); }))
        return refuse(Phrase(QT_TRANSLATE_NOOP("phrases", "Simulation keys must begin with sim:.")));
    if (!m_server && needsPrivateServer(plan))
        return refuse(Phrase(
            QT_TRANSLATE_NOOP("phrases", "This run can disturb other clients. Use a private server.")));
    m_keys = keysFor(plan);
    m_runner = std::make_shared<SimulationRunner>(m_address, plan, m_keys, m_isTraced);
    // With this object as their context: what is still on its way when it ends is not carried out.
    connect(m_runner.get(), &SimulationRunner::started, this, &Simulation::started);
    connect(m_runner.get(), &SimulationRunner::progressed, this, &Simulation::progressed);
    connect(m_runner.get(), &SimulationRunner::holderKilled, this, &Simulation::holderKilled);
    connect(m_runner.get(), &SimulationRunner::noHolderFound, this, &Simulation::noHolderFound);
    connect(m_runner.get(), &SimulationRunner::serverFaultDue, this, [this](ServerFault fault) {
        if (m_server)
            fault == ServerFault::Pause ? m_server->pause() : m_server->restart();
    });
    connect(m_runner.get(), &SimulationRunner::serverResumeDue, this, [this] {
        if (m_server)
            m_server->resume();
    });
    m_thread = std::jthread([this, runner = m_runner](std::stop_token stop) {
        QMetaObject::invokeMethod(
            this, [this, result = runner->run(std::move(stop))] { conclude(result); }, Qt::QueuedConnection);
    });
}

void Simulation::conclude(const Result<Report> &result)
{
    m_thread.join(); // it has nothing left to do
    m_runner.reset();
    if (result)
        emit finished(*result);
    else
        emit failed(result.error());
}

void Simulation::stop()
{
    m_thread.request_stop();
}

void Simulation::kill(int worker)
{
    if (m_runner)
        m_runner->order([worker](WorkerBackend &backend) { backend.kill(worker); });
}

void Simulation::killHolder()
{
    if (m_runner)
        m_runner->killHolder();
}

void Simulation::setPaused(int worker, bool paused)
{
    if (m_runner)
        m_runner->order([worker, paused](WorkerBackend &backend) { backend.setPaused(worker, paused); });
}

void Simulation::setTraced(bool traced)
{
    m_isTraced = traced;
}

bool Simulation::isRunning() const
{
    return m_runner != nullptr;
}

const QList<QByteArray> &Simulation::keys() const
{
    return m_keys;
}

} // namespace lockscope
