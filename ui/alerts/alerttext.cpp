// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/alerts/alerttext.h"

#include "core/base/printable.h"
#include "core/words/alertmessages.h"
#include "core/words/durations.h"
#include "ui/alerts/alertmodel.h"

#include <QCoreApplication>
#include <QDateTime>

#include <array>

namespace lockscope {

namespace {

constexpr qsizetype subjectCodePoints = 80;

struct AlertWords
{
    Q_DECLARE_TR_FUNCTIONS(Alerts)
};

/// Indexed by AlertList::End.
constexpr std::array endTexts{QT_TRANSLATE_NOOP("Alerts", "Ended at %1"),
                              QT_TRANSLATE_NOOP("Alerts", "Not watched since %1"),
                              QT_TRANSLATE_NOOP("Alerts", "Rules changed at %1")};

QString printableServer(const QString &server)
{
    return printable(server.toUtf8(), subjectCodePoints);
}

DesktopNotification noteOf(const QString &summary, const QStringList &servers)
{
    QStringList names;
    for (const QString &server : servers)
        names.append(printableServer(server));
    DesktopNotification note;
    note.summary = summary;
    note.body = AlertWords::tr("Server: %1").arg(names.join(QStringLiteral(", ")));
    note.openText = AlertWords::tr("Open", "a lock");
    return note;
}

/// Returns the lock's key or the lost server; empty if neither is known.
QString subjectOf(const Alert &alert)
{
    return alert.key.isEmpty() ? printableServer(alert.server)
                               : printable(alert.key.bytes, subjectCodePoints);
}

/// Returns "No expiry" or "Many waiters (3 times)".
QString titleOf(const AlertList::Entry &entry, TimePoint)
{
    const QString title = describe(entry.alert.kind);
    const int times = entry.alert.times;
    return times < 2 ? title : AlertWords::tr("%1 (%n times)", "raised again so often", times).arg(title);
}

/// "Open", "Acknowledged at 03:12:07", "Snoozed until 03:27:00", "Ended at 03:20:00".
QString statusOf(const AlertList::Entry &entry, TimePoint)
{
    if (!entry.isOpen())
        return AlertWords::tr(endTexts.at(static_cast<size_t>(entry.end))).arg(alertTime(entry.endedMs));
    if (entry.acknowledgedMs != 0)
        return AlertWords::tr("Acknowledged at %1").arg(alertTime(entry.acknowledgedMs));
    if (!entry.snoozedUntilMs)
        return AlertWords::tr("Open", "an alert");
    return *entry.snoozedUntilMs == AlertSnooze::untilItEnds
               ? AlertWords::tr("Snoozed until it ends")
               : AlertWords::tr("Snoozed until %1").arg(alertTime(*entry.snoozedUntilMs));
}

QString durationOf(const AlertList::Entry &entry, TimePoint now)
{
    if (entry.alert.isMoment())
        return {};
    const TimePoint until = entry.alert.endedAt.value_or(now);
    return describe(std::chrono::duration_cast<milliseconds>(until - entry.alert.raisedAt));
}

constexpr std::array columns{
    AlertColumn{QT_TRANSLATE_NOOP("lockscope::AlertModel", "Alert"), 27, titleOf},
    AlertColumn{QT_TRANSLATE_NOOP("lockscope::AlertModel", "Lock or server"), 26,
                [](const AlertList::Entry &entry, TimePoint) { return subjectOf(entry.alert); }},
    AlertColumn{QT_TRANSLATE_NOOP("lockscope::AlertModel", "Raised at"), 13,
                [](const AlertList::Entry &entry, TimePoint) { return alertTime(entry.raisedMs); }},
    AlertColumn{QT_TRANSLATE_NOOP("lockscope::AlertModel", "Duration"), 12, durationOf},
    AlertColumn{QT_TRANSLATE_NOOP("lockscope::AlertModel", "Status"), 30, statusOf},
    AlertColumn{QT_TRANSLATE_NOOP("lockscope::AlertModel", "Evidence"), 0,
                [](const AlertList::Entry &entry, TimePoint) { return describe(entry.alert); }},
};
static_assert(columns.size() == AlertModel::columns);

} // namespace

std::span<const AlertColumn> alertColumns()
{
    return columns;
}

QString alertTime(qint64 wallMs)
{
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(wallMs);
    return at.toString(at.date() == QDate::currentDate() ? QStringLiteral("HH:mm:ss")
                                                         : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
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

const SeverityLook &lookOf(AlertSeverity severity)
{
    static constexpr std::array looks{
        SeverityLook{Glyph::Octagon, StatusColor::Danger, DesktopNotification::Urgency::Critical},
        SeverityLook{Glyph::Triangle, StatusColor::Warning, DesktopNotification::Urgency::Normal},
        SeverityLook{Glyph::Pulse, StatusColor::Held, DesktopNotification::Urgency::Low}};
    return looks.at(static_cast<size_t>(severity));
}

DesktopNotification noteOf(const Alert &alert, const QString &server)
{
    const QString subject = subjectOf(alert);
    DesktopNotification note = noteOf(
        subject.isEmpty()
            ? describe(alert.kind)
            : AlertWords::tr("%1: %2", "an alert, a lock or server").arg(describe(alert.kind), subject),
        {server});
    note.body.prepend(describe(alert) + u'\n');
    note.urgency = lookOf(ruleOf(alert.kind).severity).urgency;
    return note;
}

DesktopNotification noteOfOthers(qsizetype others, const QStringList &servers)
{
    return noteOf(AlertWords::tr("%n more alert(s)", nullptr, static_cast<int>(others)), servers);
}

} // namespace lockscope
