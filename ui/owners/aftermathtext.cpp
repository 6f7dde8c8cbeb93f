// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/owners/aftermathtext.h"

#include "core/base/printable.h"
#include "core/table/lockstatustext.h"
#include "core/words/durations.h"
#include "core/words/texts.h"

#include <algorithm>

namespace lockscope {

namespace {

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

struct FateTexts
{
    const char *expiring; ///< %1: the time, %2: the locks
    const char *endless;  ///< %1: the locks
    const char *unknown;  ///< %1: the locks
};

constexpr FateTexts staying{
    QT_TRANSLATE_NOOP("phrases", "Expire by %1 unless another client renews: %2."),
    QT_TRANSLATE_NOOP("phrases", "Stay until removed (no expiry): %1."),
    QT_TRANSLATE_NOOP("phrases", "Stay for an unknown time: %1."),
};

constexpr FateTexts blocking{
    QT_TRANSLATE_NOOP("phrases", "Block waiters until %1 at the latest: %2."),
    QT_TRANSLATE_NOOP("phrases", "Block waiters without limit: %1."),
    QT_TRANSLATE_NOOP("phrases", "Block waiters for an unknown time: %1."),
};

QString locksText(qint64 locks)
{
    return Texts::tr("%n lock(s)", nullptr, plural(locks));
}

QString sharesText(qint64 locks)
{
    return Texts::tr("share of %n lock(s)", nullptr, plural(locks));
}

/// `names`: of the endless ones; may be empty.
QStringList fateSentences(const CrashAftermath::Fates &fates, const FateTexts &texts,
                          QString (*textOf)(qint64), const ReportTime &at, const QStringList &names = {})
{
    QStringList sentences;
    if (fates.expiring.locks > 0)
        sentences << Texts::tr(texts.expiring)
                         .arg(timeText(fates.expiring.latest, at), textOf(fates.expiring.locks));
    if (fates.endless > 0) {
        const QString named =
            names.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(names.join(QStringLiteral(", ")));
        sentences << Texts::tr(texts.endless).arg(textOf(fates.endless) + named);
    }
    if (fates.unknown > 0)
        sentences << Texts::tr(texts.unknown).arg(textOf(fates.unknown));
    return sentences;
}

QStringList namesOfEndless(const CrashAftermath &aftermath)
{
    QStringList names;
    for (const LockKey &key : aftermath.endlessLocks())
        names << printable(key.bytes, aftermathKeyCodePoints);
    const qint64 more = aftermath.own().endless - names.size();
    if (more > 0)
        names << Texts::tr("and %n more", nullptr, plural(more));
    return names;
}

QStringList ofWaiters(const CrashAftermath &aftermath, const ReportTime &at)
{
    const CrashAftermath::Waiting &waiting = aftermath.waiting();
    QStringList sentences;
    if (waiting.named > 0)
        sentences << (waiting.isUnknown
                          ? Texts::tr("At least %n waiter(s) in their queues.", nullptr,
                                      plural(waiting.named))
                          : Texts::tr("%n waiter(s) in their queues.", nullptr, plural(waiting.named)));
    if (waiting.subscribed > 0)
        sentences << Texts::tr("Subscriptions to these locks: %1. A process may have several.")
                         .arg(grouped(waiting.subscribed));
    if (aftermath.own().locks() > 0 && waiting.named + waiting.subscribed == 0)
        sentences << (waiting.dead > 0    ? Texts::tr("Only dead waiters are known.")
                      : waiting.isUnknown ? Texts::tr("No waiters known. Polling clients cannot be counted.")
                                          : Texts::tr("Nobody waits for these locks."));
    if (waiting.named + waiting.subscribed == 0)
        return sentences;
    return sentences + fateSentences(aftermath.waitedFor(), blocking, locksText, at);
}

QStringList ofPlaces(const CrashAftermath &aftermath, const ReportTime &at)
{
    if (aftermath.deadPlaces() == 0)
        return {};
    QStringList sentences{
        Texts::tr("%n place(s) in wait queues would be dead.", nullptr, plural(aftermath.deadPlaces()))};
    if (aftermath.heldUp() == 0)
        return sentences;
    const QString behind =
        Texts::tr("%n waiter(s) behind these places.", nullptr, plural(aftermath.heldUp()));
    const auto until = aftermath.skippedFromMs();
    sentences
        << behind + u' ' +
               (until ? Texts::tr("They may be blocked until %1 (waiters' clock).").arg(epochText(*until, at))
                      : Texts::tr("They may be blocked for an unknown time."));
    return sentences;
}

} // namespace

QString aftermathHeading(OwnerGroup::Names names)
{
    switch (names) {
    case OwnerGroup::Names::Nobody:
        break;
    case OwnerGroup::Names::Owner:
        return Texts::tr("If this owner crashed now:");
    case OwnerGroup::Names::Process:
        return Texts::tr("If this process crashed now:");
    case OwnerGroup::Names::Host:
        return Texts::tr("If all owners on this host crashed now:");
    }
    return Texts::tr("These locks may belong to different owners.");
}

QStringList aftermathSentences(const CrashAftermath &aftermath, const ReportTime &at)
{
    if (aftermath.isEmpty())
        return {Texts::tr("Nothing known would be left.")};
    return fateSentences(aftermath.own(), staying, locksText, at, namesOfEndless(aftermath)) +
           fateSentences(aftermath.shared(), staying, sharesText, at) + ofWaiters(aftermath, at) +
           ofPlaces(aftermath, at);
}

QString signsSentence(const LivenessSigns &signs, const ReportTime &at)
{
    QStringList dead, alive;
    if (signs.overdue > 0)
        dead << Texts::tr("renewal overdue on %n lock(s), latest since %1", nullptr, plural(signs.overdue))
                    .arg(timeText(*signs.overdueSince, at));
    if (signs.silentPlaces > 0)
        dead << Texts::tr("not subscribed at %n place(s) in wait queues", nullptr,
                          plural(signs.silentPlaces));
    if (signs.actedAt)
        alive << Texts::tr("last renewal or acquisition seen at %1").arg(timeText(*signs.actedAt, at));
    if (signs.subscribedPlaces > 0)
        alive << Texts::tr("subscribed at %n place(s) in wait queues", nullptr,
                           plural(signs.subscribedPlaces));
    const QString separator = QStringLiteral("; ");
    switch (signs.verdict(at.now)) {
    case LivenessSigns::Verdict::LikelyDead:
        return Texts::tr("Likely dead: %1. It may also be paused.").arg((dead + alive).join(separator));
    case LivenessSigns::Verdict::Alive:
        return Texts::tr("Not known to be dead: %1.").arg(alive.join(separator));
    case LivenessSigns::Verdict::Unknown:
        break;
    }
    const QStringList both = dead + alive;
    return Texts::tr("Not known to be dead: %1.")
        .arg(both.isEmpty() ? Texts::tr("no sign seen") : both.join(separator));
}

QString processesSentence(const SignsOfProcesses &processes, const ReportTime &at)
{
    const SignsOfProcesses::Count count = processes.count(at.now);
    QStringList parts;
    if (count.all() > 0)
        parts << Texts::tr("%1 of %n with signs of life", "processes", plural(count.all()))
                     .arg(grouped(count.alive));
    if (count.likelyDead > 0)
        parts << Texts::tr("%n likely dead or paused", "processes", plural(count.likelyDead));
    if (count.unknown > 0)
        parts << Texts::tr("%n unknown", "processes", plural(count.unknown));
    if (processes.untold() > 0)
        parts << Texts::tr("%n owner ID(s) without one", "processes", plural(processes.untold()));
    return parts.isEmpty() ? QString() : Texts::tr("Processes: %1.").arg(parts.join(QStringLiteral("; ")));
}

} // namespace lockscope
