// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/scenario.h"

#include <algorithm>

namespace lockscope {

ScenarioRun::ScenarioRun(const SimulationTarget &target, const SimulationSetup &setup, QObject *parent)
    : QObject(parent), m_simulation(target)
{
    m_report.scenario = setup.scenario;
    m_report.acts = actsOf(setup);
    connect(&m_simulation, &Simulation::finished, this, &ScenarioRun::takeReport);
    connect(&m_simulation, &Simulation::failed, this, &ScenarioRun::failed);
}

void ScenarioRun::start()
{
    emit actStarted(act());
    m_simulation.start(m_report.acts[act()].plan);
}

void ScenarioRun::stop()
{
    m_stopRequested = true;
    m_simulation.stop();
}

Simulation &ScenarioRun::simulation()
{
    return m_simulation;
}

int ScenarioRun::act() const
{
    return static_cast<int>(std::min(m_report.reports.size(), m_report.acts.size() - 1));
}

const QList<ScenarioPhase> &ScenarioRun::acts() const
{
    return m_report.acts;
}

void ScenarioRun::takeReport(const Report &report)
{
    const ScenarioPhase &played = m_report.acts[act()];
    if (isVoid(played, report) && !m_stopRequested && m_repeatsOfAct < ScenarioPhase::maxRepeats) {
        ++m_repeatsOfAct;
        ++m_report.repeats;
        m_simulation.start(played.plan);
        return;
    }
    m_repeatsOfAct = 0;
    const int number = act();
    m_report.reports.append(report);
    emit actFinished(number, report);
    if (m_stopRequested || report.stopped)
        m_report.stopped = true;
    else if (m_report.reports.size() < m_report.acts.size())
        return start();
    conclude();
}

void ScenarioRun::conclude()
{
    ScenarioReport &report = m_report;
    if (!report.stopped && report.scenario)
        report.verdict = report.scenario->judge(report.reports);
    if (report.repeats > 0)
        report.verdict.findings.append(Phrase::plural(
            QT_TRANSLATE_N_NOOP("phrases", "%n run(s) repeated: late start."), report.repeats));
    emit finished(report);
}

} // namespace lockscope
