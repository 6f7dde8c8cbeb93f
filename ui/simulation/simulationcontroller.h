// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/simulation/simulationsetup.h"

#include <QObject>
#include <QSet>

#include <memory>

namespace lockscope {

/// Runs a set-up, be it a scenario or a plan, one at a time; tells of both in the same way.
class SimulationController : public QObject
{
    Q_OBJECT

public:
    explicit SimulationController(SimulationTarget target, QObject *parent = nullptr);
    /// Stops what runs, without a word.
    ~SimulationController() override;

    void start(const SimulationSetup &setup);
    void stop();
    void kill(int worker);
    void killHolder(); ///< holderKilled() or noHolderFound() follows
    void setPaused(int worker, bool paused);

    bool isRunning() const { return m_scenario || m_single; }
    const SimulationSetup &setup() const { return m_setup; } ///< of the running or last run
    /// Of the locks of the act under way, or the last.
    const QList<QByteArray> &keys() const { return m_keys; }
    const QSet<QByteArray> &keysOfAllActs() const { return m_allKeys; }

signals:
    void actBegan(const lockscope::ScenarioPhase &act, int number, int acts); ///< from 0
    void progressed(const lockscope::SimulationSnapshot &snapshot);
    void holderKilled(int worker);
    void noHolderFound();
    /// An own set-up is a report without a scenario.
    void finished(const lockscope::ScenarioReport &report);
    void failed(const lockscope::Error &why);

private:
    void startScenario();
    void startSingle();
    void listen(Simulation &simulation);
    void takeKeys(const QList<QByteArray> &keys);
    Simulation *current() const;
    void onProgressed(const SimulationSnapshot &snapshot);
    void end();

    SimulationTarget m_target;
    SimulationSetup m_setup;
    QList<QByteArray> m_keys;
    QSet<QByteArray> m_allKeys;
    std::unique_ptr<ScenarioRun> m_scenario;
    std::unique_ptr<Simulation> m_single;
};

} // namespace lockscope
