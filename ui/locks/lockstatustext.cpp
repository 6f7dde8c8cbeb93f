// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockstatustext.h"

#include "core/family/certainty.h"
#include "core/family/weaktoken.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "ui/locks/locktext.h"
#include "ui/widgets/displayclock.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <limits>

namespace lockscope {

namespace {

struct Explanation
{
    Q_DECLARE_TR_FUNCTIONS(Explanation)
};

bool hasSeveralLevels(const Lock &lock)
{
    return specOf(lock.family).countsHolds && !lock.owners.isEmpty() &&
           lock.owners.first().holdCount.value_or(0) > 1;
}

/// Explains an overdue renewal. `end`: expiry as text.
QString stalled(const WatchedLock &lock, const QString &end)
{
    if (lock.renewals == 0)
        return Explanation::tr("Renewal overdue: the usual watchdog would have renewed the lock. The holder "
                               "is paused or has crashed, unless the lease is fixed. Expires at %1.")
            .arg(end);
    const int percent = lock.minRenewalShare * 100 / std::numeric_limits<quint8>::max();
    return Explanation::tr("Renewal overdue: earlier renewals came with at least %1% of the lease left. The "
                           "holder is finishing, is paused or has crashed. Expires at %2.")
        .arg(QString::number(percent), end);
}

} // namespace

StatusMessage liveness(const WatchedLock &lock, TimePoint now)
{
    if (lock.problems().testFlag(Problem::Unreadable)) {
        const auto age =
            std::chrono::duration_cast<milliseconds>(std::max(now, lock.lock.readAt) - lock.lock.readAt);
        return {
            StatusColor::Warning,
            Explanation::tr("No permission to read this lock any more. Whether it is still held is unknown. "
                            "Below is what was last read, %1 ago.")
                .arg(describe(std::chrono::floor<std::chrono::seconds>(age)))};
    }
    if (isHidden(lock.lock))
        return {StatusColor::Muted, Explanation::tr("This does not look like a lock; the owner is unknown.")};
    if (isPossible(lock.lock))
        return {StatusColor::Muted,
                Explanation::tr("It has a lock's name or lease, and a content of unknown meaning: it may be "
                                "a lock. Whether anybody holds it is unknown.")};
    if (lock.lock.family.isUnknown() && !lock.lock.evidence.isEmpty())
        return {StatusColor::Muted, Explanation::tr("This may be a lock of an application's own format.")};
    if (lock.lock.family.isUnknown())
        return {StatusColor::Danger, Explanation::tr("Not a recognized lock; the owner is unknown.")};
    if (lock.problems().testFlag(Problem::Orphaned))
        return {StatusColor::Endless,
                Explanation::tr("Orphaned queue: the lock is gone, and nothing wakes its waiters.")};
    if (lock.lock.leaseOf == LeaseOf::Unknown)
        return {
            StatusColor::Muted,
            Explanation::tr(
                "The expiry is unknown: this user may not read the expiry of hash fields. Grant +hpttl.")};
    if (!lock.lock.deadline && lastingState(lock) == LockState::Held &&
        certaintyOf(lock) == Certainty::Ambiguous)
        return {StatusColor::Muted, Explanation::tr("No expiry. Whether this is a lock is unknown.")};
    if (!lock.lock.deadline && lastingState(lock) == LockState::Held)
        return {
            StatusColor::Muted,
            Explanation::tr(
                "No expiry, which is the default of this family. Whether the holder is alive is unknown.")};
    if (!lock.lock.deadline)
        return {StatusColor::Endless, Explanation::tr("No expiry: the lock never expires by itself.")};
    const QString end = clockTime(lock.lock.deadline->latest);
    const LockState state = passingState(lock, now);
    switch (state) {
    case LockState::Ended:
        return {StatusColor::Muted,
                Explanation::tr("The lease has run out. Lockscope is rechecking the key.")};
    case LockState::Renewed:
        // Not every library compares before it renews, so this may be the holder before.
        return {StatusColor::Held,
                isUnattributed(lock.lock.family)
                    ? Explanation::tr("Renewed %n time(s) while watched: a process keeps the lock alive.",
                                      nullptr, lock.renewals)
                    : Explanation::tr("The lease is being renewed: the holder is alive.")};
    case LockState::Stalled:
        return {StatusColor::Warning, stalled(lock, end)};
    default:
        break;
    }
    const StatusColor statusColor = state == LockState::Held ? StatusColor::Muted : stateColor(state);
    if (lock.renewals > 0 && mayRepeat(lock.lock))
        return {statusColor,
                Explanation::tr("Renewed or acquired again %n time(s) while watched; the token does "
                                "not tell which. Otherwise the lock expires at %1.",
                                nullptr, lock.renewals)
                    .arg(end)};
    if (lock.renewals > 0)
        return {statusColor,
                Explanation::tr("Renewed %n time(s) while watched, but not lately. Without another "
                                "renewal the lock expires at %1.",
                                nullptr, lock.renewals)
                    .arg(end)};
    if (hasSeveralLevels(lock.lock))
        return {statusColor,
                Explanation::tr("Re-entered: the owner was alive at that moment. No renewal seen while "
                                "watched. Without a renewal the lock expires at %1.")
                    .arg(end)};
    return {
        statusColor,
        Explanation::tr("No renewal seen while watched. Without a renewal the lock expires at %1.").arg(end)};
}

StatusMessage lastKnown(const WatchedLock &lock, const DisplayTime &time)
{
    const QString old = countdown(time.pastFor());
    if (!lock.lock.deadline)
        return {StatusColor::Muted,
                Explanation::tr("As read %1 ago. Changes since then are unknown.").arg(old)};
    const TimePoint end = lock.lock.deadline->latest;
    if (time.present() < end)
        return {StatusColor::Muted,
                Explanation::tr("As read %1 ago: expires at %2 unless renewed or released since then.")
                    .arg(old, clockTime(end))};
    return {StatusColor::Warning,
            Explanation::tr(
                "Expiry was at %1. Whether the lock was renewed since it was read, %2 ago, is unknown.")
                .arg(clockTime(end), old)};
}

QString clockTime(TimePoint at)
{
    return clockTime(at, Clock::now(), QDateTime::currentMSecsSinceEpoch());
}

QString clockTime(TimePoint at, TimePoint now, qint64 wallMs)
{
    const auto away = std::chrono::duration_cast<milliseconds>(at - now);
    if (std::chrono::abs(away) > std::chrono::hours(24 * 365 * 90))
        return Explanation::tr("a time beyond the calendar");
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
        return Explanation::tr("Releases one level, or all levels, as the owner.");
    return Explanation::tr("Releases the lock as the owner.");
}

QString extendEffect(const Lock &)
{
    return Explanation::tr("Sets a new lease if the owner still holds the lock.");
}

QString forceExpireEffect(const Lock &)
{
    return Explanation::tr("Force-expires the lock only if owner and hold count are unchanged. Lockscope "
                           "does not notify the holder, which may still be working.");
}

} // namespace lockscope
