// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/simulationmessages.h"

#include "core/words/phrases.h"
#include "core/words/textlayout.h"
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

QStringList verdictLines(const ScenarioReport &report, int width)
{
    if (report.stopped)
        return wrapped(Texts::tr("Stopped early: the expectation was not checked."), width, 2);
    QStringList lines{report.verdict.met ? Texts::tr("The expectation was met.")
                                         : Texts::tr("The expectation was NOT met.")};
    for (const Phrase &finding : report.verdict.findings)
        lines += wrapped(QStringLiteral("  ") + inWords(finding), width, 4);
    return lines;
}

} // namespace

QString scenarioCaption(const Scenario &scenario)
{
    return QString::fromLatin1(scenario.name.toByteArray()) + QStringLiteral(" – ") + inWords(scenario.title);
}

QString describe(const ScenarioReport &report, int width)
{
    if (!report.scenario)
        return report.reports.isEmpty() ? QString() : describe(report.reports.first(), width);
    width = std::max(width, narrowest);
    QStringList lines{scenarioCaption(*report.scenario)};
    lines += wrapped(inWords(report.scenario->purpose), width, 0);
    lines += wrapped(Texts::tr("Expected: %1").arg(inWords(report.scenario->expectation)), width, 2);
    for (qsizetype i = 0; i < report.reports.size(); ++i) {
        lines.append(QString());
        if (!report.acts[i].title.isEmpty())
            lines.append(Texts::tr("== %1 ==").arg(inWords(report.acts[i].title)));
        lines.append(describe(report.reports[i], width).trimmed());
    }
    lines.append(QString());
    lines += verdictLines(report, width);
    return lines.join(u'\n') + u'\n';
}

} // namespace lockscope
