// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventtext.h"

#include "core/base/enumnames.h"
#include "core/base/printable.h"
#include "core/family/weaktoken.h"
#include "core/table/locktext.h"
#include "core/words/familymessages.h"
#include "core/words/texts.h"
#include "ui/events/eventmodel.h"
#include "ui/widgets/plaintext.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace lockscope {

namespace {

constexpr qsizetype ownerLetters = 28; // a UUID is known by its ends
constexpr qsizetype maxOwners = 10;

struct LoggedKindSpec
{
    LoggedKind kind;
    StatusColor color;
    const char *word;
    const char *meaning = nullptr; ///< set if the word is not enough
};

struct LoggedKindWords
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::EventModel)

public:
    static constexpr LoggedKindSpec kinds[] = {
        {EventKind::Found, StatusColor::Muted, QT_TR_NOOP("Found"),
         QT_TR_NOOP("Already held at the first reading.")},
        {EventKind::Acquired, StatusColor::Held, QT_TR_NOOP("Acquired"),
         QT_TR_NOOP("Acquired since the last reading.")},
        {EventKind::Reentered, StatusColor::Held, QT_TR_NOOP("Re-entered"),
         QT_TR_NOOP("The hold count has grown.")},
        {EventKind::Unwound, StatusColor::Held, QT_TR_NOOP("Released one level"),
         QT_TR_NOOP("The hold count fell; the lock is still held.")},
        {EventKind::Renewed, StatusColor::Held, QT_TR_NOOP("Renewed"),
         QT_TR_NOOP("The lease ends later than before.")},
        {EventKind::Shortened, StatusColor::Warning, QT_TR_NOOP("Shortened"),
         QT_TR_NOOP("The lease ends sooner than before.")},
        {EventKind::Released, StatusColor::Muted, QT_TR_NOOP("Released"),
         QT_TR_NOOP("Deleted by an unknown client before its lease ended.")},
        {EventKind::Expired, StatusColor::Warning, QT_TR_NOOP("Expired"),
         QT_TR_NOOP("Gone when its lease ended.")},
        {EventKind::OwnerChanged, StatusColor::Warning, QT_TR_NOOP("Owner changed"),
         QT_TR_NOOP("The owner changed since the last reading.")},
        {EventKind::ExpiryLost, StatusColor::Endless, QT_TR_NOOP("Expiry lost"),
         QT_TR_NOOP("The lease was removed; the lock has no expiry.")},
        {EventKind::Vanished, StatusColor::Muted, QT_TR_NOOP("Vanished"),
         QT_TR_NOOP("The lock is gone; possible causes are listed.")},
        {EventKind::Forced, StatusColor::Warning, QT_TR_NOOP("Forced by you"),
         QT_TR_NOOP("Force-expired by this user, according to the audit log.")},
        {EventKind::Evicted, StatusColor::Danger, QT_TR_NOOP("Evicted"),
         QT_TR_NOOP("Evicted; the holder may still be working.")},
        {EventKind::Flushed, StatusColor::Danger, QT_TR_NOOP("Flushed"),
         QT_TR_NOOP("Its database was emptied. The holder may still be working.")},
        {EventKind::Overwritten, StatusColor::Warning, QT_TR_NOOP("Overwritten"),
         QT_TR_NOOP("Its key was overwritten with something else.")},
        {EventKind::Renamed, StatusColor::Warning, QT_TR_NOOP("Renamed"),
         QT_TR_NOOP("Its key was renamed or moved.")},
        {EventKind::Failover, StatusColor::Danger, QT_TR_NOOP("Lost in a failover"),
         QT_TR_NOOP("The new primary lacks the lock. The holder may still be working.")},
        {MonitorEventKind::Disconnected, StatusColor::Danger, QT_TR_NOOP("Disconnected"),
         QT_TR_NOOP("Connection lost; events are missed.")},
        {MonitorEventKind::Reconnected, StatusColor::Muted, QT_TR_NOOP("Reconnected"),
         QT_TR_NOOP("Reconnected; all locks are read again.")},
        {MonitorEventKind::FeedChanged, StatusColor::Muted, QT_TR_NOOP("Change feed"),
         QT_TR_NOOP("The change feed switched modes.")},
        {MonitorEventKind::FeedGap, StatusColor::Warning, QT_TR_NOOP("Gap"),
         QT_TR_NOOP("Changes may have been missed; all locks are read again.")},
        {MonitorEventKind::Flushed, StatusColor::Danger, QT_TR_NOOP("Database flushed")},
        {MonitorEventKind::Swapped, StatusColor::Warning, QT_TR_NOOP("Database swapped")},
        {MonitorEventKind::Restarted, StatusColor::Warning, QT_TR_NOOP("Server restarted")},
        {MonitorEventKind::FailedOver, StatusColor::Warning, QT_TR_NOOP("Failed over")},
        {MonitorEventKind::NodeLost, StatusColor::Danger, QT_TR_NOOP("Server lost")},
        {MonitorEventKind::NodeReady, StatusColor::Muted, QT_TR_NOOP("Server back")},
        {MonitorEventKind::NodeLeft, StatusColor::Muted, QT_TR_NOOP("Server left")},
        {MonitorEventKind::Deadlock, StatusColor::Danger, QT_TR_NOOP("Deadlock"),
         QT_TR_NOOP("Owners wait for each other; confirmed twice.")},
        {MonitorEventKind::DeadlockEnded, StatusColor::Muted, QT_TR_NOOP("Deadlock ended"),
         QT_TR_NOOP("A wait of the deadlock ended.")},
    };
};
static_assert(isByValue(LoggedKindWords::kinds, LoggedKind::count - 1,
                        [](const LoggedKindSpec &spec) { return spec.kind.index(); }));

const LoggedKindSpec &specOf(LoggedKind kind)
{
    return LoggedKindWords::kinds[size_t(kind.index())];
}

} // namespace

QString eventWord(LoggedKind kind)
{
    return LoggedKindWords::tr(specOf(kind).word);
}

QString eventMeaning(LoggedKind kind)
{
    const LoggedKindSpec &spec = specOf(kind);
    return LoggedKindWords::tr(spec.meaning ? spec.meaning : spec.word);
}

StatusColor eventColor(LoggedKind kind)
{
    return specOf(kind).color;
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
        text = Texts::tr("%1 and %2 more").arg(text, QLocale().toString(event.owners.size() - 1));
    return text;
}

QString ownersToolTip(const LoggedEvent &logged, const OwnerNames &names)
{
    const LockEvent &event = logged.event;
    QStringList lines;
    for (const LockOwner &holder : event.owners.first(std::min(event.owners.size(), maxOwners))) {
        const QString name = names.text(event.family, event.address.key, holder.owner);
        const QString id = ownerIdText(holder.owner.bytes);
        lines << (name == id ? id : name + u'\n' + id);
    }
    if (event.owners.size() > maxOwners)
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
    if (event.kind == EventKind::Expired && event.wasRenewed)
        parts << EventModel::tr("renewals had stopped", "follows: Expired");
    QStringList possible;
    for (const EventKind end : event.possible.list())
        possible << eventWord(end).toLower();
    if (event.kind == EventKind::Vanished && !possible.isEmpty())
        parts << EventModel::tr("possible: %1", "what may have ended a lock")
                     .arg(possible.join(QStringLiteral(", ")));
    if (event.kind == EventKind::OwnerChanged && possible.size() == 1)
        parts << EventModel::tr("hold before: %1", "how it ended").arg(possible.first());
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
