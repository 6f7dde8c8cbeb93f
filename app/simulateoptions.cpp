// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/simulateoptions.h"

#include "app/words.h"
#include "core/base/enumnames.h"
#include "core/base/printable.h"
#include "core/simulation/model/strategyspec.h"
#include "core/words/phrases.h"

#include <algorithm>
#include <limits>

namespace lockscope {

namespace {

constexpr unsigned simulate = scopeOf(Verb::Simulate);
constexpr qint64 longest = 24 * 3600 * 1000; // milliseconds

constexpr std::array serverFaults{Named{ServerFault::Pause, "pause"}, Named{ServerFault::Restart, "restart"},
                                  Named{ServerFault::FlushAll, "flushall"}};

QByteArrayList scenarioNames()
{
    QByteArrayList names;
    for (const Scenario &scenario : scenarios())
        names.append(scenario.name.toByteArray());
    return names;
}

QByteArrayList strategyNames()
{
    QByteArrayList names;
    for (const StrategySpec *spec : strategySpecs())
        names.append(spec->name.toByteArray());
    return names;
}

QByteArrayList serverFaultNames()
{
    return namesIn(serverFaults);
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

Result<void> takeStrategy(Options &options, const QByteArray &value)
{
    const auto kind = strategyFromName(value);
    if (!kind)
        return usageError(Words::tr("Unknown strategy '%1'. Choose one of %2.")
                              .arg(printable(value, 40), listed(strategyNames())));
    options.simulation.plan.algorithm.strategy = *kind;
    return {};
}

Result<void> takeRelease(Options &options, const QByteArray &value)
{
    const auto form = releaseFromName(value);
    if (!form)
        return usageError(
            Words::tr("--release takes check-then-delete, compare-and-delete, compare-and-delete-done, "
                      "watched-transaction or unchecked-delete."));
    options.simulation.plan.algorithm.release = *form;
    return {};
}

Result<void> takeWake(Options &options, const QByteArray &value)
{
    const auto form = wakeFromName(value);
    if (!form)
        return usageError(Words::tr("--wake takes poll, backoff or subscription."));
    options.simulation.plan.algorithm.wake = *form;
    return {};
}

Result<void> takeMode(Options &options, const QByteArray &value)
{
    const auto mode = waitModeFromName(value);
    if (!mode)
        return usageError(Words::tr("--mode takes try, timeout or block."));
    options.simulation.plan.mode = *mode;
    return {};
}

Result<void> takeHold(Options &options, const QByteArray &value)
{
    const auto hold = HoldTime::parse(value);
    if (!hold)
        return usageError(Words::tr("--hold takes milliseconds, as in 5, 0.5, uniform:1..20 or exp:5."));
    options.simulation.plan.hold = *hold;
    return {};
}

Result<void> takeServerFault(Options &options, const QByteArray &value)
{
    const auto fault = valueIn(serverFaults, value);
    if (!fault)
        return usageError(Words::tr("--server-fault takes pause, restart or flushall."));
    options.simulation.plan.serverFaults.append(*fault);
    return {};
}

Result<void> takeSeed(Options &options, const QByteArray &value)
{
    const auto seed = wholeNumber(value, std::numeric_limits<quint32>::max());
    if (!seed)
        return usageError(Words::tr("--seed takes a whole number from 0 to 4294967295."));
    options.simulation.plan.seed = static_cast<quint32>(*seed);
    return {};
}

// The ranges are the plan's to know; here a number only has to be one.

template <auto member>
Result<void> takeCount(Options &options, const QByteArray &value)
{
    const auto number = wholeNumber(value, std::numeric_limits<int>::max());
    if (!number)
        return usageError(
            Words::tr("Numbers of workers, processes, rounds, locks and levels are whole numbers."));
    options.simulation.plan.*member = static_cast<int>(*number);
    return {};
}

template <auto member>
Result<void> takeMilliseconds(Options &options, const QByteArray &value)
{
    const auto number = wholeNumber(value, longest);
    if (!number)
        return usageError(
            Words::tr("Timeout, pause, rest and poll interval are whole milliseconds, up to one day."));
    options.simulation.plan.*member = milliseconds(*number);
    return {};
}

Result<void> takePoll(Options &options, const QByteArray &value)
{
    const auto number = wholeNumber(value, longest);
    if (!number)
        return takeMilliseconds<&Plan::rest>(options, value); // the same refusal
    options.simulation.plan.algorithm.poll = milliseconds(*number);
    return {};
}

template <auto member>
Result<void> takeRate(Options &options, const QByteArray &value)
{
    bool isNumber = false;
    options.simulation.plan.*member = value.toDouble(&isNumber);
    if (!isNumber)
        return usageError(Words::tr("A rate is a share of all iterations, from 0 to 1, as in 0.05."));
    return {};
}

Result<void> takeWatchdog(Options &options, const QByteArray &)
{
    options.simulation.plan.watchdog = true;
    return {};
}

Result<void> takeBlindRetry(Options &options, const QByteArray &)
{
    options.simulation.plan.algorithm.blindRetry = true;
    return {};
}

const std::array rows{
    OptionRow{0, "scenario", "NAME", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "preset with an expectation (README.md lists all)"),
              takeScenario, false, scenarioNames},
    OptionRow{0, "strategy", "NAME", simulate, "", takeStrategy, false, strategyNames},
    OptionRow{0, "release", "FORM", simulate,
              QT_TRANSLATE_NOOP(
                  "lockscope::app",
                  "check-then-delete, compare-and-delete[-done], watched-transaction, unchecked-delete"),
              takeRelease, false, releaseNames},
    OptionRow{0, "wake", "FORM", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "how waiters retry: poll, backoff, subscription"), takeWake,
              false, wakeNames},
    OptionRow{0, "poll", "MS", simulate, QT_TRANSLATE_NOOP("lockscope::app", "retry interval (1)"), takePoll},
    OptionRow{0, "workers", "N", simulate, QT_TRANSLATE_NOOP("lockscope::app", "number of workers (8)"),
              takeCount<&Plan::workers>},
    OptionRow{0, "processes", "P", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "number of processes for the workers (1)"),
              takeCount<&Plan::processes>},
    OptionRow{0, "locks", "N", simulate, QT_TRANSLATE_NOOP("lockscope::app", "number of locks (1)"),
              takeCount<&Plan::locks>},
    OptionRow{0, "rounds", "R", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "run R synchronized rounds instead of --duration"),
              takeCount<&Plan::rounds>},
    OptionRow{0, "hold", "MS", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "hold time: MS, uniform:A..B or exp:MEAN (1)"), takeHold},
    OptionRow{0, "rest", "MS", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "mean think time between iterations (0)"),
              takeMilliseconds<&Plan::rest>},
    OptionRow{0, "mode", "MODE", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "try, timeout or block (block)"), takeMode, false,
              waitModeNames},
    OptionRow{0, "timeout", "MS", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "wait timeout; implies --mode timeout (1000)"),
              takeMilliseconds<&Plan::timeout>},
    OptionRow{0, "reentry", "DEPTH", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "re-entry levels per iteration (1)"),
              takeCount<&Plan::reentry>},
    OptionRow{0, "watchdog", "", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "renew after each third of the lease"), takeWatchdog},
    OptionRow{0, "blind-retry", "", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "retry after a lost reply without checking the lock"),
              takeBlindRetry},
    OptionRow{0, "crash-rate", "P", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "share of iterations that crash while holding the lock"),
              takeRate<&Plan::crashRate>},
    OptionRow{0, "pause-rate", "P", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "share of iterations that pause while holding the lock"),
              takeRate<&Plan::pauseRate>},
    OptionRow{0, "pause", "MS", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "pause length (1.5 leases; server: 400)"),
              takeMilliseconds<&Plan::pause>},
    OptionRow{0, "split-crash-rate", "P", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "share of iterations that crash between SETNX and EXPIRE"),
              takeRate<&Plan::splitCrashRate>},
    OptionRow{0, "watchdog-stop-rate", "P", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "share of iterations whose watchdog stops"),
              takeRate<&Plan::watchdogStopRate>},
    OptionRow{0, "reply-loss-rate", "P", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "share of iterations that lose a reply"),
              takeRate<&Plan::replyLossRate>},
    OptionRow{0, "release-pause-rate", "P", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "share of iterations that pause during the release"),
              takeRate<&Plan::releasePauseRate>},
    OptionRow{0, "server-fault", "FAULT", simulate,
              QT_TRANSLATE_NOOP("lockscope::app", "pause, restart or flushall, during the run; repeatable"),
              takeServerFault, true, serverFaultNames},
    OptionRow{0, "seed", "N", simulate, QT_TRANSLATE_NOOP("lockscope::app", "seed of all random choices (1)"),
              takeSeed},
};

bool has(const QList<QByteArrayView> &given, QByteArrayView name)
{
    return given.contains(name);
}

QString dashed(QByteArrayView name)
{
    return QStringLiteral("--") + QLatin1String(name);
}

Result<void> checkPlan(Options &options, const QList<QByteArrayView> &given)
{
    Plan &plan = options.simulation.plan;
    if (options.duration && plan.rounds)
        return usageError(Words::tr("Give either --rounds or --duration."));
    if (has(given, "timeout") && has(given, "mode") && plan.mode != WaitMode::Timeout)
        return usageError(Words::tr("--timeout needs --mode timeout."));
    if (has(given, "poll") && has(given, "wake") && plan.algorithm.wake != WakeMethod::Poll)
        return usageError(Words::tr("--poll needs --wake poll."));
    if (has(given, "pause") && !has(given, "pause-rate") && !has(given, "release-pause-rate") &&
        !plan.serverFaults.contains(ServerFault::Pause))
        return usageError(Words::tr("--pause needs --pause-rate."));
    if (has(given, "timeout"))
        plan.mode = WaitMode::Timeout;
    if (has(given, "poll"))
        plan.algorithm.wake = WakeMethod::Poll;
    if (options.lease)
        plan.lease = options.lease->value();
    if (options.duration)
        plan.duration = *options.duration;
    return {};
}

/// Whether any act changes with a setting.
bool uses(const Scenario &scenario, QByteArrayView option)
{
    const auto with = [option](int number) {
        ScenarioSettings settings;
        if (option == "workers")
            settings.workers = number;
        else if (option == "processes")
            settings.processes = number;
        else if (option == "rounds")
            settings.rounds = number;
        else
            settings.duration = milliseconds(number);
        return settings;
    };
    return differ(scenario, with(2), with(3));
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
        const bool isRow = std::ranges::find(rows, option, &OptionRow::name) != rows.end();
        const bool isAlgorithm = std::ranges::find(algorithm, option) != algorithm.end();
        const bool isSize = std::ranges::find(sizes, option) != sizes.end();
        const bool isFixed =
            (isRow || isSize || option == "lease") && option != "scenario" && option != "seed";
        const bool isFree = option == "release" ? scenario.freedom != Freedom::Fixed
                                                : isAlgorithm && scenario.freedom == Freedom::Algorithm;
        if (isFixed && !isFree && !(isSize && uses(scenario, option)))
            return usageError(
                Words::tr("The scenario %1 sets %2 itself. Remove the option.").arg(name, dashed(option)));
        if (isAlgorithm && option != "release" && !has(given, "strategy"))
            return usageError(Words::tr("%1 needs --strategy.").arg(dashed(option)));
    }
    const Plan &plan = simulation.plan;
    ScenarioSettings &settings = simulation.settings;
    settings.seed = plan.seed;
    settings.duration = options.duration;
    settings.rounds = plan.rounds;
    if (has(given, "workers"))
        settings.workers = plan.workers;
    if (has(given, "processes"))
        settings.processes = plan.processes;
    if (has(given, "strategy"))
        settings.algorithm = plan.algorithm;
    else if (has(given, "release"))
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
    return rows;
}

Result<void> completeSimulation(Options &options, const QList<QByteArrayView> &given)
{
    if (!options.simulation.scenario && !has(given, "strategy"))
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
