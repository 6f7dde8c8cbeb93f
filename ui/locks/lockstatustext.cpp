// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockstatustext.h"

#include "core/family/certainty.h"
#include "core/family/weaktoken.h"
#include "core/words/familymessages.h"
#include "core/words/messages.h"
#include "ui/locks/lockstate.h"
#include "ui/locks/locktext.h"

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
    return isCounted(lock.family) && !lock.owners.isEmpty() && lock.owners.first().holdCount.value_or(0) > 1;
}

/// By what it should have been renewed.
QString stalled(const WatchedLock &lock, const QString &end)
{
    if (lock.renewals == 0)
        return Explanation::tr(
                   "The usual watchdog would have renewed it by now: its holder hangs or is dead, unless "
                   "it asked for a fixed lease. Ends at %1.")
            .arg(end);
    const int percent = lock.minRenewalShare * 100 / std::numeric_limits<quint8>::max();
    return Explanation::tr(
               "Its renewals have stopped: they came with at least %1 % of the lease left, and now it is "
               "less. Its holder is finishing, is paused or has crashed. Ends at %2.")
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
        return {StatusColor::Muted, Explanation::tr("This looks like no lock: nobody is known to hold it.")};
    if (lock.lock.family == Family::Unknown && !lock.lock.evidence.isEmpty())
        return {StatusColor::Muted, Explanation::tr("This may be a lock that a program of its own writes.")};
    if (lock.lock.family == Family::Unknown)
        return {StatusColor::Danger,
                Explanation::tr("Nobody is known to hold this: it is no lock of a kind that is known.")};
    if (lock.problems().testFlag(Problem::Orphaned))
        return {StatusColor::Endless,
                Explanation::tr("There is no lock, only the queue of those that waited for one: "
                                 "nobody will wake them.")};
    if (lock.lock.leaseOf == LeaseOf::Unknown)
        return {
            StatusColor::Muted,
            Explanation::tr("When it ends is not known: its fields may have an expiry, which this login may "
                             "not read. Grant +hpttl.")};
    if (!lock.lock.deadline && lastingState(lock) == LockState::Held &&
        certaintyOf(lock) == Certainty::Ambiguous)
        return {StatusColor::Muted, Explanation::tr("No expiry. Whether this is a lock is not known.")};
    if (!lock.lock.deadline && lastingState(lock) == LockState::Held)
        return {StatusColor::Muted,
                Explanation::tr("No expiry, as such locks have it by default: whether its holder "
                                 "is alive can't be told.")};
    if (!lock.lock.deadline)
        return {StatusColor::Endless, Explanation::tr("No expiry: it will never end by itself.")};
    const QString end = clockTime(lock.lock.deadline->latest);
    const LockState state = passingState(lock, now);
    switch (state) {
    case LockState::Ended:
        return {StatusColor::Muted, Explanation::tr("Its lease has run out: the server is being asked.")};
    case LockState::Renewed:
        // Not every library compares before it renews, so this may be the holder before.
        return {StatusColor::Held,
                isUnattributed(lock.lock.family)
                    ? Explanation::tr("Renewed %n time(s) while watched: some process keeps it alive.",
                                       nullptr, lock.renewals)
                    : Explanation::tr("Its lease is being renewed: the holder is alive.")};
    case LockState::Stalled:
        return {StatusColor::Warning, stalled(lock, end)};
    default:
        break;
    }
    const StatusColor tone = state == LockState::Held ? StatusColor::Muted : stateColor(state);
    if (lock.renewals > 0 && mayRepeat(lock.lock))
        return {tone,
                Explanation::tr("Renewed or acquired again %n time(s) while watched: its token does not "
                                 "tell which. Unless that happens again it ends at %1.",
                                 nullptr, lock.renewals)
                    .arg(end)};
    if (lock.renewals > 0)
        return {tone,
                Explanation::tr("Renewed %n time(s) while watched, but not lately. Without another renewal "
                                 "it ends at %1.",
                                 nullptr, lock.renewals)
                    .arg(end)};
    return {tone, Explanation::tr("No renewal was seen while watched. Without one it ends at %1.").arg(end)};
}

StatusMessage lastKnown(const WatchedLock &lock, milliseconds age)
{
    const QString old = countdown(age);
    if (!lock.lock.deadline)
        return {StatusColor::Muted,
                Explanation::tr("As read %1 ago. Changes since then are unknown.").arg(old)};
    const TimePoint end = lock.lock.deadline->latest;
    if (Clock::now() < end)
        return {StatusColor::Muted,
                Explanation::tr("As read %1 ago: expires at %2 unless renewed or released since then.")
                    .arg(old, clockTime(end))};
    return {StatusColor::Warning,
            Explanation::tr("Was to expire at %1. Whether it was renewed since it was read, %2 "
                             "ago, is unknown.")
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
        return Explanation::tr("a time beyond every calendar");
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
        return Explanation::tr("Gives back one level, or all, in the owner's name.");
    return Explanation::tr("Gives the lock back in the owner's name.");
}

QString extendEffect(const Lock &)
{
    return Explanation::tr("Sets the lease anew, if the owner still holds it.");
}

QString forceExpireEffect(const Lock &)
{
    return Explanation::tr("Ends it, if it is still what you see. Its holder is not told.");
}

} // namespace lockscope
