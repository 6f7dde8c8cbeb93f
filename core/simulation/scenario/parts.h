// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope::scenario {

using namespace std::chrono_literals;

// The acts and the judgement of each scenario, for the table.
QList<ScenarioPhase> oneWinner(const ScenarioSettings &settings);
Verdict checkOneWinner(const QList<Report> &reports);
QList<ScenarioPhase> sequence(const ScenarioSettings &settings);
Verdict checkSequence(const QList<Report> &reports);
QList<ScenarioPhase> fiveProcesses(const ScenarioSettings &settings);
Verdict checkFiveProcesses(const QList<Report> &reports);
QList<ScenarioPhase> orphan(const ScenarioSettings &settings);
Verdict checkOrphan(const QList<Report> &reports);
QList<ScenarioPhase> foreignRelease(const ScenarioSettings &settings);
Verdict checkForeignRelease(const QList<Report> &reports);
QList<ScenarioPhase> pausedHolder(const ScenarioSettings &settings);
Verdict checkPausedHolder(const QList<Report> &reports);
QList<ScenarioPhase> crash(const ScenarioSettings &settings);
Verdict checkCrash(const QList<Report> &reports);
QList<ScenarioPhase> watchdog(const ScenarioSettings &settings);
Verdict checkWatchdog(const QList<Report> &reports);
QList<ScenarioPhase> convoy(const ScenarioSettings &settings);
Verdict checkConvoy(const QList<Report> &reports);
QList<ScenarioPhase> herd(const ScenarioSettings &settings);
Verdict checkHerd(const QList<Report> &reports);
QList<ScenarioPhase> deadlock(const ScenarioSettings &settings);
Verdict checkDeadlock(const QList<Report> &reports);
QList<ScenarioPhase> fairVsUnfair(const ScenarioSettings &settings);
Verdict checkFairVsUnfair(const QList<Report> &reports);
QList<ScenarioPhase> reentrancy(const ScenarioSettings &settings);
Verdict checkReentrancy(const QList<Report> &reports);
QList<ScenarioPhase> gapInRelease(const ScenarioSettings &settings);
Verdict checkGapInRelease(const QList<Report> &reports);
QList<ScenarioPhase> lostReply(const ScenarioSettings &settings);
Verdict checkLostReply(const QList<Report> &reports);

// Tools to write plans with.

Algorithm algorithmOf(StrategyKind kind);
/// With the release that the user chose.
Algorithm algorithmOf(StrategyKind kind, const ScenarioSettings &settings);
/// What the user chose, or this.
Algorithm chosenOr(StrategyKind usual, const ScenarioSettings &settings);
/// The lease, or the next whole second where the algorithm knows no others.
milliseconds leaseFor(const Algorithm &algorithm, milliseconds lease);
/// A free run with what the user chose.
Plan contention(const char *name, const Algorithm &algorithm, const ScenarioSettings &settings);
/// A plan of one visit for each worker.
Plan choreography(const char *name, const Algorithm &algorithm, const QList<Iteration> &visits, quint32 seed);
Iteration visit(WaitMode mode, milliseconds startAt, milliseconds lease, milliseconds hold);

// Tools to judge reports with.

/// When a worker's line of this kind came first; nullopt: never.
std::optional<microseconds> firstTime(const Report &report, LogLine::What what, int worker, int lock = 0);
int countOf(const Report &report, LogLine::What what, std::optional<int> worker = {},
            std::optional<int> lock = {});
Phrase asPhrase(microseconds time);
Phrase asPhrase(qint64 number);

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

} // namespace lockscope::scenario
