// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/simulationmessages.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "core/words/messages.h"
#include "core/words/phrases.h"
#include "core/words/textlayout.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QSet>

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

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
                           : Texts::tr("%1 and %2", "strategies").arg(names.join(QStringLiteral(", ")), last);
}

QString headline(const Report &report)
{
    const Plan &plan = report.plan;
    QStringList parts{strategiesOf(plan)};
    if (plan.algorithm.release != ReleaseMethod::Usual)
        parts.append(Texts::tr("release %1").arg(QString::fromLatin1(nameOf(plan.algorithm.release))));
    if (plan.algorithm.wake != WakeMethod::Usual)
        parts.append(Texts::tr("wake %1").arg(QString::fromLatin1(nameOf(plan.algorithm.wake))));
    parts.append(Texts::tr("%n worker(s)", nullptr, plan.workers));
    if (plan.processes > 1)
        parts.append(Texts::tr("%n process(es)", nullptr, plan.processes));
    parts.append(Texts::tr("%n lock(s)", nullptr, plan.locks));
    parts.append(Texts::tr("seed %1").arg(plan.seed));
    parts.append(describe(std::chrono::duration_cast<milliseconds>(report.duration)));
    if (report.stopped)
        parts.append(Texts::tr("stopped early"));
    return parts.join(QStringLiteral(", "));
}

QStringList figures(const Report &report, int width)
{
    const WorkerStats &total = report.total;
    Figures figures;
    figures.add(
        Texts::tr("Acquired"),
        Texts::tr("%1 of %2", "of all attempts").arg(grouped(total.acquired), grouped(total.attempts)));
    figures.add(Texts::tr("Refused"), grouped(total.refused));
    figures.add(Texts::tr("Timed out"), grouped(total.timedOut));
    if (total.acquired > 0) {
        figures.add(Texts::tr("Commands per acquisition"), decimal(report.commandsPerAcquisition(), 2));
        figures.add(Texts::tr("Fairness"), decimal(report.fairness(), 3));
        figures.add(
            Texts::tr("Acquisitions per worker"),
            Texts::tr("%1 to %2").arg(grouped(report.fewestAcquired()), grouped(report.maxAcquired())));
    }
    figures.add(Texts::tr("Commands"), grouped(total.commands));
    if (report.roundTrip > 0us)
        figures.add(Texts::tr("Round trip"), shortTime(report.roundTrip));
    if (!report.rounds.isEmpty()) {
        figures.add(Texts::tr("Rounds"), Texts::tr("%1 valid, %2 voided")
                                             .arg(grouped(report.validRounds()),
                                                  grouped(report.rounds.size() - report.validRounds())));
        figures.add(Texts::tr("Winners per round"),
                    Texts::tr("%1 to %2").arg(report.fewestWinners()).arg(report.maxWinners()));
    }
    if (!report.plan.serverFaults.isEmpty())
        figures.add(Texts::tr("Server faults"),
                    Texts::tr("%1 of %2", "carried out, and planned")
                        .arg(grouped(report.serverFaults), grouped(report.plan.serverFaults.size())));
    const QList<Counted> rare{{total.lost, Texts::tr("Locks lost")},
                              {total.execsRefused, Texts::tr("EXEC refused")},
                              {total.crashes, Texts::tr("Crashes")},
                              {total.pauses, Texts::tr("Pauses")},
                              {total.errors, Texts::tr("Errors")}};
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
        Texts::tr("%1: p50 %2, p95 %3, p99 %4, longest %5")
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
        {findings.unexplainedOverlaps, Texts::tr("overlap before the lease expired")},
        {explained, Texts::tr("overlap after lease expiry or server data loss")},
        {findings.foreignReleases, Texts::tr("foreign release: another owner's lock deleted")},
        {findings.orphans, Texts::tr("lock without expiry")},
        {findings.lostWakeUps, Texts::tr("lost wake-up: lock free, waiter not woken")},
        {findings.fenceViolations, Texts::tr("fencing token that did not increase")},
        {findings.staleWrites, Texts::tr("stale write, accepted")},
        {findings.leaks, Texts::tr("leaked lock: still held after release")},
    };
    QStringList lines;
    for (const Counted &sort : sorts) {
        if (sort.count > 0)
            lines.append(Texts::tr("%1 × %2", "number, what").arg(grouped(sort.count), sort.text));
    }
    return lines;
}

QStringList violations(const Report &report, int width)
{
    const Findings &findings = report.findings;
    QStringList lines{QString(), findings.isClean() ? Texts::tr("No violations.") : Texts::tr("Violations:")};
    for (const QString &sort : sortsOf(findings))
        lines += wrapped(QStringLiteral("  ") + sort, width, 4);
    if (findings.rejectedWrites > 0)
        lines += wrapped(Texts::tr("%1 × %2", "number, what")
                             .arg(grouped(findings.rejectedWrites),
                                  Texts::tr("stale write, rejected by its fencing token")),
                         width, 4);
    for (const Violation &violation : worthTelling(findings.examples, toldStories))
        lines += wrapped(QStringLiteral("  – ") + inWords(storyOf(violation, report.keys)), width, 4);
    return lines;
}

/// Indexed by LogLine::What.
constexpr const char *happenings[] = {
    QT_TRANSLATE_NOOP("phrases", "attempted"),
    QT_TRANSLATE_NOOP("phrases", "acquired the lock"),
    QT_TRANSLATE_NOOP("phrases", "was refused"),
    QT_TRANSLATE_NOOP("phrases", "timed out"),
    QT_TRANSLATE_NOOP("phrases", "released"),
    QT_TRANSLATE_NOOP("phrases", "released nothing: the lock was lost"),
    QT_TRANSLATE_NOOP("phrases", "crashed"),
    QT_TRANSLATE_NOOP("phrases", "paused"),
    QT_TRANSLATE_NOOP("phrases", "resumed"),
    QT_TRANSLATE_NOOP("phrases", "found the lock lost"),
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
                        Texts::tr("%1  %2 ms  W%3  lock %4  %5", "clock, since the start, worker, lock, what")
                            .arg(clock)
                            .arg(static_cast<double>(line.at.count()) / 1000, 7, 'f', 0)
                            .arg(line.worker + 1)
                            .arg(line.lock + 1)
                            .arg(Texts::tr(happenings[int(line.what)])),
                    width, 4);
    }
    if (report.log.size() > toldLines)
        lines.append(QStringLiteral("  ") +
                     Texts::tr("… and %1 more lines").arg(grouped(report.log.size() - toldLines)));
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
    lines += histogramLines(Texts::tr("Wait"), report.total.wait, width);
    lines += histogramLines(Texts::tr("Hold"), report.total.hold, width);
    lines += histogramLines(Texts::tr("Handoff"), report.findings.handoff, width);
    lines += violations(report, width);
    return lines.join(u'\n') + u'\n';
}

} // namespace lockscope
