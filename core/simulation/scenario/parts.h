// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

#include <variant>

namespace lockscope {

/// Collects, point by point, what was expected and what came.
class ExpectationChecks
{
public:
    /// `found` tells a number or a state, `expected` what it had to be.
    void expect(bool met, const Phrase &what, const Phrase &expected, const Phrase &found);
    void expectCount(const Phrase &what, qint64 expected, qint64 found);
    void expectAtLeast(const Phrase &what, qint64 least, qint64 found);
    void note(const Phrase &text);
    /// What follows is about one act.
    void beginAct(const Phrase &title) { m_act = title; }
    Verdict verdict() const { return {m_met, m_findings, m_points}; }

private:
    Phrase m_act;
    bool m_met = true;
    QList<Phrase> m_findings;
    QList<Verdict::Point> m_points;
};

namespace scenario {

using namespace std::chrono_literals;
using enum WaitMode;
using What = LogLine::What;

extern const Scenario oneWinner, sequence, fiveProcesses;
extern const Scenario orphan, foreignRelease, pausedHolder, crash, watchdog, lostReply, gapInRelease;
extern const Scenario convoy, herd, deadlock, fairVsUnfair, reentrancy;

// Tools to write plans with.

/// With the release that the user chose.
Algorithm algorithmOf(StrategyKind kind, const ScenarioSettings &settings);
/// What the user chose, or this.
Algorithm chosenOr(StrategyKind usual, const ScenarioSettings &settings);
/// The lease, or the next whole second where the algorithm knows no others.
milliseconds leaseFor(const Algorithm &algorithm, milliseconds lease);
/// A free run with what the user chose.
Plan contention(const Algorithm &algorithm, const ScenarioSettings &settings);
/// A plan of one visit for each worker.
Plan choreography(const Algorithm &algorithm, const QList<Iteration> &visits);
Iteration visit(WaitMode mode, milliseconds startAt, milliseconds lease, milliseconds hold);
Iteration failing(Iteration visit, Fault fault, milliseconds pause = {});
/// Named after what is under test.
Phrase titleOf(const Algorithm &algorithm);

// Tools to judge reports with.

/// What is counted in a run: by the referee, by the workers, or lines of its log.
using Measure = std::variant<qint64 Findings::*, qint64 WorkerStats::*, What>;
struct Count
{
    const char *what;
    Measure measure;
};
constexpr Count foreignReleases{QT_TRANSLATE_NOOP("phrases", "foreign releases"), &Findings::foreignReleases};
constexpr Count suddenOverlaps{QT_TRANSLATE_NOOP("phrases", "overlaps although the lease had not expired"),
                               &Findings::unexplainedOverlaps};
constexpr Count unexplainedOverlaps{QT_TRANSLATE_NOOP("phrases", "overlaps that no expired lease explains"),
                                    &Findings::unexplainedOverlaps};
Expectation is(qint64 expected, const Count &count);
Expectation atLeast(qint64 least, const Count &count);

/// When a worker's line of this kind came first; nullopt: never.
std::optional<microseconds> firstTime(const Report &report, What what, int worker, int lock = 0);
int countOf(const Report &report, What what, std::optional<int> worker = {}, std::optional<int> lock = {});
Phrase asPhrase(microseconds time);
Phrase asPhrase(qint64 number);

} // namespace scenario

} // namespace lockscope
