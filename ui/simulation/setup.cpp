// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/setup.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::simulation)
};

} // namespace

QString titleOf(const Setup &setup)
{
    return setup.scenario ? scenarioCaption(*setup.scenario)
                          : Words::tr("Own set-up: %1")
                                .arg(QString::fromLatin1(strategyName(setup.plan.algorithm.strategy)));
}

QList<Act> actsOf(const Setup &setup)
{
    return setup.scenario ? setup.scenario->acts(setup.settings)
                          : QList<Act>{{QString(), setup.plan, std::nullopt}};
}

std::optional<QString> flawOf(const Setup &setup)
{
    for (const Act &act : actsOf(setup)) {
        if (const auto flaw = act.plan.flaw())
            return flaw;
    }
    return {};
}

bool needsPrivateServer(const Setup &setup)
{
    const QList<Act> acts = actsOf(setup);
    return std::ranges::any_of(acts, [](const Act &act) { return needsPrivateServer(act.plan); });
}

int mostWorkers(const Setup &setup)
{
    int most = 0;
    for (const Act &act : actsOf(setup))
        most = std::max(most, act.plan.workers);
    return most;
}

milliseconds longestLease(const Setup &setup)
{
    milliseconds longest{0};
    for (const Act &act : actsOf(setup)) {
        longest = std::max(longest, act.plan.lease);
        for (const QList<Visit> &visits : act.plan.script) {
            for (const Visit &visit : visits)
                longest = std::max(longest, visit.lease);
        }
    }
    return longest;
}

bool usesHandoff(const Setup &setup)
{
    for (const Act &act : actsOf(setup)) {
        const QList<Algorithm> algorithms = algorithmsOf(act.plan);
        if (std::ranges::find(algorithms, StrategyKind::Handoff, &Algorithm::strategy) != algorithms.end())
            return true;
    }
    return false;
}

} // namespace lockscope
