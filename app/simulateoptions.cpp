// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/simulation/model/planfields.h"
#include "core/words/phrases.h"

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

constexpr unsigned simulate = scopeOf(Verb::Simulate);
constexpr qint64 longest = 24 * 3600 * 1000; // milliseconds

QByteArrayList scenarioNames()
{
    QByteArrayList names;
    for (const Scenario &scenario : scenarios())
        names.append(scenario.name.toByteArray());
    return names;
}

std::optional<const Scenario *> scenarioNamed(const QByteArray &name)
{
    const Scenario *scenario = scenarioFromName(name);
    return scenario ? std::optional(scenario) : std::nullopt;
}

std::optional<double> numberFrom(const QByteArray &value)
{
    bool isNumber = false;
    const double number = value.toDouble(&isNumber);
    return isNumber ? std::optional(number) : std::nullopt;
}

/// Accepts any number: the plan validates ranges.
struct TargetOfField
{
    template <typename T, typename Part>
    OptionTarget operator()(T Part::*member) const
    {
        if constexpr (std::is_same_v<T, bool>)
            return flag(member);
        else if constexpr (std::is_enum_v<T>)
            return oneOf(member, namesOf<T>, fromName<T>);
        else if constexpr (std::is_same_v<T, QList<ServerFault>>)
            return oneOf(member, namesOf<ServerFault>, fromName<ServerFault>);
        else if constexpr (std::is_same_v<T, quint32>)
            return number(member, 0, std::numeric_limits<T>::max());
        else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::optional<int>>)
            return number(member, 0, std::numeric_limits<int>::max());
        else if constexpr (std::is_same_v<T, milliseconds>)
            return number(member, 0, longest);
        else if constexpr (std::is_same_v<T, HoldTime>)
            return into(member, HoldTime::parse, exampleRefusal("5, 0.5, uniform:1..20, exp:5"));
        else if constexpr (std::is_same_v<T, double>)
            return into(member, numberFrom, exampleRefusal("0, 0.05, 1"));
        else
            return {}; // no option's
    }
};

Result<void> takeScenario(Options &options, const QList<QByteArrayView> &given)
{
    SimulationSetup &simulation = options.simulation;
    const Scenario &scenario = *simulation.scenario;
    const QString name = QString::fromLatin1(scenario.name.toByteArray());
    const QList<QByteArrayView> algorithm{"strategy", "release", "wake", "poll"};
    const QHash<QByteArrayView, bool> sizes{{"workers", uses(scenario, &ScenarioSettings::workers)},
                                            {"processes", uses(scenario, &ScenarioSettings::processes)},
                                            {"rounds", uses(scenario, &ScenarioSettings::rounds)},
                                            {"duration", uses(scenario, &ScenarioSettings::duration)}};
    for (const QByteArrayView option : given) {
        const QString typed = QStringLiteral("--") + QLatin1String(option);
        const bool isRow = std::ranges::find(optionRows(), option, &OptionRow::name)->scope == simulate;
        const bool isAlgorithm = algorithm.contains(option);
        const bool isFixed = (isRow || sizes.contains(option) || option == "lease") && option != "scenario" &&
                             option != "seed" && option != "log";
        const bool isFree = option == "release"
                                ? scenario.freedom != ConfigurablePart::Fixed
                                : isAlgorithm && scenario.freedom == ConfigurablePart::Algorithm;
        if (isFixed && !isFree && !sizes.value(option))
            return usageError(Words::tr("The scenario %1 sets %2 itself.").arg(name, typed));
        if (isAlgorithm && option != "release" && !given.contains("strategy"))
            return usageError(needText(typed, QStringLiteral("--strategy")));
    }
    const Plan &plan = simulation.plan;
    ScenarioSettings &settings = simulation.settings;
    settings.seed = plan.seed;
    settings.duration = options.duration;
    settings.rounds = plan.rounds;
    if (given.contains("workers"))
        settings.workers = plan.workers;
    if (given.contains("processes"))
        settings.processes = plan.processes;
    if (given.contains("strategy"))
        settings.algorithm = plan.algorithm;
    else if (given.contains("release"))
        settings.release = plan.algorithm.release;
    return {};
}

} // namespace

std::vector<OptionRow> OptionGroups::simulation()
{
    std::vector<OptionRow> rows{{0, "scenario", "NAME", simulate, QT_TR_NOOP("preset with an expectation"),
                                 oneOf(&SimulationSetup::scenario, scenarioNames, scenarioNamed)}};
    rows.push_back({0, "log", "FILE", simulate, QT_TR_NOOP("write the operations to a file, for verify"),
                    text(&Options::operationLog)});
    for (const PlanField &field : planFields()) {
        const auto &[name, argument, usual] = field.option;
        if (!name.isEmpty())
            rows.push_back({0, name, argument, simulate,
                            field.row.meaning ? field.row.meaning : field.row.label,
                            std::visit(TargetOfField(), field.member), 0, "phrases", usual});
    }
    return rows;
}

Result<void> completeSimulation(Options &options, const QList<QByteArrayView> &given)
{
    SimulationSetup &simulation = options.simulation;
    Plan &plan = simulation.plan;
    const auto has = [&](const char *option) { return given.contains(option); };
    const bool pauses =
        has("pause-rate") || has("release-pause-rate") || plan.serverFaults.contains(ServerFault::Pause);
    const auto fits = firstBroken({
        {!simulation.scenario && !has("strategy"),
         needText(QStringLiteral("simulate"), QStringLiteral("--scenario NAME | --strategy NAME"))},
        {options.demo, conflictText(QStringLiteral("simulate"), QStringLiteral("--demo"))},
        {options.duration && plan.rounds,
         conflictText(QStringLiteral("--rounds"), QStringLiteral("--duration"))},
        {has("timeout") && has("mode") && plan.mode != WaitMode::Timeout,
         needText(QStringLiteral("--timeout"), QStringLiteral("--mode=timeout"))},
        {has("poll") && has("wake") && plan.algorithm.wake != WakeMethod::Poll,
         needText(QStringLiteral("--poll"), QStringLiteral("--wake=poll"))},
        {has("pause") && !pauses, needText(QStringLiteral("--pause"), QStringLiteral("--pause-rate"))},
    });
    if (!fits)
        return fits;
    if (has("timeout"))
        plan.mode = WaitMode::Timeout;
    if (has("poll"))
        plan.algorithm.wake = WakeMethod::Poll;
    if (options.lease)
        plan.lease = options.lease->value();
    if (options.duration)
        plan.duration = *options.duration;
    if (simulation.scenario) {
        if (const Result<void> taken = takeScenario(options, given); !taken)
            return taken;
    }
    const auto error = validationError(simulation);
    return error ? usageError(inWords(*error)) : Result<void>();
}

} // namespace lockscope
