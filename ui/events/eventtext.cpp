// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventtext.h"

#include "core/base/printable.h"
#include "core/family/weaktoken.h"
#include "core/words/familymessages.h"
#include "ui/events/eventmodel.h"
#include "ui/locks/locktext.h"
#include "ui/widgets/plaintext.h"

#include <QDateTime>
#include <QLocale>

namespace lockscope {

namespace {

constexpr qsizetype ownerLetters = 28; // a UUID is known by its ends
constexpr qsizetype mostOwners = 10;

QString wordOf(EventKind kind)
{
    switch (kind) {
    case EventKind::Found:
        return EventModel::tr("Found");
    case EventKind::Acquired:
        return EventModel::tr("Acquired");
    case EventKind::Reentered:
        return EventModel::tr("Re-entered");
    case EventKind::Unwound:
        return EventModel::tr("Released one level");
    case EventKind::Renewed:
        return EventModel::tr("Renewed");
    case EventKind::Shortened:
        return EventModel::tr("Shortened");
    case EventKind::Released:
        return EventModel::tr("Released");
    case EventKind::Expired:
        return EventModel::tr("Expired");
    case EventKind::OwnerChanged:
        return EventModel::tr("Owner changed");
    case EventKind::ExpiryLost:
        return EventModel::tr("Expiry lost");
    case EventKind::Vanished:
        return EventModel::tr("Vanished");
    case EventKind::Forced:
        return EventModel::tr("Forced by you");
    }
    return {};
}

QString wordOf(MomentKind kind)
{
    switch (kind) {
    case MomentKind::Disconnected:
        return EventModel::tr("Disconnected");
    case MomentKind::Reconnected:
        return EventModel::tr("Reconnected");
    case MomentKind::FeedChanged:
        return EventModel::tr("Change feed");
    case MomentKind::FeedGap:
        return EventModel::tr("Gap");
    case MomentKind::Flushed:
        return EventModel::tr("Flushed");
    case MomentKind::Swapped:
        return EventModel::tr("Database swapped");
    case MomentKind::Restarted:
        return EventModel::tr("Server restarted");
    case MomentKind::FailedOver:
        return EventModel::tr("Failed over");
    case MomentKind::NodeLost:
        return EventModel::tr("Server lost");
    case MomentKind::NodeReady:
        return EventModel::tr("Server back");
    case MomentKind::NodeLeft:
        return EventModel::tr("Server left");
    case MomentKind::Deadlock:
        return EventModel::tr("Deadlock");
    case MomentKind::DeadlockEnded:
        return EventModel::tr("Deadlock ended");
    }
    return {};
}

QString meaningOf(EventKind kind)
{
    switch (kind) {
    case EventKind::Found:
        return EventModel::tr("The lock was held already when Lockscope first read it.");
    case EventKind::Acquired:
        return EventModel::tr("This owner was not seen at the reading before, and holds the lock now.");
    case EventKind::Reentered:
        return EventModel::tr("The hold count has grown.");
    case EventKind::Unwound:
        return EventModel::tr("The hold count has fallen; the lock is still held.");
    case EventKind::Renewed:
        return EventModel::tr("The lease ends later than before.");
    case EventKind::Shortened:
        return EventModel::tr("The lease ends sooner than before.");
    case EventKind::Released:
        return EventModel::tr("The hold was gone before its lease ended: released, deleted, or "
                              "force-expired by another user. The server does not report which.");
    case EventKind::Expired:
        return EventModel::tr("The hold was gone when its lease had ended.");
    case EventKind::OwnerChanged:
        return EventModel::tr("Another owner holds the lock than at the reading before.");
    case EventKind::ExpiryLost:
        return EventModel::tr("The lock had a lease, and has no expiry now.");
    case EventKind::Vanished:
        return EventModel::tr("The lock was gone after a gap in the watching. The cause is unknown.");
    case EventKind::Forced:
        return EventModel::tr("Force-expired by this user: here, or with another Lockscope program, as the "
                              "audit log says.");
    }
    return {};
}

QString meaningOf(MomentKind kind)
{
    switch (kind) {
    case MomentKind::Disconnected:
        return EventModel::tr("The connection to the server was lost. What happens until it is back is not "
                              "seen.");
    case MomentKind::Reconnected:
        return EventModel::tr("The connection is back. All locks are read again.");
    case MomentKind::FeedChanged:
        return EventModel::tr("Changes are reported in another way than before.");
    case MomentKind::FeedGap:
        return EventModel::tr("Changes may have been missed. All locks are read again.");
    case MomentKind::Deadlock:
        return EventModel::tr("Owners wait for each other, confirmed by two readings.");
    case MomentKind::DeadlockEnded:
        return EventModel::tr("One of the waits of a deadlock has ended.");
    default:
        return wordOf(kind);
    }
}

} // namespace

QString eventWord(LoggedKind kind)
{
    return kind.isMoment() ? wordOf(kind.moment()) : wordOf(kind.event());
}

QString eventMeaning(LoggedKind kind)
{
    return kind.isMoment() ? meaningOf(kind.moment()) : meaningOf(kind.event());
}

StatusColor eventColor(LoggedKind kind)
{
    if (kind.isMoment()) {
        switch (kind.moment()) {
        case MomentKind::Reconnected:
        case MomentKind::NodeReady:
        case MomentKind::NodeLeft:
        case MomentKind::FeedChanged:
        case MomentKind::DeadlockEnded:
            return StatusColor::Muted;
        case MomentKind::FeedGap:
        case MomentKind::Swapped:
        case MomentKind::Restarted:
        case MomentKind::FailedOver:
            return StatusColor::Warning;
        default:
            return StatusColor::Danger;
        }
    }
    switch (kind.event()) {
    case EventKind::ExpiryLost:
        return StatusColor::Endless;
    case EventKind::OwnerChanged:
    case EventKind::Expired:
    case EventKind::Shortened:
    case EventKind::Forced:
        return StatusColor::Warning;
    case EventKind::Found:
    case EventKind::Vanished:
    case EventKind::Released:
        return StatusColor::Muted;
    default:
        return StatusColor::Held;
    }
}

QString ownersText(const LoggedEvent &logged, const OwnerNames &names)
{
    const LockEvent &event = logged.event;
    if (event.owners.isEmpty())
        return {};
    const LockOwner &holder = event.owners.first();
    QString text = shortened(names.text(event.family, event.address.key, holder.owner), ownerLetters);
    if (holder.holdCount.value_or(1) > 1)
        text += QStringLiteral(" ×") + QLocale().toString(*holder.holdCount);
    if (event.owners.size() > 1)
        text = EventModel::tr("%1 and %2 more", "an owner, a number")
                   .arg(text, QLocale().toString(event.owners.size() - 1));
    return text;
}

QString ownersToolTip(const LoggedEvent &logged, const OwnerNames &names)
{
    const LockEvent &event = logged.event;
    QStringList lines;
    for (const LockOwner &holder : event.owners.first(std::min(event.owners.size(), mostOwners))) {
        const QString name = names.text(event.family, event.address.key, holder.owner);
        const QString id = printable(holder.owner.bytes);
        lines << (name == id ? id : name + u'\n' + id);
    }
    if (event.owners.size() > mostOwners)
        lines << QStringLiteral("…");
    return lines.join(u'\n');
}

QString detailText(const LoggedEvent &logged)
{
    if (logged.kind.isMoment())
        return logged.text;
    const LockEvent &event = logged.event;
    QStringList parts;
    if (event.byOtherProgram)
        parts << EventModel::tr("with another Lockscope program", "follows: Forced by you");
    if (event.kind == EventKind::Renewed && !event.owners.isEmpty() && isUnattributed(event.family) &&
        mayRepeat(weakToken(event.address.key, event.owners.first().owner.bytes)))
        parts << EventModel::tr("or acquired again", "follows: Renewed");
    if (event.others > 0)
        parts << EventModel::tr("%n other owner(s)", "follows an owner who came or went", event.others);
    if (event.ttl)
        parts << EventModel::tr("%1 left", "a time").arg(countdown(*event.ttl));
    return parts.join(QStringLiteral(" · "));
}

QString clockTimeText(qint64 wallMs)
{
    return QDateTime::fromMSecsSinceEpoch(wallMs).time().toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString timeText(qint64 wallMs)
{
    const QDate date = QDateTime::fromMSecsSinceEpoch(wallMs).date();
    const QString time = clockTimeText(wallMs);
    return date == QDate::currentDate() ? time : QLocale().toString(date, QLocale::ShortFormat) + u' ' + time;
}

QString exactTimeText(qint64 wallMs)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(wallMs);
    return QLocale().toString(at.date(), QLocale::LongFormat) + u' ' + clockTimeText(wallMs) + u' ' +
           at.timeZoneAbbreviation();
}

} // namespace lockscope
