// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/auditmodel.h"

#include "core/act/actionnames.h"
#include "core/base/printable.h"
#include "core/table/locktext.h"
#include "core/words/messages.h"
#include "core/words/texts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/plaintext.h"

#include <QDateTime>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype longestCell = 200;
constexpr qsizetype longestDetails = 4000;
constexpr qsizetype maxOwners = 5;

QString field(const QJsonObject &record, const char *name)
{
    return record.value(QLatin1String(name)).toString();
}

QString shown(const QString &text)
{
    return printable(text.toUtf8(), longestCell);
}

QDateTime askedAt(const AuditLog::Request &request)
{
    return QDateTime::fromString(field(request.asked, "time"), Qt::ISODateWithMs).toLocalTime();
}

QString holdsText(const QJsonValue &holds)
{
    return AuditModel::tr("hold count: %1").arg(QLocale().toString(holds.toInteger()));
}

QString timeLeftText(const QJsonValue &ttlMs)
{
    return AuditModel::tr("time left: %1").arg(countdown(milliseconds(ttlMs.toInteger())));
}

QString ownersText(const QJsonObject &asked)
{
    const QString action = field(asked, "action");
    const bool isForWaiter = action == QLatin1String("remove-waiter") || action == QLatin1String("wake");
    const QString owner = isForWaiter ? QString() : field(asked, "owner");
    if (!owner.isEmpty())
        return owner;
    const QJsonObject seen = asked.value(QLatin1String("seen")).toObject();
    const QJsonArray expected = isForWaiter ? seen.value(QLatin1String("owners")).toArray()
                                            : asked.value(QLatin1String("expected")).toArray();
    const QString first = field(expected.first().toObject(), "owner");
    return expected.size() < 2 ? first
                               : Texts::tr("%1 and %2 more").arg(first, QString::number(expected.size() - 1));
}

QString actionText(const QString &recorded)
{
    static const std::pair<const char *, const char *> words[] = {
        {"acquire", QT_TRANSLATE_NOOP("lockscope::AuditModel", "Acquire")},
        {"release", QT_TRANSLATE_NOOP("lockscope::AuditModel", "Release")},
        {"extend", QT_TRANSLATE_NOOP("lockscope::AuditModel", "Extend")},
        {"force-expire", QT_TRANSLATE_NOOP("lockscope::AuditModel", "Force-expire")},
        {"remove-waiter", QT_TRANSLATE_NOOP("lockscope::AuditModel", "Remove waiter")},
        {"wake", QT_TRANSLATE_NOOP("lockscope::AuditModel", "Wake queue")},
        {"probe", QT_TRANSLATE_NOOP("lockscope::AuditModel", "Probe")}};
    for (const auto &[name, word] : words) {
        if (recorded == QLatin1String(name))
            return AuditModel::tr(word);
    }
    return shown(recorded);
}

/// Uses the words of the window; those of the file, if this version does not know them.
QString outcomeText(const AuditLog::Request &request)
{
    if (!request.completed) {
        const QDateTime at = askedAt(request);
        const qint64 age = at.msecsTo(QDateTime::currentDateTime());
        return at.isValid() && age >= 0 && age < AuditModel::underWay.count()
                   ? AuditModel::tr("not recorded yet")
                   : AuditModel::tr("not recorded; possibly carried out");
    }
    QString outcome = field(*request.completed, "outcome");
    ActionResult result;
    const auto action = actionName.valueOf(field(request.asked, "action").toUtf8());
    if (const auto known = outcomeName.valueOf(outcome.toUtf8()); known && action) {
        result.action = *action;
        result.outcome = *known;
        outcome = describe(result);
    }
    if (const QJsonValue status = request.completed->value(QLatin1String("exit_status")); status.isDouble())
        outcome = Texts::tr("exit %1", "of a program, with its status").arg(status.toInt());
    const QString error = field(*request.completed, "error");
    return error.isEmpty() ? outcome : outcome + QStringLiteral(": ") + error;
}

/// Returns "owner: anna, hold count: 2" for a recorded owner.
QString ownerLine(const QJsonObject &owner)
{
    QString line = AuditModel::tr("owner: %1").arg(shown(field(owner, "owner")));
    if (const QJsonValue holds = owner.value(QLatin1String("holds")); holds.isDouble())
        line += QStringLiteral(", ") + holdsText(holds);
    return line;
}

/// Describes the lock as recorded, one line per field; omits what is missing.
QString lockText(const QJsonValue &recorded)
{
    const QJsonObject lock = recorded.toObject();
    if (lock.isEmpty())
        return Texts::tr("not recorded");
    QStringList lines;
    const QJsonArray owners = lock.value(QLatin1String("owners")).toArray();
    for (qsizetype i = 0; i < std::min(owners.size(), maxOwners); ++i)
        lines << ownerLine(owners.at(i).toObject());
    if (owners.size() > maxOwners)
        lines << Texts::tr("owners: %1").arg(owners.size());
    if (owners.isEmpty())
        lines << AuditModel::tr("no owner recorded");
    if (const QJsonValue ttl = lock.value(QLatin1String("ttl_ms")); ttl.isDouble())
        lines << timeLeftText(ttl);
    return lines.join(u'\n');
}

/// Describes the state in the answer: the lock may have changed right after.
QString afterText(const AuditLog::Request &request)
{
    QStringList lines{shown(outcomeText(request))};
    if (!request.completed)
        return lines.first();
    const QJsonObject &answer = *request.completed;
    if (const QJsonValue holds = answer.value(QLatin1String("holds")); holds.isDouble())
        lines << holdsText(holds);
    if (const QJsonValue ttl = answer.value(QLatin1String("ttl_ms")); ttl.isDouble())
        lines << timeLeftText(ttl);
    const QJsonObject found = answer.value(QLatin1String("found")).toObject();
    if (found.contains(QLatin1String("owners")))
        lines << AuditModel::tr("The recheck found:") << lockText(found);
    return lines.join(u'\n');
}

QString linesOf(QJsonObject record)
{
    for (const char *name :
         {"seq", "phase", "prev", "request", "action", "key", "key_base64", "user", "host"})
        record.remove(QLatin1String(name));
    QStringList lines;
    for (auto field = record.constBegin(); field != record.constEnd(); ++field) {
        // A value alone is no document: in an array, whose brackets are taken off.
        const QByteArray json =
            escapedJson(QJsonDocument(QJsonArray{field.value()}).toJson(QJsonDocument::Compact));
        lines << printable(field.key().toUtf8(), longestCell) + QStringLiteral(": ") +
                     QString::fromUtf8(json.mid(1, json.size() - 2));
    }
    return lines.join(u'\n').left(longestDetails);
}

} // namespace

QString idOf(const AuditLog::Request &request)
{
    return field(request.asked, "request");
}

LockKey keyOf(const AuditLog::Request &request)
{
    const QString encoded = field(request.asked, "key_base64");
    return LockKey(encoded.isEmpty() ? field(request.asked, "key").toUtf8()
                                     : QByteArray::fromBase64(encoded.toLatin1()));
}

QString detailsOf(const AuditLog::Request &request)
{
    const QString outcome = request.completed ? linesOf(*request.completed) : outcomeText(request);
    return AuditModel::tr("Before, as last seen") + u'\n' +
           lockText(request.asked.value(QLatin1String("seen"))) + QStringLiteral("\n\n") +
           AuditModel::tr("After, as the server answered") + u'\n' + afterText(request) +
           QStringLiteral("\n\n") + Texts::tr("Outcome") + u'\n' + outcome + QStringLiteral("\n\n") +
           AuditModel::tr("Request") + u'\n' + linesOf(request.asked);
}

void AuditModel::setRequests(QList<AuditLog::Request> requests)
{
    beginResetModel();
    m_requests = std::move(requests);
    endResetModel();
}

int AuditModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_requests.size());
}

int AuditModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString AuditModel::text(const AuditLog::Request &request, Column column) const
{
    switch (column) {
    case Column::Time: {
        const QDateTime at = askedAt(request);
        if (!at.isValid())
            return shown(field(request.asked, "time"));
        return at.toString(at.date() == QDate::currentDate() ? QStringLiteral("HH:mm:ss")
                                                             : QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    }
    case Column::Action:
        return actionText(field(request.asked, "action"));
    case Column::Key:
        return printable(keyOf(request).bytes, longestCell);
    case Column::Owner:
        return shown(ownersText(request.asked));
    case Column::Outcome:
        return shown(outcomeText(request));
    case Column::User:
        return shown(field(request.asked, "user") + u'@' + field(request.asked, "host"));
    case Column::Server:
        return shown(field(request.asked, "server"));
    }
    return {};
}

QVariant AuditModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const AuditLog::Request &request = m_requests.at(index.row());
    const auto column = static_cast<Column>(index.column());
    if (role == Qt::DisplayRole)
        return text(request, column);
    if (role == Qt::ToolTipRole)
        return plainToolTip(column == Column::Time ? shown(field(request.asked, "time")) // in UTC, exact
                                                   : text(request, column));
    if (role == Qt::ForegroundRole && column == Column::Outcome && !request.completed)
        return textColor(StatusColor::Warning, QGuiApplication::palette());
    return {};
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns || role != Qt::DisplayRole)
        return {};
    const QString titles[] = {Texts::tr("Time"),  Texts::tr("Action"),  Texts::tr("Key"),
                              Texts::tr("Owner"), Texts::tr("Outcome"), Texts::tr("User"),
                              Texts::tr("Server")};
    static_assert(std::size(titles) == columns);
    return titles[section];
}

} // namespace lockscope
