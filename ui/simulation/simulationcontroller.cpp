// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/simulationcontroller.h"

namespace lockscope {

SimulationController::SimulationController(SimulationTarget target, QObject *parent)
    : QObject(parent), m_target(std::move(target))
{
}

SimulationController::~SimulationController() = default;

void SimulationController::start(const SimulationSetup &setup)
{
    m_setup = setup;
    m_keys.clear();
    m_allKeys.clear();
    if (setup.scenario)
        startScenario();
    else
        startSingle();
}

void SimulationController::startScenario()
{
    m_scenario = std::make_unique<ScenarioRun>(m_target, *m_setup.scenario, m_setup.settings);
    ScenarioRun *run = m_scenario.get();
    run->simulation().setTraced(true);
    connect(run, &ScenarioRun::actStarted, this, [this, run](int act) {
        // Each act may have a simulation of its own, or all the same.
        listen(run->simulation());
        emit actBegan(run->acts().value(act), act, static_cast<int>(run->acts().size()));
    });
    // An act can be over before its first picture.
    connect(run, &ScenarioRun::actFinished, this,
            [this](int, const Report &report) { takeKeys(report.keys); });
    connect(run, &ScenarioRun::finished, this, [this](const ScenarioReport &report) {
        end();
        emit finished(report);
    });
    connect(run, &ScenarioRun::failed, this, [this](const Error &why) {
        end();
        emit failed(why);
    });
    run->start();
}

void SimulationController::startSingle()
{
    m_single = std::make_unique<Simulation>(m_target);
    Simulation *run = m_single.get();
    run->setTraced(true);
    listen(*run);
    connect(run, &Simulation::finished, this, [this](const Report &report) {
        end();
        ScenarioReport all;
        all.acts = actsOf(m_setup);
        all.reports = {report};
        all.stopped = report.stopped;
        emit finished(all);
    });
    connect(run, &Simulation::failed, this, [this](const Error &why) {
        end();
        emit failed(why);
    });
    run->start(m_setup.plan);
    takeKeys(run->keys());
    emit actBegan(actsOf(m_setup).first(), 0, 1);
}

void SimulationController::listen(Simulation &simulation)
{
    connect(&simulation, &Simulation::progressed, this, &SimulationController::onProgressed,
            Qt::UniqueConnection);
    connect(&simulation, &Simulation::holderKilled, this, &SimulationController::holderKilled,
            Qt::UniqueConnection);
    connect(&simulation, &Simulation::noHolderFound, this, &SimulationController::noHolderFound,
            Qt::UniqueConnection);
}

Simulation *SimulationController::current() const
{
    return m_scenario ? &m_scenario->simulation() : m_single.get();
}

void SimulationController::takeKeys(const QList<QByteArray> &keys)
{
    if (m_keys == keys)
        return;
    m_keys = keys;
    m_allKeys.unite(QSet<QByteArray>(keys.begin(), keys.end()));
}

void SimulationController::onProgressed(const SimulationSnapshot &snapshot)
{
    takeKeys(current()->keys());
    emit progressed(snapshot);
}

/// The run is emitting at this moment: it goes later.
void SimulationController::end()
{
    if (m_scenario)
        m_scenario.release()->deleteLater();
    if (m_single)
        m_single.release()->deleteLater();
}

void SimulationController::stop()
{
    if (m_scenario)
        m_scenario->stop();
    else if (m_single)
        m_single->stop();
}

void SimulationController::kill(int worker)
{
    if (isRunning())
        current()->kill(worker);
}

void SimulationController::killHolder()
{
    if (isRunning())
        current()->killHolder();
}

void SimulationController::setPaused(int worker, bool paused)
{
    if (isRunning())
        current()->setPaused(worker, paused);
}

} // namespace lockscope
