// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/scenario/expectations.h"

#include "core/base/enumnames.h"

#include <QHash>

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;
using What = LogLine::What;

namespace {

// "Soon" on a machine that has much else to do.
constexpr milliseconds little = 1000ms;

constexpr EnumNames lines{Named<What>{What::Tried, "log-tried"}, Named<What>{What::Got, "log-got"},
                          Named<What>{What::Released, "log-released"},
                          Named<What>{What::TimedOut, "log-timed-out"}};

Phrase asPhrase(microseconds time)
{
    return Phrase("%1", time);
}

Phrase asPhrase(qint64 number)
{
    return Phrase("%1", number);
}

Phrase ratio(double value, int decimals = 2)
{
    return Phrase::verbatim(QString::number(value, 'f', decimals));
}

int countOf(const Report &report, What what, std::optional<int> worker, std::optional<int> lock = {})
{
    return static_cast<int>(std::ranges::count_if(report.log, [&](const LogLine &line) {
        return line.what == what && line.worker == worker.value_or(line.worker) &&
               line.lock == lock.value_or(line.lock);
    }));
}

Phrase strategyOf(const Report &report)
{
    return Phrase::verbatim(QString::fromLatin1(nameOf(report.plan.algorithm.strategy)));
}

/// The workers that acquired a lock, in order: "A, C, D".
QString orderOf(const Report &report)
{
    QList<LogLine> got;
    std::ranges::copy_if(report.log, std::back_inserter(got),
                         [](const LogLine &line) { return line.what == What::Got; });
    std::ranges::stable_sort(got, {}, &LogLine::at);
    QStringList names;
    for (const LogLine &line : got)
        names.append(QString(QChar(static_cast<char16_t>(u'A' + line.worker))));
    return names.join(QStringLiteral(", "));
}

void expectOneWinner(ExpectationChecks &checks, const Report &report)
{
    checks.beginAct(strategyOf(report));
    checks.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "simultaneous rounds")),
                       report.plan.rounds.value_or(0), report.validRounds());
    checks.expect(
        report.validRounds() > 0 && report.fewestWinners() == 1 && report.maxWinners() == 1,
        Phrase(QT_TRANSLATE_NOOP("phrases", "winners per round")), asPhrase(1),
        report.fewestWinners() == report.maxWinners()
            ? asPhrase(report.maxWinners())
            : Phrase(QT_TRANSLATE_NOOP("phrases", "%1 to %2"), report.fewestWinners(), report.maxWinners()));
    if (const auto voided = report.rounds.size() - report.validRounds(); voided > 0)
        checks.note(Phrase::plural(
            QT_TRANSLATE_N_NOOP("phrases", "%1: %n round(s) repeated: attempts too far apart."), voided,
            strategyOf(report)));
}

void expectOrder(ExpectationChecks &checks, const Report &report)
{
    checks.expect(orderOf(report) == u"A, C, D",
                  Phrase(QT_TRANSLATE_NOOP("phrases", "acquisitions in order")),
                  Phrase::verbatim(QStringLiteral("A, C, D")), Phrase::verbatim(orderOf(report)));
    checks.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "refusals of B during A's lease")), 1,
                       countOf(report, What::Refused, 1));
}

void expectHolders(ExpectationChecks &checks, const Report &report)
{
    for (const int lock : {0, 1}) {
        const int holders = countOf(report, What::Got, {}, lock);
        checks.expectAtLeast(Phrase(QT_TRANSLATE_NOOP("phrases", "acquisitions of lock %1"), lock + 1), 1,
                             holders);
        checks.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "releases of lock %1"), lock + 1), holders,
                           countOf(report, What::Released, {}, lock));
    }
}

/// The earliest first acquisition of the others.
std::optional<microseconds> firstOther(const Report &report)
{
    std::optional<microseconds> first;
    for (int worker = 1; worker < report.plan.workers; ++worker) {
        if (const auto got = firstTime(report, What::Got, worker))
            first = first ? std::min(*first, *got) : *got;
    }
    return first;
}

void expectWait(ExpectationChecks &checks, const Report &report)
{
    const auto tried = firstTime(report, What::Tried, 1);
    const auto got = firstOther(report);
    checks.expect(tried && got && *got >= *tried + report.plan.lease - 1ms,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "first contender's wait")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "at least %1"), asPhrase(report.plan.lease)),
                  tried && got ? asPhrase(*got - *tried) : Phrase(QT_TRANSLATE_NOOP("phrases", "none")));
}

/// The lease began between the first holder's request and its answer.
void expectTakeover(ExpectationChecks &checks, const Report &report)
{
    const auto asked = firstTime(report, What::Tried, 0);
    const auto answered = firstTime(report, What::Got, 0);
    const auto next = firstOther(report);
    const milliseconds lease = report.plan.lease;
    const Phrase what(QT_TRANSLATE_NOOP("phrases", "time until the next entry"));
    if (!asked || !answered || !next)
        return checks.expect(false, what, Phrase(QT_TRANSLATE_NOOP("phrases", "after the lease")),
                             Phrase(QT_TRANSLATE_NOOP("phrases", "none")));
    checks.expect(
        *next >= *asked + lease - 1ms && *next <= *answered + lease + little, what,
        Phrase(QT_TRANSLATE_NOOP("phrases", "after %1 to %2"), asPhrase(lease), asPhrase(lease + little)),
        asPhrase(*next - *answered));
}

microseconds median(const Histogram &histogram)
{
    return histogram.percentile(0.5).value_or(microseconds(0));
}

void expectLongWaits(ExpectationChecks &checks, const Report &report)
{
    const microseconds wait = report.total.wait.percentile(0.99).value_or(0ms);
    const microseconds hold = median(report.total.hold);
    const milliseconds slowHold = report.plan.pause;
    checks.expect(hold.count() > 0 && wait >= 20 * hold, Phrase(QT_TRANSLATE_NOOP("phrases", "wait p99")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "at least 20 hold times of %1"), asPhrase(hold)),
                  asPhrase(wait));
    checks.expect(wait >= slowHold / 2, Phrase(QT_TRANSLATE_NOOP("phrases", "wait p99")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "at least half of %1"), asPhrase(slowHold)),
                  asPhrase(wait));
}

void expectDeadlock(ExpectationChecks &checks, const Report &report)
{
    for (const int worker : {0, 1}) {
        const auto began = firstTime(report, What::Tried, worker, worker);
        const auto ended = firstTime(report, What::Got, worker, 1 - worker);
        checks.expect(
            began && ended && *ended >= *began + report.plan.lease - 200ms,
            Phrase(QT_TRANSLATE_NOOP("phrases", "W%1's second lock"), worker + 1),
            Phrase(QT_TRANSLATE_NOOP("phrases", "after about %1, a lease"), asPhrase(report.plan.lease)),
            ended ? asPhrase(*ended) : Phrase(QT_TRANSLATE_NOOP("phrases", "never")));
    }
}

void expectEarlyEnd(ExpectationChecks &checks, const Report &report)
{
    microseconds last{0};
    for (const LogLine &line : report.log)
        last = std::max(last, line.at);
    checks.expect(last < report.plan.lease, Phrase(QT_TRANSLATE_NOOP("phrases", "end of the run")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "before %1, a lease"), asPhrase(report.plan.lease)),
                  asPhrase(last));
}

void compareHerd(ExpectationChecks &checks, const QList<Report> &reports)
{
    const double herd = reports[0].commandsPerAcquisition();
    const double handoff = reports[1].commandsPerAcquisition();
    checks.expect(handoff > 0 && herd >= 3 * handoff,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "commands per acquisition, herd")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "at least three times %1"), ratio(handoff)),
                  ratio(herd));
    const microseconds slow = median(reports[0].findings.handoff);
    const microseconds fast = median(reports[1].findings.handoff);
    checks.expect(fast.count() > 0 && slow > fast,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "median handoff, herd")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "more than %1"), asPhrase(fast)), asPhrase(slow));
    for (const Report &report : reports)
        checks.expectCount(Phrase(QT_TRANSLATE_NOOP("phrases", "overlaps, %1"), strategyOf(report)), 0,
                           report.findings.overlaps);
}

double inequality(const Report &report)
{
    return static_cast<double>(report.maxAcquired()) /
           static_cast<double>(std::max(report.fewestAcquired(), qint64(1)));
}

void compareFairness(ExpectationChecks &checks, const QList<Report> &reports)
{
    const double unfair = inequality(reports[0]);
    const double fair = inequality(reports[1]);
    checks.expect(reports[1].fewestAcquired() > 0 && fair <= 1.1,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "most acquisitions over fewest, handoff")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "at most 1.10")), ratio(fair));
    checks.expect(unfair > fair,
                  Phrase(QT_TRANSLATE_NOOP("phrases", "most acquisitions over fewest, polling")),
                  Phrase(QT_TRANSLATE_NOOP("phrases", "more than %1"), ratio(fair)), ratio(unfair));
    checks.expect(
        reports[0].fairness() < reports[1].fairness(),
        Phrase(QT_TRANSLATE_NOOP("phrases", "Jain's index, polling")),
        Phrase(QT_TRANSLATE_NOOP("phrases", "less than %1"), QString::number(reports[1].fairness(), 'f', 4)),
        ratio(reports[0].fairness(), 4));
}

} // namespace

Expectation expectationNamed(QByteArrayView name)
{
    static const QHash<QByteArrayView, Expectation> all{
        {"one-winner", expectOneWinner}, {"order", expectOrder},
        {"holders", expectHolders},      {"wait", expectWait},
        {"takeover", expectTakeover},    {"long-waits", expectLongWaits},
        {"deadlock", expectDeadlock},    {"early-end", expectEarlyEnd}};
    return all.value(name);
}

JointExpectation jointExpectationNamed(QByteArrayView name)
{
    return name == "herd" ? compareHerd : name == "fairness" ? compareFairness : nullptr;
}

std::optional<qint64> countNamed(QByteArrayView name, const Report &report)
{
    for (const auto &[known, count] : workerCounts) {
        if (name == known)
            return report.total.*count;
    }
    for (const auto &[known, count] : findingCounts) {
        if (name == known)
            return report.findings.*count;
    }
    const std::optional<What> what = lines.valueOf(name);
    return what ? std::optional<qint64>(countOf(report, *what, {})) : std::nullopt;
}

std::optional<microseconds> firstTime(const Report &report, What what, int worker, int lock)
{
    std::optional<microseconds> first;
    for (const LogLine &line : report.log) {
        if (line.what == what && line.worker == worker && line.lock == lock)
            first = first ? std::min(*first, line.at) : line.at;
    }
    return first;
}

void ExpectationChecks::expect(bool met, const Phrase &what, const Phrase &expected, const Phrase &found)
{
    m_met = m_met && met;
    const Phrase point(QT_TRANSLATE_NOOP("phrases", "%1: expected %2, found %3"), what, expected, found);
    const Phrase whole =
        m_act.isEmpty() ? point : Phrase(QT_TRANSLATE_NOOP("phrases", "%1: %2"), m_act, point);
    m_findings.append(met ? Phrase(QT_TRANSLATE_NOOP("phrases", "met – %1"), whole)
                          : Phrase(QT_TRANSLATE_NOOP("phrases", "NOT met – %1"), whole));
    m_points.append(met ? Verdict::Point::Met : Verdict::Point::Missed);
    m_comparisons.append({m_act, what, expected, found});
}

void ExpectationChecks::note(const Phrase &text)
{
    m_findings.append(text);
    m_points.append(Verdict::Point::Note);
    m_comparisons.append(Verdict::Comparison());
}

void ExpectationChecks::expectCount(const Phrase &what, qint64 expected, qint64 found)
{
    expect(found == expected, what, asPhrase(expected), asPhrase(found));
}

void ExpectationChecks::expectAtLeast(const Phrase &what, qint64 least, qint64 found)
{
    expect(found >= least, what, Phrase(QT_TRANSLATE_NOOP("phrases", "at least %1"), least), asPhrase(found));
}

} // namespace lockscope
