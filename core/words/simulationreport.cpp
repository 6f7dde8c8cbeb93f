// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/simulationmessages.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/textlayout.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QSet>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::simulation)
};

constexpr qsizetype toldStories = 3;
constexpr qsizetype toldLines = 200;
constexpr int longestBar = 40;

struct Counted
{
    qint64 count;
    QString text;
};

QString decimal(double value, int decimals)
{
    return QString::number(value, 'f', decimals);
}

/// "token-lua and token-set"
QString strategiesOf(const Plan &plan)
{
    QStringList names;
    for (const Algorithm &algorithm : algorithmsOf(plan)) {
        const QString name = QString::fromLatin1(nameOf(algorithm.strategy));
        if (!names.contains(name))
            names.append(name);
    }
    const QString last = names.takeLast();
    return names.isEmpty() ? last
                           : Words::tr("%1 and %2", "strategies").arg(names.join(QStringLiteral(", ")), last);
}

QString headline(const Report &report)
{
    const Plan &plan = report.plan;
    QStringList parts{strategiesOf(plan)};
    if (plan.algorithm.release != ReleaseMethod::Usual)
        parts.append(Words::tr("release %1").arg(QString::fromLatin1(nameOf(plan.algorithm.release))));
    if (plan.algorithm.wake != WakeMethod::Usual)
        parts.append(Words::tr("wake %1").arg(QString::fromLatin1(nameOf(plan.algorithm.wake))));
    parts.append(Words::tr("%n worker(s)", nullptr, plan.workers));
    if (plan.processes > 1)
        parts.append(Words::tr("%n process(es)", nullptr, plan.processes));
    parts.append(Words::tr("%n lock(s)", nullptr, plan.locks));
    parts.append(Words::tr("seed %1").arg(plan.seed));
    parts.append(describe(std::chrono::duration_cast<milliseconds>(report.duration)));
    if (report.stopped)
        parts.append(Words::tr("stopped early"));
    return parts.join(QStringLiteral(", "));
}

QStringList figures(const Report &report, int width)
{
    const WorkerStats &total = report.total;
    Figures figures;
    figures.add(
        Words::tr("acquired"),
        Words::tr("%1 of %2", "of all attempts").arg(grouped(total.acquired), grouped(total.attempts)));
    figures.add(Words::tr("refused"), grouped(total.refused));
    figures.add(Words::tr("timed out"), grouped(total.timedOut));
    if (total.acquired > 0) {
        figures.add(Words::tr("commands per acquisition"), decimal(report.commandsPerAcquisition(), 2));
        figures.add(Words::tr("fairness (Jain)"), decimal(report.fairness(), 3));
        figures.add(Words::tr("acquisitions per worker"),
                    Words::tr("%1 to %2", "fewest and most")
                        .arg(grouped(report.fewestAcquired()), grouped(report.maxAcquired())));
    }
    figures.add(Words::tr("commands"), grouped(total.commands));
    if (report.roundTrip > 0us)
        figures.add(Words::tr("round trip"), shortTime(report.roundTrip));
    if (!report.rounds.isEmpty()) {
        figures.add(Words::tr("rounds"), Words::tr("%1 valid, %2 voided")
                                             .arg(grouped(report.validRounds()),
                                                  grouped(report.rounds.size() - report.validRounds())));
        figures.add(
            Words::tr("winners per round"),
            Words::tr("%1 to %2", "fewest and most").arg(report.fewestWinners()).arg(report.maxWinners()));
    }
    if (!report.plan.serverFaults.isEmpty())
        figures.add(Words::tr("faults of the server"),
                    Words::tr("%1 of %2", "carried out, and planned")
                        .arg(grouped(report.serverFaults), grouped(report.plan.serverFaults.size())));
    const QList<Counted> rare{{total.lost, Words::tr("lost locks")},
                              {total.execsRefused, Words::tr("EXEC refused")},
                              {total.crashes, Words::tr("crashes")},
                              {total.pauses, Words::tr("pauses")},
                              {total.errors, Words::tr("errors")}};
    for (const Counted &each : rare) {
        if (each.count > 0)
            figures.add(each.text, grouped(each.count));
    }
    return figures.lines(width);
}

QStringList histogramLines(const QString &title, const Histogram &histogram, int width)
{
    if (histogram.count() == 0)
        return {};
    const auto within = [&](double share) { return shortTime(histogram.percentile(share).value_or(0us)); };
    const QString figures =
        Words::tr("%1: p50 %2, p95 %3, p99 %4, longest %5")
            .arg(title, within(0.5), within(0.95), within(0.99), shortTime(histogram.max()));
    QStringList lines{QString()};
    lines += wrapped(figures, width, 2);
    return lines + bars(histogram, std::min(longestBar, width - barMargin));
}

/// Each kind of violation that occurred, with its number.
QStringList sortsOf(const Findings &findings)
{
    const qint64 explained = findings.overlaps - findings.unexplainedOverlaps;
    const QList<Counted> sorts{
        {findings.unexplainedOverlaps, Words::tr("overlap before the lease expired")},
        {explained, Words::tr("overlap after lease expiry or server data loss")},
        {findings.foreignReleases, Words::tr("foreign release: another owner's lock deleted")},
        {findings.orphans, Words::tr("lock without expiry")},
        {findings.lostWakeUps, Words::tr("lost wake-up: lock free, waiter not woken")},
        {findings.fenceViolations, Words::tr("fencing token that did not increase")},
        {findings.staleWrites, Words::tr("stale write, accepted")},
        {findings.leaks, Words::tr("leaked lock: still held after release")},
    };
    QStringList lines;
    for (const Counted &sort : sorts) {
        if (sort.count > 0)
            lines.append(Words::tr("%1 × %2", "number, what").arg(grouped(sort.count), sort.text));
    }
    return lines;
}

QStringList violations(const Report &report, int width)
{
    const Findings &findings = report.findings;
    QStringList lines{QString(), findings.isClean() ? Words::tr("No violations.") : Words::tr("Violations:")};
    for (const QString &sort : sortsOf(findings))
        lines += wrapped(QStringLiteral("  ") + sort, width, 4);
    if (findings.rejectedWrites > 0)
        lines += wrapped(Words::tr("%1 × %2", "number, what")
                             .arg(grouped(findings.rejectedWrites),
                                  Words::tr("stale write, rejected by its fencing token")),
                         width, 4);
    for (const Violation &violation : worthTelling(findings.examples, toldStories))
        lines += wrapped(QStringLiteral("  – ") + inWords(storyOf(violation, report.keys)), width, 4);
    return lines;
}

/// Indexed by LogLine::What.
constexpr const char *happenings[] = {
    QT_TRANSLATE_NOOP("lockscope::simulation", "attempted"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "acquired the lock"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "was refused"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "timed out"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "released"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "released nothing: the lock was lost"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "crashed"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "paused"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "resumed"),
    QT_TRANSLATE_NOOP("lockscope::simulation", "found the lock lost"),
};

QStringList logLines(const Report &report, int width)
{
    QStringList lines;
    if (report.plan.script.isEmpty() || report.log.isEmpty())
        return lines;
    lines.append(QString());
    for (const LogLine &line : report.log.first(std::min(toldLines, report.log.size()))) {
        const QString clock =
            QDateTime::fromMSecsSinceEpoch(line.wallMs).toString(QStringLiteral("HH:mm:ss.zzz"));
        lines +=
            wrapped(QStringLiteral("  ") +
                        Words::tr("%1  %2 ms  W%3  lock %4  %5", "clock, since the start, worker, lock, what")
                            .arg(clock)
                            .arg(static_cast<double>(line.at.count()) / 1000, 7, 'f', 0)
                            .arg(line.worker + 1)
                            .arg(line.lock + 1)
                            .arg(Words::tr(happenings[int(line.what)])),
                    width, 4);
    }
    if (report.log.size() > toldLines)
        lines.append(QStringLiteral("  ") +
                     Words::tr("… and %1 more lines").arg(grouped(report.log.size() - toldLines)));
    return lines;
}

} // namespace

QList<Violation> worthTelling(const QList<Violation> &examples, qsizetype most)
{
    QSet<ViolationKind> told;
    QList<Violation> chosen;
    QList<Violation> others;
    for (const Violation &story : examples) {
        const bool isNew = !told.contains(story.kind) && chosen.size() < most;
        told.insert(story.kind);
        (isNew ? chosen : others).append(story);
    }
    chosen += others.first(std::min(most - chosen.size(), others.size()));
    std::ranges::stable_sort(chosen, {}, &Violation::at);
    return chosen;
}

QString describe(const Report &report, int width)
{
    width = std::max(width, narrowest);
    QStringList lines = wrapped(headline(report), width, 2);
    lines.append(QString());
    lines += figures(report, width);
    lines += logLines(report, width);
    lines += histogramLines(Words::tr("Wait"), report.total.wait, width);
    lines += histogramLines(Words::tr("Hold"), report.total.hold, width);
    lines += histogramLines(Words::tr("Handoff"), report.findings.handoff, width);
    lines += violations(report, width);
    return lines.join(u'\n') + u'\n';
}

} // namespace lockscope
