// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/run/simulation.h"

#include <QObject>

#include <algorithm>
#include <functional>
#include <span>

namespace lockscope {

/// What the user may change in a scenario.
struct ScenarioSettings
{
    std::optional<Algorithm> algorithm;   ///< Freedom::Algorithm
    std::optional<ReleaseMethod> release; ///< all but Freedom::Fixed: instead of each algorithm's own
    std::optional<int> workers;
    std::optional<int> processes;
    std::optional<int> rounds;
    std::optional<milliseconds> duration;
    quint32 seed = 1;
};

class ExpectationChecks;
/// One point of what is expected of a run: looks at its report, and says what it found.
using Expectation = std::function<void(ExpectationChecks &checks, const Report &report)>;
/// What is expected of all runs beside each other; null: nothing.
using JointExpectation = void (*)(ExpectationChecks &checks, const QList<Report> &reports);

/// One run of a scenario.
struct ScenarioPhase
{
    Phrase title; ///< what is different in it; empty where there is one act only
    Plan plan;
    QList<Expectation> expectations{};
    /// A visit that starts later than that beside the others voids the run: it is repeated, mostRepeats times at most.
    std::optional<milliseconds> slip{};
    static constexpr int mostRepeats = 20;
};

/// Whether what was expected came about, in words.
struct Verdict
{
    enum class Point : quint8 { Note, Met, Missed };

    bool met = false;
    QList<Phrase> findings; ///< a sentence for each point: what was expected and what came
    QList<Point> points;    ///< of each finding, in order; where there are fewer, the others are notes
};

/// How much of the algorithm is for the user to choose.
enum class Freedom : quint8 {
    Fixed,     ///< the scenario is about certain ones
    Release,   ///< the release alone
    Algorithm, ///< all of it
};

/// A named preset: what runs, what is expected of it, how that is judged. Written in resources/scenarios.json.
struct Scenario
{
    QByteArrayView name; ///< "one-winner"
    Phrase title;
    Phrase purpose;     ///< what it shows
    Phrase expectation; ///< in words
    Freedom freedom = Freedom::Fixed;
    QList<ScenarioPhase> phases; ///< as it stands, without any settings
    JointExpectation compare = nullptr;

    QList<ScenarioPhase> acts(const ScenarioSettings &settings) const;
    Verdict judge(const QList<Report> &reports) const; ///< one report an act, all of them
};

/// In the order of the contract.
std::span<const Scenario> scenarios();
const Scenario *scenarioFromName(QByteArrayView name); ///< null: there is none

/// What is to run: a scenario, or the user's own plan.
struct SimulationSetup
{
    const Scenario *scenario = nullptr; ///< null: the plan
    ScenarioSettings settings;          ///< of the scenario
    Plan plan;
};

QList<ScenarioPhase> actsOf(const SimulationSetup &setup);
/// What is wrong with it, for the user; nothing where it can run.
std::optional<Phrase> validationError(const SimulationSetup &setup);

/// Whether a scenario's plans change with a setting.
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

/// A scenario that has run.
struct ScenarioReport
{
    const Scenario *scenario = nullptr; ///< null: a set-up of the user's own, of which nothing is expected
    QList<ScenarioPhase> acts;
    QList<Report> reports; ///< fewer than acts where it was stopped
    int repeats = 0;       ///< of acts that were void
    Verdict verdict;
    bool stopped = false;
};

/// True where a start slipped so far that the run proves nothing.
bool isVoid(const ScenarioPhase &act, const Report &report);

/// The first act's report; of a scenario with "scenario", "expectation", "met", "findings" and, of several, "acts".
QJsonObject toJson(const ScenarioReport &report);

/// Runs acts one after the other. As Simulation otherwise.
class ScenarioRun : public QObject
{
    Q_OBJECT

public:
    ScenarioRun(const SimulationTarget &target, const SimulationSetup &setup, QObject *parent = nullptr);

    void start();
    void stop();
    Simulation &simulation(); ///< one for all acts: the progress of the one under way, kill() and setPaused()
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
