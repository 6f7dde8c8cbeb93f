// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/scenario/scenario.h"

namespace lockscope {

/// Collects expectations and results, point by point.
class ExpectationChecks
{
public:
    /// `found`: the result, a number or a state; `expected`: its required value.
    void expect(bool met, const Phrase &what, const Phrase &expected, const Phrase &found);
    void expectCount(const Phrase &what, qint64 expected, qint64 found);
    void expectAtLeast(const Phrase &what, qint64 least, qint64 found);
    void note(const Phrase &text);
    /// Further checks are about this phase.
    void beginAct(const Phrase &title) { m_act = title; }
    Verdict verdict() const { return {m_met, m_findings, m_points, m_comparisons}; }

private:
    Phrase m_act;
    bool m_met = true;
    QList<Phrase> m_findings;
    QList<Verdict::Point> m_points;
    QList<Verdict::Comparison> m_comparisons;
};

// By the names in resources/scenarios.json. Null: unknown name.
/// Expectations on more than one number.
Expectation expectationNamed(QByteArrayView name);
JointExpectation jointExpectationNamed(QByteArrayView name);
/// A count of the workers or the referee, or "log-…": lines of the log. Absent: no such count.
std::optional<qint64> countNamed(QByteArrayView name, const Report &report);

/// The time of a worker's first line of this kind; absent: none.
std::optional<microseconds> firstTime(const Report &report, LogLine::What what, int worker, int lock = 0);

} // namespace lockscope
