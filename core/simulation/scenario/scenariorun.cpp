// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/parts.h"
#include "core/simulation/scenario/scenario.h"

#include <algorithm>

namespace lockscope {

class ScenarioRun::Private
{
public:
    Private(SimulationTarget target, const Scenario &played, const ScenarioSettings &settings)
        : simulation(std::move(target))
    {
        report.scenario = &played;
        report.acts = played.acts(settings);
    }

    Simulation simulation;
    ScenarioReport report;
    int repeatsOfAct = 0;
    bool stopRequested = false;
};

ScenarioRun::ScenarioRun(SimulationTarget target, const Scenario &scenario, const ScenarioSettings &settings,
                         QObject *parent)
    : QObject(parent), d(std::make_unique<Private>(std::move(target), scenario, settings))
{
    connect(&d->simulation, &Simulation::finished, this, &ScenarioRun::takeReport);
    connect(&d->simulation, &Simulation::failed, this, &ScenarioRun::failed);
}

ScenarioRun::~ScenarioRun() = default;

void ScenarioRun::start()
{
    emit actStarted(act());
    d->simulation.start(d->report.acts[act()].plan);
}

void ScenarioRun::stop()
{
    d->stopRequested = true;
    d->simulation.stop();
}

Simulation &ScenarioRun::simulation()
{
    return d->simulation;
}

int ScenarioRun::act() const
{
    return static_cast<int>(std::min(d->report.reports.size(), d->report.acts.size() - 1));
}

const QList<ScenarioPhase> &ScenarioRun::acts() const
{
    return d->report.acts;
}

void ScenarioRun::takeReport(const Report &report)
{
    const ScenarioPhase &played = d->report.acts[act()];
    if (isVoid(played, report) && !d->stopRequested && d->repeatsOfAct < ScenarioPhase::mostRepeats) {
        ++d->repeatsOfAct;
        ++d->report.repeats;
        d->simulation.start(played.plan);
        return;
    }
    d->repeatsOfAct = 0;
    const int number = act();
    d->report.reports.append(report);
    emit actFinished(number, report);
    if (d->stopRequested || report.stopped)
        d->report.stopped = true;
    else if (d->report.reports.size() < d->report.acts.size())
        return start();
    conclude();
}

void ScenarioRun::conclude()
{
    ScenarioReport &report = d->report;
    if (!report.stopped)
        report.verdict = report.scenario->judge(report.reports);
    if (report.repeats > 0)
        report.verdict.findings.append(
            Phrase::plural(QT_TRANSLATE_NOOP("phrases", "%n run(s) repeated, because a start came too late."),
                           report.repeats));
    emit finished(report);
}

} // namespace lockscope
