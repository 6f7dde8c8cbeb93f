// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/optiontable.h"
#include "app/words.h"
#include "core/base/printable.h"
#include "core/simulation/model/planfields.h"
#include "core/words/phrases.h"

#include <algorithm>
#include <limits>
#include <vector>

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

/// Returns "one-winner, sequence, …" for an error message.
QString listed(const QByteArrayList &names)
{
    return QString::fromLatin1(names.join(", "));
}

QString unknownScenario(const QString &, const QByteArray &value)
{
    return Words::tr("Unknown scenario '%1'. Choose one of %2.")
        .arg(printable(value, 40), listed(scenarioNames()));
}

QString unknownStrategy(const QString &, const QByteArray &value)
{
    return Words::tr("Unknown strategy '%1'. Choose one of %2.")
        .arg(printable(value, 40), listed(namesOf<StrategyKind>()));
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
        else if constexpr (std::is_same_v<T, StrategyKind>)
            return oneOf(member, namesOf<T>, fromName<T>, unknownStrategy);
        else if constexpr (std::is_enum_v<T>)
            return oneOf(member, namesOf<T>, fromName<T>);
        else if constexpr (std::is_same_v<T, QList<ServerFault>>)
            return oneOf(member, namesOf<ServerFault>, fromName<ServerFault>);
        else if constexpr (std::is_same_v<T, quint32>)
            return number(member, 0, std::numeric_limits<T>::max());
        else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::optional<int>>)
            return number(member, 0, std::numeric_limits<int>::max(),
                          sentence(QT_TRANSLATE_NOOP("lockscope::app", "%1 takes whole numbers.")));
        else if constexpr (std::is_same_v<T, milliseconds>)
            return number(
                member, 0, longest,
                sentence(QT_TRANSLATE_NOOP("lockscope::app", "%1 takes whole milliseconds, up to one day.")));
        else if constexpr (std::is_same_v<T, HoldTime>)
            return into(
                member, HoldTime::parse,
                sentence(QT_TRANSLATE_NOOP("lockscope::app",
                                           "%1 takes milliseconds, as in 5, 0.5, uniform:1..20 or exp:5.")));
        else if constexpr (std::is_same_v<T, double>)
            return into(
                member, numberFrom,
                sentence(QT_TRANSLATE_NOOP("lockscope::app",
                                           "%1 takes a share of all iterations, from 0 to 1, as in 0.05.")));
        else
            return {}; // no option's
    }
};

QString dashed(QByteArrayView name)
{
    return QStringLiteral("--") + QLatin1String(name);
}

Result<void> checkPlan(Options &options, const QList<QByteArrayView> &given)
{
    Plan &plan = options.simulation.plan;
    if (options.duration && plan.rounds)
        return usageError(Words::tr("Give either --rounds or --duration."));
    if (given.contains("timeout") && given.contains("mode") && plan.mode != WaitMode::Timeout)
        return usageError(Words::tr("--timeout needs --mode timeout."));
    if (given.contains("poll") && given.contains("wake") && plan.algorithm.wake != WakeMethod::Poll)
        return usageError(Words::tr("--poll needs --wake poll."));
    if (given.contains("pause") && !given.contains("pause-rate") && !given.contains("release-pause-rate") &&
        !plan.serverFaults.contains(ServerFault::Pause))
        return usageError(Words::tr("--pause needs --pause-rate."));
    if (given.contains("timeout"))
        plan.mode = WaitMode::Timeout;
    if (given.contains("poll"))
        plan.algorithm.wake = WakeMethod::Poll;
    if (options.lease)
        plan.lease = options.lease->value();
    if (options.duration)
        plan.duration = *options.duration;
    return {};
}

bool uses(const Scenario &scenario, QByteArrayView option)
{
    return option == "duration"    ? uses(scenario, &ScenarioSettings::duration)
           : option == "workers"   ? uses(scenario, &ScenarioSettings::workers)
           : option == "processes" ? uses(scenario, &ScenarioSettings::processes)
                                   : uses(scenario, &ScenarioSettings::rounds);
}

Result<void> checkScenario(Options &options, const QList<QByteArrayView> &given)
{
    SimulationSetup &simulation = options.simulation;
    const Scenario &scenario = *simulation.scenario;
    const QString name = QString::fromLatin1(scenario.name.toByteArray());
    const QList<QByteArrayView> algorithm{"strategy", "release", "wake", "poll"};
    const QList<QByteArrayView> sizes{"workers", "processes", "rounds", "duration"};
    for (const QByteArrayView option : given) {
        const bool isRow =
            std::ranges::find(simulateRows(), option, &OptionRow::name) != simulateRows().end();
        const bool isAlgorithm = algorithm.contains(option);
        const bool isSize = sizes.contains(option);
        const bool isFixed =
            (isRow || isSize || option == "lease") && option != "scenario" && option != "seed";
        const bool isFree = option == "release"
                                ? scenario.freedom != ConfigurablePart::Fixed
                                : isAlgorithm && scenario.freedom == ConfigurablePart::Algorithm;
        if (isFixed && !isFree && !(isSize && uses(scenario, option)))
            return usageError(
                Words::tr("The scenario %1 sets %2 itself. Remove the option.").arg(name, dashed(option)));
        if (isAlgorithm && option != "release" && !given.contains("strategy"))
            return usageError(Words::tr("%1 needs --strategy.").arg(dashed(option)));
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

std::span<const OptionRow> simulateRows()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> made{
            {0, "scenario", "NAME", simulate,
             QT_TRANSLATE_NOOP("lockscope::app", "preset with an expectation (README.md lists all)"),
             oneOf(&SimulationSetup::scenario, scenarioNames, scenarioNamed, unknownScenario)}};
        for (const PlanField &field : planFields()) {
            const auto &[name, argument, help] = field.option;
            if (!name.isEmpty())
                made.push_back(
                    {0, name, argument, simulate, help, std::visit(TargetOfField(), field.member)});
        }
        return made;
    }();
    return all;
}

Result<void> completeSimulation(Options &options, const QList<QByteArrayView> &given)
{
    if (!options.simulation.scenario && !given.contains("strategy"))
        return usageError(Words::tr("Give --scenario NAME or --strategy NAME. The scenarios are %1.")
                              .arg(listed(scenarioNames())));
    if (options.demo)
        return usageError(Words::tr("A simulation starts its own private server. Remove --demo."));
    if (const Result<void> done = checkPlan(options, given); !done)
        return done;
    if (options.simulation.scenario) {
        if (const Result<void> fits = checkScenario(options, given); !fits)
            return fits;
    }
    const auto error = validationError(options.simulation);
    return error ? usageError(inWords(*error)) : Result<void>();
}

} // namespace lockscope
