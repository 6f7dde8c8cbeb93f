// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/scenario.h"

#include "core/simulation/model/strategyspec.h"
#include "core/simulation/scenario/expectations.h"

#include <QJsonArray>

#include <algorithm>

namespace lockscope {

namespace {

/// The largest delay of a worker's first attempt after the earliest.
microseconds slipOf(const Report &report)
{
    std::optional<microseconds> earliest;
    std::optional<microseconds> latest;
    for (int worker = 0; worker < report.plan.script.size(); ++worker) {
        const Iteration first = report.plan.script[worker].value(0);
        const auto tried = firstTime(report, LogLine::What::Tried, worker, first.locks.value(0));
        if (!tried)
            return microseconds::max();
        const microseconds late = *tried - first.startAt.value_or(milliseconds(0));
        earliest = earliest ? std::min(*earliest, late) : late;
        latest = latest ? std::max(*latest, late) : late;
    }
    return earliest ? *latest - *earliest : microseconds(0);
}

void applyTo(Plan &plan, ConfigurablePart freedom, const ScenarioSettings &settings)
{
    const auto choose = [&](Algorithm &algorithm) {
        if (freedom == ConfigurablePart::Algorithm && settings.algorithm)
            algorithm = *settings.algorithm;
        else if (freedom != ConfigurablePart::Fixed && settings.release)
            algorithm.release = *settings.release;
    };
    plan.seed = settings.seed;
    choose(plan.algorithm);
    for (QList<Iteration> &visits : plan.script) {
        for (Iteration &visit : visits) {
            if (visit.algorithm)
                choose(*visit.algorithm);
        }
    }
    if (!plan.script.isEmpty())
        return;
    plan.workers = settings.workers.value_or(plan.workers);
    plan.processes = settings.processes.value_or(plan.processes);
    if (plan.rounds)
        plan.rounds = settings.rounds.value_or(*plan.rounds);
    else
        plan.duration = settings.duration.value_or(plan.duration);
    if (specOf(plan.algorithm.strategy).inWholeSeconds)
        plan.lease = std::chrono::ceil<std::chrono::seconds>(plan.lease);
}

QJsonArray actsOf(const ScenarioReport &report)
{
    QJsonArray acts;
    for (qsizetype i = 0; i < report.reports.size(); ++i) {
        QJsonObject act = toJson(report.reports[i]);
        act[QStringLiteral("title")] = report.acts[i].title.inEnglish();
        acts.append(act);
    }
    return acts;
}

QJsonArray findingsOf(const Verdict &verdict)
{
    QJsonArray findings;
    for (const Phrase &finding : verdict.findings)
        findings.append(finding.inEnglish());
    return findings;
}

} // namespace

QList<ScenarioPhase> Scenario::acts(const ScenarioSettings &settings) const
{
    QList<ScenarioPhase> acts;
    for (ScenarioPhase act : phases) {
        applyTo(act.plan, freedom, settings);
        if (acts.isEmpty() || acts.last().plan != act.plan) // an algorithm may be all that they differ in
            acts.append(act);
    }
    if (acts.size() == 1)
        acts.front().title = {};
    return acts;
}

Verdict Scenario::judge(const QList<Report> &reports) const
{
    ExpectationChecks checks;
    const QList<ScenarioPhase> acts = this->acts({}); // what is expected does not depend on the settings
    for (qsizetype i = 0; i < reports.size(); ++i) {
        checks.beginAct(acts[i].title);
        const bool isLate = isVoid(acts[i], reports[i]);
        if (isLate)
            checks.expect(
                false, Phrase(QT_TRANSLATE_NOOP("phrases", "starts in time")),
                Phrase(QT_TRANSLATE_NOOP("phrases", "within %1"), Phrase("%1", microseconds(*acts[i].slip))),
                Phrase(QT_TRANSLATE_NOOP("phrases", "one later acquisition")));
        for (const Expectation &check : isLate ? QList<Expectation>() : acts[i].expectations)
            check(checks, reports[i]);
    }
    checks.beginAct(Phrase());
    if (compare)
        compare(checks, reports);
    return checks.verdict();
}

const Scenario *scenarioFromName(QByteArrayView name)
{
    const auto row = std::ranges::find(scenarios(), name, &Scenario::name);
    return row == scenarios().end() ? nullptr : &*row;
}

QList<ScenarioPhase> actsOf(const SimulationSetup &setup)
{
    return setup.scenario ? setup.scenario->acts(setup.settings)
                          : QList<ScenarioPhase>{{Phrase(), setup.plan}};
}

std::optional<Phrase> validationError(const SimulationSetup &setup)
{
    for (const ScenarioPhase &act : actsOf(setup)) {
        if (auto error = act.plan.validationError())
            return error;
    }
    return {};
}

bool isVoid(const ScenarioPhase &act, const Report &report)
{
    return act.slip && !report.stopped && slipOf(report) > *act.slip;
}

QJsonObject toJson(const ScenarioReport &report)
{
    QJsonObject object = report.reports.isEmpty() ? QJsonObject() : toJson(report.reports.front());
    if (!report.scenario)
        return object;
    object[QStringLiteral("scenario")] = QString::fromLatin1(report.scenario->name.toByteArray());
    object[QStringLiteral("expectation")] = report.scenario->expectation.inEnglish();
    object[QStringLiteral("stopped")] = report.stopped;
    if (!report.stopped)
        object[QStringLiteral("met")] = report.verdict.met;
    object[QStringLiteral("findings")] = findingsOf(report.verdict);
    if (report.acts.size() > 1)
        object[QStringLiteral("acts")] = actsOf(report);
    return object;
}

} // namespace lockscope
