// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/model/report.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

/// Integers, or three decimals for small values.
QJsonValue inMilliseconds(microseconds time)
{
    return time < 10ms ? QJsonValue(static_cast<double>(time.count()) / 1000)
                       : QJsonValue(qint64((time.count() + 500) / 1000));
}

QJsonValue inMicroseconds(microseconds time)
{
    return qint64(time.count());
}

double rounded(double value, double parts)
{
    return std::round(value * parts) / parts;
}

void insertPercentiles(QJsonObject &object, const char *name, const Histogram &histogram,
                       QJsonValue (*unit)(microseconds))
{
    if (histogram.count() == 0)
        return;
    object[QLatin1String(name)] =
        QJsonObject{{QStringLiteral("p50"), unit(histogram.percentile(0.5).value_or(0us))},
                    {QStringLiteral("p95"), unit(histogram.percentile(0.95).value_or(0us))},
                    {QStringLiteral("p99"), unit(histogram.percentile(0.99).value_or(0us))},
                    {QStringLiteral("max"), unit(histogram.max())}};
}

QJsonObject range(qint64 low, qint64 high)
{
    return {{QStringLiteral("min"), low}, {QStringLiteral("max"), high}};
}

void insertPlan(QJsonObject &object, const Plan &plan)
{
    const Algorithm &algorithm = plan.algorithm;
    object[QStringLiteral("strategy")] = QString::fromLatin1(nameOf(algorithm.strategy));
    if (const QList<Algorithm> all = algorithmsOf(plan); all.size() > 1) {
        QJsonArray names;
        for (const Algorithm &one : all)
            names.append(QString::fromLatin1(nameOf(one.strategy)));
        object[QStringLiteral("strategies")] = names;
    }
    const ReleaseMethod release = releaseOf(algorithm);
    if (release != ReleaseMethod::Usual)
        object[QStringLiteral("release")] = QString::fromLatin1(nameOf(release));
    if (algorithm.wake != WakeMethod::Usual)
        object[QStringLiteral("wake")] = QString::fromLatin1(nameOf(algorithm.wake));
    object[QStringLiteral("workers")] = plan.workers;
    object[QStringLiteral("processes")] = plan.processes;
    object[QStringLiteral("locks")] = plan.locks;
    object[QStringLiteral("mode")] = QString::fromLatin1(nameOf(plan.mode));
    object[QStringLiteral("lease_ms")] = qint64(plan.lease.count());
    object[QStringLiteral("hold")] = QString::fromLatin1(plan.hold.toText());
    object[QStringLiteral("seed")] = qint64(plan.seed);
}

void insertStats(QJsonObject &object, const WorkerStats &total)
{
    for (const auto &[name, count] : workerCounts)
        object[QLatin1String(name)] = total.*count;
    insertPercentiles(object, "wait_ms", total.wait, inMilliseconds);
    insertPercentiles(object, "hold_ms", total.hold, inMilliseconds);
}

void insertFindings(QJsonObject &object, const Findings &findings, const QList<QByteArray> &keys)
{
    for (const auto &[name, count] : findingCounts)
        object[QLatin1String(name)] = findings.*count;
    insertPercentiles(object, "handoff_us", findings.handoff, inMicroseconds);
    QJsonArray examples;
    for (const Violation &violation : findings.examples)
        examples.append(storyOf(violation, keys).inEnglish());
    object[QStringLiteral("stories")] = examples;
}

} // namespace

void WorkerStats::merge(const WorkerStats &other)
{
    for (const auto &[name, count] : workerCounts)
        this->*count += other.*count;
    wait.merge(other.wait);
    hold.merge(other.hold);
}

void Round::merge(const Round &other)
{
    if (other.tried > 0) {
        firstTry = tried > 0 ? std::min(firstTry, other.firstTry) : other.firstTry;
        lastTry = tried > 0 ? std::max(lastTry, other.lastTry) : other.lastTry;
    }
    tried += other.tried;
    winners += other.winners;
    voided = voided || other.voided;
}

double Report::commandsPerAcquisition() const
{
    return total.acquired == 0 ? 0
                               : static_cast<double>(total.commands) / static_cast<double>(total.acquired);
}

double Report::fairness() const
{
    double sum = 0;
    double squares = 0;
    for (const qint64 acquired : acquiredByWorker) {
        sum += static_cast<double>(acquired);
        squares += static_cast<double>(acquired) * static_cast<double>(acquired);
    }
    return squares == 0 ? 0 : sum * sum / (static_cast<double>(acquiredByWorker.size()) * squares);
}

qint64 Report::fewestAcquired() const
{
    return acquiredByWorker.empty() ? 0 : std::ranges::min(acquiredByWorker);
}

qint64 Report::maxAcquired() const
{
    return acquiredByWorker.empty() ? 0 : std::ranges::max(acquiredByWorker);
}

int Report::validRounds() const
{
    return static_cast<int>(std::ranges::count(rounds, false, &Round::voided));
}

int Report::fewestWinners() const
{
    int fewest = maxWinners();
    for (const Round &round : rounds)
        fewest = round.voided ? fewest : std::min(fewest, round.winners);
    return fewest;
}

int Report::maxWinners() const
{
    int most = 0;
    for (const Round &round : rounds)
        most = round.voided ? most : std::max(most, round.winners);
    return most;
}

QJsonObject toJson(const Report &report)
{
    QJsonObject object;
    insertPlan(object, report.plan);
    if (!report.plan.serverFaults.isEmpty())
        object[QStringLiteral("server_faults")] = report.serverFaults;
    insertStats(object, report.total);
    insertFindings(object, report.findings, report.keys);
    object[QStringLiteral("rounds")] = report.validRounds();
    object[QStringLiteral("rounds_voided")] = report.rounds.size() - report.validRounds();
    if (report.validRounds() > 0)
        object[QStringLiteral("winners_per_round")] = range(report.fewestWinners(), report.maxWinners());
    if (report.total.acquired > 0) {
        object[QStringLiteral("commands_per_acquisition")] = rounded(report.commandsPerAcquisition(), 1000);
        object[QStringLiteral("fairness")] = rounded(report.fairness(), 10'000);
    }
    if (!report.acquiredByWorker.empty())
        object[QStringLiteral("acquired_per_worker")] = range(report.fewestAcquired(), report.maxAcquired());
    if (report.roundTrip > 0us)
        object[QStringLiteral("round_trip_us")] = inMicroseconds(report.roundTrip);
    object[QStringLiteral("duration_ms")] = qint64((report.duration.count() + 500) / 1000);
    object[QStringLiteral("stopped")] = report.stopped;
    return object;
}

} // namespace lockscope
