// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventexport.h"

#include "core/base/csv.h"
#include "core/base/printable.h"
#include "ui/events/eventfields.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::EventExport)
};

QByteArray compact(const QJsonObject &object)
{
    return escapedJson(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

/// What an event has not is left out.
QByteArray jsonOf(const LoggedEvent &logged)
{
    QJsonObject object;
    for (const EventField &field : eventFields()) {
        if (const QVariant value = field.value(logged); value.isValid())
            object.insert(QLatin1String(field.name), QJsonValue::fromVariant(value));
    }
    return compact(object);
}

/// Without characters that a terminal obeys or that turn others around.
QString onOneLine(const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    return printable(bytes, bytes.size());
}

QByteArray recordOf(const EventExport &data, const LoggedEvent &logged)
{
    QStringList cells;
    for (const EventField &field : eventFields())
        cells << onOneLine(field.value(logged).toString());
    return csv::record(cells + recordedCells(data.server, data.shownMs));
}

QByteArray csvHead(const EventExport &data)
{
    QStringList names;
    for (const EventField &field : eventFields())
        names << QLatin1String(field.name);
    return csv::byteOrderMark + csv::record(names + recordedNames(data.shownMs));
}

/// The members besides the events, without the brace that closes them.
QByteArray documentHead(const EventExport &data)
{
    QJsonObject head{
        {QStringLiteral("server_label"), data.server}, {QStringLiteral("exported_at"), data.wallMs},
        {QStringLiteral("filter"), data.words},        {QStringLiteral("kept"), data.kept},
        {QStringLiteral("dropped"), data.dropped},     {QStringLiteral("count"), data.rows.size()}};
    QJsonArray hidden;
    for (const QByteArray &kind : data.hiddenKinds)
        hidden.append(QString::fromLatin1(kind));
    head.insert(QStringLiteral("hidden_kinds"), hidden);
    if (data.shownMs)
        head[QStringLiteral("recorded_at")] = *data.shownMs;
    if (data.only)
        insertBytes(head, QStringLiteral("only_key"), data.only->bytes);
    QByteArray text = compact(head);
    text.chop(1);
    return text;
}

} // namespace

void writeExport(const EventExport &data, ExportFormat format, const ExportSink &write)
{
    const bool isJson = format == ExportFormat::Json;
    writeElements(
        format, isJson ? documentHead(data) : csvHead(data), "events", data.rows.size(),
        [&](qsizetype at) { return isJson ? jsonOf(data.rows[at]) : recordOf(data, data.rows[at]); }, write);
}

FileExport fileExport(const EventExport &data)
{
    const auto events = static_cast<int>(data.rows.size());
    return {Words::tr("Export %n event(s)", nullptr, events),
            suggestedName(QStringLiteral("events"), data.server, data.shownMs.value_or(data.wallMs)),
            Words::tr("%1 event(s) written to %2", nullptr, events)
                .arg(QLocale().toString(events), QStringLiteral("%1")),
            [data](ExportFormat format, const ExportSink &write) { writeExport(data, format, write); }};
}

} // namespace lockscope
