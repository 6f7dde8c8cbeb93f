// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

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

// By the names in resources/scenarios.json. Null: there is none of that name.
/// What is more than one number.
Expectation expectationNamed(QByteArrayView name);
JointExpectation jointExpectationNamed(QByteArrayView name);
/// A count of the workers or of the referee, or "log-…": lines of the log. nullopt: no such count.
std::optional<qint64> countNamed(QByteArrayView name, const Report &report);

/// When a worker's line of this kind came first; nullopt: never.
std::optional<microseconds> firstTime(const Report &report, LogLine::What what, int worker, int lock = 0);

} // namespace lockscope
