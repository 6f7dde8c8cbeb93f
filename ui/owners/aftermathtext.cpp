// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/owners/aftermathtext.h"

#include "core/base/printable.h"
#include "core/words/durations.h"
#include "ui/locks/lockstatustext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockscope {

namespace {

struct AftermathText
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::OwnersPanel)
};

constexpr qsizetype aftermathKeyCodePoints = 60;

QString timeText(TimePoint at, const ReportTime &told)
{
    return clockTime(at, told.now, told.wallMs);
}

QString epochText(qint64 atMs, const ReportTime &told)
{
    constexpr qint64 most = Deadline::horizon.count();
    return timeText(told.now + milliseconds(std::clamp(atMs - told.wallMs, -most, most)), told);
}

QStringList ofOwnLocks(const CrashAftermath &aftermath, const ReportTime &at)
{
    const CrashAftermath::Fates &own = aftermath.own();
    QStringList sentences;
    if (own.expiring.locks > 0)
        sentences << AftermathText::tr("%n lock(s) would expire by %1 unless another client renews.", nullptr,
                                       plural(own.expiring.locks))
                         .arg(timeText(own.expiring.latest, at));
    if (own.endless > 0) {
        QStringList names;
        for (const LockKey &key : aftermath.endlessLocks())
            names << printable(key.bytes, aftermathKeyCodePoints);
        if (own.endless > names.size())
            names << AftermathText::tr("and %n more", nullptr, plural(own.endless - names.size()));
        sentences << AftermathText::tr("%n lock(s) would stay until removed (no expiry): %1.", nullptr,
                                       plural(own.endless))
                         .arg(names.join(QStringLiteral(", ")));
    }
    if (own.unknown > 0)
        sentences << AftermathText::tr("%n lock(s) would stay for an unknown time.", nullptr,
                                       plural(own.unknown));
    return sentences;
}

QStringList ofShares(const CrashAftermath::Fates &shared, const ReportTime &at)
{
    QStringList sentences;
    if (shared.expiring.locks > 0)
        sentences << AftermathText::tr(
                         "Its share of %n lock(s) would expire by %1 unless another client renews.", nullptr,
                         plural(shared.expiring.locks))
                         .arg(timeText(shared.expiring.latest, at));
    if (shared.endless > 0)
        sentences << AftermathText::tr("Its share of %n lock(s) would stay until removed (no expiry).",
                                       nullptr, plural(shared.endless));
    if (shared.unknown > 0)
        sentences << AftermathText::tr("Its share of %n lock(s) would stay for an unknown time.", nullptr,
                                       plural(shared.unknown));
    return sentences;
}

QStringList ofWaiters(const CrashAftermath &aftermath, const ReportTime &at)
{
    const CrashAftermath::Waiting &waiting = aftermath.waiting();
    const CrashAftermath::Fates &locks = aftermath.waitedFor();
    QStringList sentences;
    if (waiting.named > 0)
        sentences << (waiting.isUnknown ? AftermathText::tr("At least %n waiter(s) in their queues.", nullptr,
                                                            plural(waiting.named))
                                        : AftermathText::tr("%n waiter(s) in their queues.", nullptr,
                                                            plural(waiting.named)));
    if (waiting.subscribed > 0)
        sentences << AftermathText::tr("Subscriptions to these locks: %1. A process may have several.")
                         .arg(grouped(waiting.subscribed));
    if (aftermath.own().locks() > 0 && waiting.named + waiting.subscribed == 0)
        sentences << (waiting.dead > 0 ? AftermathText::tr("Only dead waiters are known.")
                      : waiting.isUnknown
                          ? AftermathText::tr("No waiters known. Polling clients cannot be counted.")
                          : AftermathText::tr("Nobody waits for these locks."));
    if (waiting.named + waiting.subscribed == 0)
        return sentences;
    if (locks.expiring.locks > 0)
        sentences << AftermathText::tr("%n lock(s) would block waiters until %1 at the latest.", nullptr,
                                       plural(locks.expiring.locks))
                         .arg(timeText(locks.expiring.latest, at));
    if (locks.endless > 0)
        sentences << AftermathText::tr("%n lock(s) would block waiters without limit.", nullptr,
                                       plural(locks.endless));
    if (locks.unknown > 0)
        sentences << AftermathText::tr("%n lock(s) would block waiters for an unknown time.", nullptr,
                                       plural(locks.unknown));
    return sentences;
}

QStringList ofPlaces(const CrashAftermath &aftermath, const ReportTime &at)
{
    if (aftermath.deadPlaces() == 0)
        return {};
    QStringList sentences{AftermathText::tr("%n place(s) in wait queues would be dead.", nullptr,
                                            plural(aftermath.deadPlaces()))};
    if (aftermath.heldUp() == 0)
        return sentences;
    const QString behind =
        AftermathText::tr("%n waiter(s) behind these places.", nullptr, plural(aftermath.heldUp()));
    const auto until = aftermath.skippedFromMs();
    sentences << behind + u' ' +
                     (until ? AftermathText::tr("They may be blocked until %1 (waiters' clock).")
                                  .arg(epochText(*until, at))
                            : AftermathText::tr("They may be blocked for an unknown time."));
    return sentences;
}

} // namespace

QString aftermathHeading(OwnerGroup::Names names)
{
    switch (names) {
    case OwnerGroup::Names::Nobody:
        break;
    case OwnerGroup::Names::Owner:
        return AftermathText::tr("If this owner crashed now:");
    case OwnerGroup::Names::Process:
        return AftermathText::tr("If this process crashed now:");
    case OwnerGroup::Names::Host:
        return AftermathText::tr("If all owners on this host crashed now:");
    }
    return AftermathText::tr("These locks may belong to different owners.");
}

QStringList aftermathSentences(const CrashAftermath &aftermath, const ReportTime &at)
{
    if (aftermath.isEmpty())
        return {AftermathText::tr("Nothing known would be left.")};
    return ofOwnLocks(aftermath, at) + ofShares(aftermath.shared(), at) + ofWaiters(aftermath, at) +
           ofPlaces(aftermath, at);
}

QString signsSentence(const LivenessSigns &signs, const ReportTime &at)
{
    QStringList dead, alive;
    if (signs.overdue > 0)
        dead << AftermathText::tr("renewal overdue on %n lock(s), latest since %1", nullptr,
                                  plural(signs.overdue))
                    .arg(timeText(*signs.overdueSince, at));
    if (signs.silentPlaces > 0)
        dead << AftermathText::tr("not subscribed at %n place(s) in wait queues", nullptr,
                                  plural(signs.silentPlaces));
    if (signs.actedAt)
        alive
            << AftermathText::tr("last renewal or acquisition seen at %1").arg(timeText(*signs.actedAt, at));
    if (signs.subscribedPlaces > 0)
        alive << AftermathText::tr("subscribed at %n place(s) in wait queues", nullptr,
                                   plural(signs.subscribedPlaces));
    const QString separator = QStringLiteral("; ");
    switch (signs.verdict(at.now)) {
    case LivenessSigns::Verdict::LikelyDead:
        return AftermathText::tr("Likely dead: %1. It may also be paused.")
            .arg((dead + alive).join(separator));
    case LivenessSigns::Verdict::Alive:
        return AftermathText::tr("Not known to be dead: %1.").arg(alive.join(separator));
    case LivenessSigns::Verdict::Unknown:
        break;
    }
    const QStringList both = dead + alive;
    return both.isEmpty() ? AftermathText::tr("Not known to be dead: no sign seen.")
                          : AftermathText::tr("Not known to be dead: %1.").arg(both.join(separator));
}

QString processesSentence(const SignsOfProcesses &processes, const ReportTime &at)
{
    const SignsOfProcesses::Count count = processes.count(at.now);
    QStringList parts;
    if (count.all() > 0)
        parts << AftermathText::tr("signs of life from %1 of %n known", "processes", plural(count.all()))
                     .arg(grouped(count.alive));
    if (count.likelyDead > 0)
        parts << AftermathText::tr("%n likely dead or paused", "processes", plural(count.likelyDead));
    if (count.unknown > 0)
        parts << AftermathText::tr("%n unknown", "processes", plural(count.unknown));
    if (processes.untold() > 0)
        parts << AftermathText::tr("%n owner ID(s) name none", "processes", plural(processes.untold()));
    return parts.isEmpty() ? QString()
                           : AftermathText::tr("Processes: %1.").arg(parts.join(QStringLiteral("; ")));
}

} // namespace lockscope
