// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/run/simulation.h"

#include <QObject>

#include <algorithm>
#include <functional>
#include <span>

namespace lockscope {

/// The settings of a scenario that the user may change.
struct ScenarioSettings
{
    std::optional<Algorithm> algorithm;
    std::optional<ReleaseMethod>
        release; ///< except for ConfigurablePart::Fixed: instead of each algorithm's own
    std::optional<int> workers;
    std::optional<int> processes;
    std::optional<int> rounds;
    std::optional<milliseconds> duration;
    quint32 seed = 1;
};

class ExpectationChecks;
/// One expectation of a run: checks its report and adds the findings.
using Expectation = std::function<void(ExpectationChecks &checks, const Report &report)>;
/// An expectation of all runs together; null: none.
using JointExpectation = void (*)(ExpectationChecks &checks, const QList<Report> &reports);

struct ScenarioPhase
{
    Phrase title; ///< empty if there is only one phase
    Plan plan;
    QList<Expectation> expectations{};
    /// An iteration that starts later than this after the others voids the run: repeated up to maxRepeats
    /// times.
    std::optional<milliseconds> slip{};
    static constexpr int maxRepeats = 20;
};

/// Whether the expectations were met, in words.
struct Verdict
{
    enum class Point : quint8 { Note, Met, Missed };
    struct Comparison
    {
        Phrase phase;
        Phrase what;
        Phrase expected;
        Phrase found;
    };

    bool met = false;
    QList<Phrase> findings;          ///< one sentence per point: expectation and result
    QList<Point> points;             ///< for each finding, in order; further findings are notes
    QList<Comparison> comparisons{}; ///< for each finding, in order; empty for a note
};

/// The part of the algorithm that the user may choose.
enum class ConfigurablePart : quint8 {
    Fixed,
    Release,
    Algorithm,
};

/// A named preset: runs, expectations, and their checks. Defined in resources/scenarios.json.
struct Scenario
{
    QByteArrayView name; ///< "one-winner"
    Phrase title;
    Phrase purpose;
    Phrase expectation;
    ConfigurablePart freedom = ConfigurablePart::Fixed;
    QList<ScenarioPhase> phases; ///< without settings
    JointExpectation compare = nullptr;

    QList<ScenarioPhase> acts(const ScenarioSettings &settings) const;
    Verdict judge(const QList<Report> &reports) const; ///< one report per phase, all of them
};

/// In the order of the command-line contract.
std::span<const Scenario> scenarios();
const Scenario *scenarioFromName(QByteArrayView name); ///< null: unknown name

/// The simulation to run: a scenario, or the user's plan.
struct SimulationSetup
{
    const Scenario *scenario = nullptr; ///< null: the plan
    ScenarioSettings settings;
    Plan plan;
};

QList<ScenarioPhase> actsOf(const SimulationSetup &setup);
/// Why the setup is invalid, for the user; absent: valid.
std::optional<Phrase> validationError(const SimulationSetup &setup);

/// True if a scenario's plans depend on a setting.
template <typename Value>
bool uses(const Scenario &scenario, std::optional<Value> ScenarioSettings::*setting)
{
    const auto actsWith = [&](int number) {
        ScenarioSettings settings;
        settings.*setting = Value(number);
        return scenario.acts(settings);
    };
    return !std::ranges::equal(actsWith(2), actsWith(3), {}, &ScenarioPhase::plan, &ScenarioPhase::plan);
}

struct ScenarioReport
{
    const Scenario *scenario = nullptr; ///< null: the user's own setup, without expectations
    QList<ScenarioPhase> acts;
    QList<Report> reports; ///< fewer than phases if stopped
    int repeats = 0;       ///< number for void phases
    Verdict verdict;
    bool stopped = false;
};

/// True if a start slipped so far that the run proves nothing.
bool isVoid(const ScenarioPhase &act, const Report &report);

/// The first phase's report; for a scenario also "scenario", "expectation", "met", "findings" and "acts".
QJsonObject toJson(const ScenarioReport &report);

/// Runs phases one after the other; otherwise like Simulation.
class ScenarioRun : public QObject
{
    Q_OBJECT

public:
    ScenarioRun(const SimulationTarget &target, const SimulationSetup &setup, QObject *parent = nullptr);

    void start();
    void stop();
    Simulation &simulation(); ///< for all phases: progress of the current one, kill() and setPaused()
    int act() const;
    const QList<ScenarioPhase> &acts() const;

signals:
    void actStarted(int act);
    void actFinished(int act, const lockscope::Report &report);
    void finished(const lockscope::ScenarioReport &report);
    void failed(const lockscope::Error &why);

private:
    void takeReport(const Report &report);
    void conclude();

    Simulation m_simulation;
    ScenarioReport m_report;
    int m_repeatsOfAct = 0;
    bool m_stopRequested = false;
};

} // namespace lockscope

Q_DECLARE_METATYPE(lockscope::ScenarioReport)
