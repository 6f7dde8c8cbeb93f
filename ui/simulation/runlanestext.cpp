// SPDX-License-Identifier: GPL-3.0-or-later
// What was so at a moment of a run, in words.
#include "ui/simulation/runlanes.h"

#include "core/words/durations.h"
#include "core/words/texts.h"
#include "ui/lanes/timescale.h"
#include "ui/simulation/runtext.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <functional>

namespace lockscope {

namespace {

/// Returns the last span that contains the moment; nullptr: none.
auto spanAt(const auto &spans, microseconds at, auto time)
{
    const auto found = std::ranges::find_if(
        spans.rbegin(), spans.rend(), [at](const RunSpan &span) { return span.contains(at); }, time);
    return found == spans.rend() ? nullptr : &*found;
}

const RunSpan *spanAt(const std::vector<RunSpan> &spans, microseconds at)
{
    return spanAt(spans, at, std::identity());
}

/// Describes the lease; hypothetical if its worker is gone.
QString leaseText(const RunHistory::Lease &lease, microseconds at)
{
    const bool isUnwatched = lease.unwatchedFrom && *lease.unwatchedFrom <= at;
    if (lease.until > at)
        return (isUnwatched ? RunLanes::tr("lease would end in %1") : RunLanes::tr("lease: %1 left"))
            .arg(shortTime(lease.until - at));
    return (isUnwatched ? RunLanes::tr("lease would have ended %1 ago")
                        : RunLanes::tr("lease expired %1 ago"))
        .arg(shortTime(at - lease.until));
}

} // namespace

QStringList RunLanes::statesOfSection(int lock, microseconds at) const
{
    QStringList inside;
    for (const RunHistory::Stay &stay : m_history.sections()[size_t(lock)].stays) {
        if (stay.time.contains(at))
            inside.append(workerName(stay.worker));
    }
    return inside;
}

bool RunLanes::isOrphaned(int lock, microseconds at) const
{
    return std::ranges::any_of(m_history.sections()[size_t(lock)].orphans,
                               [at](const RunSpan &orphan) { return orphan.contains(at); });
}

QString RunLanes::withoutExpiryText()
{
    return tr("locked without expiry");
}

QStringList RunLanes::statesOfWorker(int number, microseconds at, bool isWhole) const
{
    const RunHistory::Worker &worker = m_history.workers()[size_t(number)];
    QStringList states;
    const auto add = [&](WorkerState state, const RunSpan &since) {
        const QString word = lookOf(state).word;
        states.append(isWhole ? tr("%1 for %2", "state, duration").arg(word, shortTime(at - since.from))
                              : word);
    };
    if (const auto *death = spanAt(worker.deaths, at)) {
        add(WorkerState::Dead, *death);
        return states;
    }
    if (const auto *pause = spanAt(worker.pauses, at))
        add(WorkerState::Paused, *pause);
    if (const auto *absence = spanAt(worker.absences, at))
        add(WorkerState::Disconnected, *absence);
    if (const auto *hold = spanAt(worker.holds, at, &RunHistory::Part::time)) {
        if (hold->releasing && *hold->releasing <= at)
            states.append(tr("releasing"));
        else
            add(WorkerState::Holding, hold->time);
    }
    if (const auto *wait = spanAt(worker.waits, at, &RunHistory::Part::time))
        add(WorkerState::Waiting, wait->time);
    if (states.isEmpty())
        states.append(lookOf(WorkerState::Resting).word);
    return states;
}

bool RunLanes::isNotRecorded(int lane, microseconds at) const
{
    if (m_fullAt && at >= *m_fullAt)
        return true;
    if (lane < sections())
        return false;
    return spanAt(m_history.workers()[size_t(lane - sections())].gaps, at);
}

QString RunLanes::stateText(int lane, qint64 atMs) const
{
    const microseconds at = fromAxis(atMs);
    if (isNotRecorded(lane, at))
        return Texts::tr("not recorded");
    if (lane >= sections())
        return statesOfWorker(lane - sections(), at, false).join(QStringLiteral(", "));
    const QStringList inside = statesOfSection(lockOf(lane), at);
    if (inside.isEmpty())
        return isOrphaned(lockOf(lane), at) ? withoutExpiryText() : tr("empty", "critical section");
    return inside.join(QStringLiteral(", "));
}

QString RunLanes::toolTip(int lane, qint64 atMs) const
{
    const microseconds at = fromAxis(atMs);
    QStringList lines{Texts::tr("%1 at %2").arg(laneName(lane), timeText(atMs, 1))};
    if (lane < sections())
        lines.append(tr("Key: %1").arg(keyOf(lockOf(lane))));
    if (isNotRecorded(lane, at)) {
        lines.append(Texts::tr("not recorded"));
        return lines.join(u'\n');
    }
    if (lane >= sections()) {
        lines += statesOfWorker(lane - sections(), at, true);
        const std::vector<RunHistory::Lease> &leases = m_history.workers()[size_t(lane - sections())].leases;
        // An expired one counts until its actual end: it is described by how long ago.
        const auto lease =
            std::ranges::find_if(leases.rbegin(), leases.rend(), [at](const RunHistory::Lease &each) {
                return each.from <= at && (!each.endedAt || *each.endedAt > at);
            });
        if (lease != leases.rend()) {
            lines.append(leaseText(*lease, at));
            if (lease->isFromLeave)
                lines.append(tr("since the previous holder left, by the referee"));
        }
        return lines.join(u'\n');
    }
    const QStringList inside = statesOfSection(lockOf(lane), at);
    lines.append(
        inside.isEmpty()
            ? tr("No worker is in the critical section.")
            : tr("In the critical section, by the referee: %1").arg(inside.join(QStringLiteral(", "))));
    if (isOrphaned(lockOf(lane), at))
        lines.append(tr("The lock was found without expiry then."));
    return lines.join(u'\n');
}

QString RunLanes::timeText(qint64 atMs, qint64 stepMs) const
{
    constexpr qint64 second = 1'000'000;
    int decimals = 0;
    for (qint64 unit = second; unit > stepMs && decimals < 6; unit /= 10)
        ++decimals;
    return secondsText(double(atMs) / second, stepMs == 1 ? 4 : decimals);
}

qint64 RunLanes::labelStepMs(double leastMs) const
{
    return TimeScale::decimalStepMs(leastMs);
}

QStringList RunLanes::omittedTexts(qint64 leftOut) const
{
    QStringList texts;
    if (leftOut > 0)
        texts << tr("%1 events not recorded", "too many").arg(QLocale().toString(leftOut));
    if (locks() > sections())
        texts << tr("%1 of %2 locks have a lane").arg(QString::number(sections()), QString::number(locks()));
    return texts;
}

QString RunLanes::lastText() const
{
    return Texts::tr("At %1").arg(timeText(shownUntilMs(), 1000));
}

} // namespace lockscope
