// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alerttext.h"

#include "core/base/printable.h"
#include "core/words/alertmessages.h"
#include "core/words/durations.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace lockscope {

namespace {

constexpr qsizetype subjectCodePoints = 80;

struct AlertWords
{
    Q_DECLARE_TR_FUNCTIONS(Alerts)
};

DesktopNote::Urgency urgencyOf(AlertSeverity severity)
{
    switch (severity) {
    case AlertSeverity::Critical:
        return DesktopNote::Urgency::Critical;
    case AlertSeverity::Warning:
        return DesktopNote::Urgency::Normal;
    case AlertSeverity::Notice:
        break;
    }
    return DesktopNote::Urgency::Low;
}

QString endText(AlertList::End end)
{
    switch (end) {
    case AlertList::End::Unwatched:
        return AlertWords::tr("Not watched since %1");
    case AlertList::End::RulesChanged:
        return AlertWords::tr("Rules changed at %1");
    case AlertList::End::Over:
        break;
    }
    return AlertWords::tr("Ended at %1");
}

QString printableServer(const QString &server)
{
    return printable(server.toUtf8(), subjectCodePoints);
}

} // namespace

QString alertTitle(const Alert &alert)
{
    const QString title = describe(alert.kind);
    return alert.times < 2 ? title
                           : AlertWords::tr("%1 (%n times)", "raised again so often", alert.times).arg(title);
}

QString alertSubject(const Alert &alert)
{
    return alert.key.isEmpty() ? printableServer(alert.server)
                               : printable(alert.key.bytes, subjectCodePoints);
}

QString alertTime(qint64 wallMs)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(wallMs);
    return at.toString(at.date() == QDate::currentDate() ? QStringLiteral("HH:mm:ss")
                                                         : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString alertStatus(const AlertList::Entry &entry)
{
    if (!entry.isOpen())
        return endText(entry.end).arg(alertTime(entry.endedMs));
    if (entry.acknowledgedMs != 0)
        return AlertWords::tr("Acknowledged at %1").arg(alertTime(entry.acknowledgedMs));
    if (!entry.snoozedUntilMs)
        return AlertWords::tr("Open", "an alert");
    return *entry.snoozedUntilMs == AlertSnooze::untilItEnds
               ? AlertWords::tr("Snoozed until it ends")
               : AlertWords::tr("Snoozed until %1").arg(alertTime(*entry.snoozedUntilMs));
}

QString alertDuration(const AlertList::Entry &entry, TimePoint now)
{
    if (entry.alert.kind == AlertKind::Reset)
        return {}; // of a moment
    const TimePoint until = entry.alert.endedAt.value_or(now);
    return describe(std::chrono::duration_cast<milliseconds>(until - entry.alert.raisedAt));
}

QString snoozeText(const AlertSnooze &snooze)
{
    const QString until = snooze.untilMs == AlertSnooze::untilItEnds
                              ? AlertWords::tr("until it ends")
                              : AlertWords::tr("until %1").arg(alertTime(snooze.untilMs));
    const QString key = printable(snooze.key.bytes, subjectCodePoints);
    switch (snooze.of) {
    case AlertSnooze::Of::Rule:
        return AlertWords::tr("%1, all locks, %2", "a rule, until when").arg(describe(snooze.kind), until);
    case AlertSnooze::Of::Lock:
        return AlertWords::tr("all alerts of %1, %2", "a lock, until when").arg(key, until);
    case AlertSnooze::Of::Alert:
        break;
    }
    return key.isEmpty() ? AlertWords::tr("%1, %2", "a rule, until when").arg(describe(snooze.kind), until)
                         : AlertWords::tr("%1, %2, %3", "a rule, a lock, until when")
                               .arg(describe(snooze.kind), key, until);
}

Glyph alertGlyph(AlertSeverity severity)
{
    switch (severity) {
    case AlertSeverity::Critical:
        return Glyph::Octagon;
    case AlertSeverity::Warning:
        return Glyph::Triangle;
    case AlertSeverity::Notice:
        break;
    }
    return Glyph::Pulse;
}

StatusColor alertColor(AlertSeverity severity)
{
    switch (severity) {
    case AlertSeverity::Critical:
        return StatusColor::Danger;
    case AlertSeverity::Warning:
        return StatusColor::Warning;
    case AlertSeverity::Notice:
        break;
    }
    return StatusColor::Held;
}

DesktopNote noteOf(const Alert &alert, const QString &server)
{
    const QString subject = alertSubject(alert);
    DesktopNote note;
    note.summary =
        subject.isEmpty()
            ? describe(alert.kind)
            : AlertWords::tr("%1: %2", "an alert, a lock or server").arg(describe(alert.kind), subject);
    note.body = describe(alert) + u'\n' + AlertWords::tr("Server: %1").arg(printableServer(server));
    note.urgency = urgencyOf(ruleOf(alert.kind).severity);
    note.openText = AlertWords::tr("Open", "a lock");
    return note;
}

DesktopNote noteOfOthers(qsizetype others, const QStringList &servers)
{
    DesktopNote note;
    note.summary = AlertWords::tr("%n more alert(s)", nullptr, static_cast<int>(others));
    QStringList names;
    for (const QString &server : servers)
        names.append(printableServer(server));
    note.body = AlertWords::tr("Server: %1").arg(names.join(QStringLiteral(", ")));
    note.openText = AlertWords::tr("Open", "a lock");
    return note;
}

} // namespace lockscope
