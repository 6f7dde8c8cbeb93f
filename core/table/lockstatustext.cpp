// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/lockstatustext.h"

#include "core/family/certainty.h"
#include "core/family/weaktoken.h"
#include "core/table/displayclock.h"
#include "core/table/locktext.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QLocale>

#include <limits>

namespace lockscope {

namespace {

bool hasSeveralLevels(const Lock &lock)
{
    return specOf(lock.family).countsHolds && !lock.owners.isEmpty() &&
           lock.owners.first().holdCount.value_or(0) > 1;
}

/// Explains an overdue renewal. `end`: expiry as text.
QString stalled(const WatchedLock &lock, const QString &end)
{
    if (lock.renewals == 0)
        return Texts::tr("Renewal overdue for the usual watchdog: the holder is paused or crashed, "
                         "unless the lease is fixed. Expires at %1.")
            .arg(end);
    const int percent = lock.minRenewalShare * 100 / std::numeric_limits<quint8>::max();
    return Texts::tr("Renewal overdue: earlier renewals came with ≥ %1% of the lease left. The holder "
                     "is finishing, paused or crashed. Expires at %2.")
        .arg(QString::number(percent), end);
}

} // namespace

StatusMessage liveness(const WatchedLock &lock, TimePoint now)
{
    if (lock.problems().testFlag(Problem::Unreadable)) {
        const auto age =
            std::chrono::duration_cast<milliseconds>(std::max(now, lock.lock.readAt) - lock.lock.readAt);
        return {StatusColor::Warning,
                Texts::tr("No permission to read any more. Last read %1 ago; may have been released.")
                    .arg(describe(std::chrono::floor<std::chrono::seconds>(age)))};
    }
    if (isHidden(lock.lock))
        return {StatusColor::Muted, Texts::tr("Not a lock by its content; owner unknown.")};
    if (isPossible(lock.lock))
        return {StatusColor::Muted, Texts::tr("Possibly a lock, by name or lease; may not be held.")};
    if (lock.lock.family.isUnknown() && !lock.lock.evidence.isEmpty())
        return {StatusColor::Muted, Texts::tr("Possibly a lock of an application's own format.")};
    if (lock.lock.family.isUnknown())
        return {StatusColor::Danger, Texts::tr("Not a recognized lock; owner unknown.")};
    if (lock.problems().testFlag(Problem::Orphaned))
        return {StatusColor::Endless, describe(Problem::Orphaned)};
    if (lock.lock.leaseOf == LeaseOf::Unknown)
        return {StatusColor::Muted, Texts::tr("Expiry unknown: no permission. Grant +hpttl.")};
    if (!lock.lock.deadline && lastingState(lock) == LockState::Held &&
        certaintyOf(lock) == Certainty::Ambiguous)
        return {StatusColor::Muted, Texts::tr("No expiry. Possibly not a lock.")};
    if (!lock.lock.deadline && lastingState(lock) == LockState::Held)
        return {StatusColor::Muted,
                Texts::tr("No expiry, as usual for this family. The holder may be gone.")};
    if (!lock.lock.deadline)
        return {StatusColor::Endless, describe(Problem::NoExpiry)};
    const QString end = clockTime(lock.lock.deadline->latest);
    const LockState state = passingState(lock, now);
    switch (state) {
    case LockState::Ended:
        return {StatusColor::Muted, Texts::tr("The lease has run out; rechecking.")};
    case LockState::Renewed:
        // Not every library compares before it renews, so this may be the holder before.
        return {StatusColor::Held,
                isUnattributed(lock.lock.family)
                    ? Texts::tr("Renewed %n time(s) while watched: a process keeps the lock alive.", nullptr,
                                lock.renewals)
                    : Texts::tr("Renewed: the holder is alive.")};
    case LockState::Stalled:
        return {StatusColor::Warning, stalled(lock, end)};
    default:
        break;
    }
    const StatusColor statusColor = state == LockState::Held ? StatusColor::Muted : stateColor(state);
    if (lock.renewals > 0 && mayRepeat(lock.lock))
        return {statusColor, Texts::tr("Renewed or acquired again %n time(s). Expires at %1 otherwise.",
                                       nullptr, lock.renewals)
                                 .arg(end)};
    if (lock.renewals > 0)
        return {statusColor,
                Texts::tr("Renewed %n time(s) while watched, but not lately. Expires at %1 unless renewed.",
                          nullptr, lock.renewals)
                    .arg(end)};
    if (hasSeveralLevels(lock.lock))
        return {statusColor,
                Texts::tr("Re-entered while watched: the owner was alive then. Expires at %1 unless renewed.")
                    .arg(end)};
    return {statusColor, Texts::tr("No renewal seen. Expires at %1 unless renewed.").arg(end)};
}

StatusMessage lastKnown(const WatchedLock &lock, const DisplayTime &time)
{
    const QString old = countdown(time.pastFor());
    if (!lock.lock.deadline)
        return {StatusColor::Muted, Texts::tr("As read %1 ago; later changes are unknown.").arg(old)};
    const TimePoint end = lock.lock.deadline->latest;
    if (time.present() < end)
        return {StatusColor::Muted,
                Texts::tr("As read %1 ago: expires at %2 unless renewed or released since.")
                    .arg(old, clockTime(end))};
    return {
        StatusColor::Warning,
        Texts::tr("Expiry was due at %1. Read %2 ago; later renewals are unknown.").arg(clockTime(end), old)};
}

QString clockTime(TimePoint at)
{
    return clockTime(at, Clock::now(), QDateTime::currentMSecsSinceEpoch());
}

QString clockTime(TimePoint at, TimePoint now, qint64 wallMs)
{
    const auto away = std::chrono::duration_cast<milliseconds>(at - now);
    if (std::chrono::abs(away) > std::chrono::hours(24 * 365 * 90))
        return Texts::tr("a time beyond the calendar");
    const QDateTime today = QDateTime::fromMSecsSinceEpoch(wallMs);
    const QDateTime then = today.addMSecs(away.count());
    const QString time = then.time().toString(QStringLiteral("HH:mm:ss"));
    if (then.date() == today.date())
        return time;
    return QLocale().toString(then.date(), QLocale::ShortFormat) + u' ' + time;
}

QString releaseEffect(const Lock &lock)
{
    if (hasSeveralLevels(lock))
        return Texts::tr("Releases one or all levels as the owner.");
    return Texts::tr("Releases the lock as the owner.");
}

QString extendEffect(const Lock &)
{
    return Texts::tr("Sets a new lease if the owner still holds the lock.");
}

QString forceExpireEffect(const Lock &)
{
    return Texts::tr("Expires the lock if owner and hold count are unchanged. The holder is not notified.");
}

} // namespace lockscope
