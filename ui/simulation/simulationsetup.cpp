// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/simulationsetup.h"
#include "core/simulation/model/strategyspec.h"
#include "core/words/phrases.h"
#include "ui/simulation/runtext.h"

#include <algorithm>

namespace lockscope {

QString titleOf(const SimulationSetup &setup)
{
    return setup.scenario ? inWords(setup.scenario->title)
                          : Texts::tr("Custom setup: %1")
                                .arg(inWords(Phrase(choiceOf(setup.plan.algorithm.strategy).title)));
}

QString phaseTitle(const Phrase &title)
{
    const QByteArray name = title.inEnglish().toLatin1();
    if (const auto strategy = fromName<StrategyKind>(name))
        return inWords(Phrase(choiceOf(*strategy).title));
    if (const auto release = fromName<ReleaseMethod>(name))
        return inWords(Phrase(choiceOf(*release).title));
    return inWords(title);
}

bool needsPrivateServer(const SimulationSetup &setup)
{
    const QList<ScenarioPhase> acts = actsOf(setup);
    return std::ranges::any_of(acts, [](const ScenarioPhase &act) { return needsPrivateServer(act.plan); });
}

int maxWorkers(const SimulationSetup &setup)
{
    const QList<ScenarioPhase> acts = actsOf(setup);
    return std::ranges::max(acts, {}, [](const ScenarioPhase &act) { return act.plan.workers; }).plan.workers;
}

milliseconds longestLease(const SimulationSetup &setup)
{
    milliseconds longest{0};
    for (const ScenarioPhase &act : actsOf(setup)) {
        longest = std::max(longest, act.plan.lease);
        for (const QList<Iteration> &visits : act.plan.script) {
            for (const Iteration &visit : visits)
                longest = std::max(longest, visit.lease);
        }
    }
    return longest;
}

bool givesFences(const SimulationSetup &setup)
{
    for (const ScenarioPhase &act : actsOf(setup)) {
        const QList<Algorithm> algorithms = algorithmsOf(act.plan);
        if (std::ranges::any_of(algorithms,
                                [](const Algorithm &each) { return specOf(each.strategy).givesFences; }))
            return true;
    }
    return false;
}

} // namespace lockscope
