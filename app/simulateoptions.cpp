// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulateoptions.h"

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

/// "one-winner, sequence, …", for a sentence that refuses another.
QString listed(const QByteArrayList &names)
{
    return QString::fromLatin1(names.join(", "));
}

Result<void> takeScenario(Options &options, const QByteArray &value)
{
    options.simulation.scenario = scenarioFromName(value);
    if (!options.simulation.scenario)
        return usageError(Words::tr("Unknown scenario '%1'. Choose one of %2.")
                              .arg(printable(value, 40), listed(scenarioNames())));
    return {};
}

template <typename To, typename From>
Result<void> put(To &to, const std::optional<From> &taken, const QString &refusal)
{
    if (!taken)
        return usageError(refusal);
    to = To(*taken);
    return {};
}

/// Takes a word as the value of a field. The ranges are the plan's to know; here a number only has to be one.
struct Taker
{
    const QByteArray &text;

    Result<void> operator()(StrategyKind &kind) const
    {
        return put(kind, fromName<StrategyKind>(text),
                   Words::tr("Unknown strategy '%1'. Choose one of %2.")
                       .arg(printable(text, 40), listed(namesOf<StrategyKind>())));
    }
    Result<void> operator()(ReleaseMethod &form) const
    {
        return put(
            form, fromName<ReleaseMethod>(text),
            Words::tr("--release takes check-then-delete, compare-and-delete, compare-and-delete-done, "
                      "watched-transaction or unchecked-delete."));
    }
    Result<void> operator()(WakeMethod &form) const
    {
        return put(form, fromName<WakeMethod>(text),
                   Words::tr("--wake takes poll, backoff or subscription."));
    }
    Result<void> operator()(WaitMode &mode) const
    {
        return put(mode, fromName<WaitMode>(text), Words::tr("--mode takes try, timeout or block."));
    }
    Result<void> operator()(HoldTime &hold) const
    {
        return put(hold, HoldTime::parse(text),
                   Words::tr("--hold takes milliseconds, as in 5, 0.5, uniform:1..20 or exp:5."));
    }
    Result<void> operator()(QList<ServerFault> &faults) const
    {
        return put(faults.emplaceBack(), fromName<ServerFault>(text),
                   Words::tr("--server-fault takes pause, restart or flushall."));
    }
    Result<void> operator()(quint32 &seed) const
    {
        return put(seed, wholeNumber(text, std::numeric_limits<quint32>::max()),
                   Words::tr("--seed takes a whole number from 0 to 4294967295."));
    }
    Result<void> operator()(int &count) const
    {
        return put(count, wholeNumber(text, std::numeric_limits<int>::max()),
                   Words::tr("Numbers of workers, processes, rounds, locks and levels are whole numbers."));
    }
    Result<void> operator()(std::optional<int> &count) const { return (*this)(count.emplace()); }
    Result<void> operator()(milliseconds &time) const
    {
        return put(
            time, wholeNumber(text, longest),
            Words::tr("Timeout, pause, rest and poll interval are whole milliseconds, up to one day."));
    }
    Result<void> operator()(double &share) const
    {
        bool isNumber = false;
        const double number = text.toDouble(&isNumber);
        return put(share, isNumber ? std::optional(number) : std::nullopt,
                   Words::tr("A rate is a share of all iterations, from 0 to 1, as in 0.05."));
    }
    Result<void> operator()(bool &flag) const { return put(flag, std::optional(true), {}); }
    Result<void> operator()(const auto &) const { return {}; } // no option's
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

/// Whether any act changes with it.
bool uses(const Scenario &scenario, QByteArrayView option)
{
    return option == "duration"    ? uses(scenario, &ScenarioSettings::duration)
           : option == "workers"   ? uses(scenario, &ScenarioSettings::workers)
           : option == "processes" ? uses(scenario, &ScenarioSettings::processes)
                                   : uses(scenario, &ScenarioSettings::rounds);
}

Result<void> checkScenario(Options &options, const QList<QByteArrayView> &given)
{
    SimulationOptions &simulation = options.simulation;
    const Scenario &scenario = *simulation.scenario;
    const QString name = QString::fromLatin1(scenario.name.toByteArray());
    constexpr std::array algorithm{QByteArrayView("strategy"), QByteArrayView("release"),
                                   QByteArrayView("wake"), QByteArrayView("poll")};
    constexpr std::array sizes{QByteArrayView("workers"), QByteArrayView("processes"),
                               QByteArrayView("rounds"), QByteArrayView("duration")};
    for (const QByteArrayView option : given) {
        const bool isRow =
            std::ranges::find(simulateRows(), option, &OptionRow::name) != simulateRows().end();
        const bool isAlgorithm = std::ranges::find(algorithm, option) != algorithm.end();
        const bool isSize = std::ranges::find(sizes, option) != sizes.end();
        const bool isFixed =
            (isRow || isSize || option == "lease") && option != "scenario" && option != "seed";
        const bool isFree = option == "release" ? scenario.freedom != Freedom::Fixed
                                                : isAlgorithm && scenario.freedom == Freedom::Algorithm;
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
    for (const ScenarioPhase &act : scenario.acts(settings)) {
        if (const auto error = act.plan.validationError())
            return usageError(inWords(*error));
    }
    return {};
}

} // namespace

std::span<const OptionRow> simulateRows()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> made{
            OptionRow{0, "scenario", "NAME", simulate,
                      QT_TRANSLATE_NOOP("lockscope::app", "preset with an expectation (README.md lists all)"),
                      takeScenario, false, scenarioNames}};
        for (const PlanField &field : planFields()) {
            const auto take = [&field](Options &options, const QByteArray &value) {
                const auto takeIt = [&](auto member) {
                    return Taker{value}(memberOf(options.simulation.plan, member));
                };
                return std::visit(takeIt, field.member);
            };
            const PlanField::Option &option = field.option;
            const bool isList = std::holds_alternative<QList<ServerFault> Plan::*>(field.member);
            if (!option.name.isEmpty())
                made.push_back(
                    {0, option.name, option.argument, simulate, option.help, take, isList, option.values});
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
    if (options.simulation.scenario)
        return checkScenario(options, given);
    const auto error = options.simulation.plan.validationError();
    return error ? usageError(inWords(*error)) : Result<void>();
}

} // namespace lockscope
