// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventexport.h"

#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/model/names.h"
#include "core/words/texts.h"

#include <QDateTime>
#include <QJsonArray>
#include <QLocale>

#include <array>

namespace lockscope {

namespace {

/// Returns Base64 of bytes that are no valid UTF-8; otherwise nothing.
QVariant exactBytes(const QByteArray &bytes)
{
    return isValidUtf8(bytes) ? QVariant() : QVariant(QString::fromLatin1(bytes.toBase64()));
}

QVariant textOf(const QByteArray &bytes)
{
    return bytes.isEmpty() ? QVariant() : QVariant(lossless(bytes));
}

QByteArray ownerOf(const LoggedEvent &logged)
{
    return logged.event.owners.isEmpty() ? QByteArray() : logged.event.owners.first().owner.bytes;
}

using Logged = const LoggedEvent &;

constexpr auto eventTable = std::to_array<ExportField<LoggedEvent>>({
    {"time",
     [](Logged logged) -> QVariant {
         return QDateTime::fromMSecsSinceEpoch(logged.event.wallMs, Qt::UTC).toString(Qt::ISODateWithMs);
     }},
    {"event", [](Logged logged) -> QVariant { return QString::fromLatin1(nameOf(logged.kind)); }},
    {"key", [](Logged logged) { return textOf(logged.event.address.key.bytes); }},
    {"key_base64", [](Logged logged) { return exactBytes(logged.event.address.key.bytes); }},
    {"family",
     [](Logged logged) -> QVariant {
         return logged.kind.isMoment() ? QVariant()
                                       : QVariant(QString::fromLatin1(familyName(logged.event.family)));
     }},
    {"owner", [](Logged logged) { return textOf(ownerOf(logged)); }},
    {"owner_base64", [](Logged logged) { return exactBytes(ownerOf(logged)); }},
    {"holds",
     [](Logged logged) -> QVariant {
         const QList<LockOwner> &owners = logged.event.owners;
         return owners.isEmpty() || !owners.first().holdCount ? QVariant() : *owners.first().holdCount;
     }},
    {"others",
     [](Logged logged) -> QVariant {
         const auto unnamed = logged.event.others + std::max<qsizetype>(logged.event.owners.size() - 1, 0);
         return unnamed > 0 ? QVariant(qint64(unnamed)) : QVariant();
     }},
    {"ttl_ms",
     [](Logged logged) -> QVariant {
         return logged.event.ttl ? QVariant(qint64(logged.event.ttl->count())) : QVariant();
     }},
    {"by",
     [](Logged logged) -> QVariant {
         return logged.kind == EventKind::Forced ? QStringLiteral("this-user") : QVariant();
     }},
    {"possible",
     [](Logged logged) -> QVariant {
         QByteArrayList ends;
         for (const EventKind end : logged.event.possible.list())
             ends << eventName(end);
         return ends.isEmpty() ? QVariant() : QString::fromLatin1(ends.join('|'));
     }},
    {"text", [](Logged logged) -> QVariant { return logged.text.isEmpty() ? QVariant() : logged.text; }},
});

} // namespace

std::span<const ExportField<LoggedEvent>> eventFields()
{
    return eventTable;
}

QByteArray nameOf(LoggedKind kind)
{
    return kind.isMoment() ? momentName(kind.moment()) : eventName(kind.event());
}

void writeExport(const EventExport &data, ExportFormat format, const ExportSink &write)
{
    QJsonArray hidden;
    for (const QByteArray &kind : data.hiddenKinds)
        hidden.append(QString::fromLatin1(kind));
    QJsonObject head{{QStringLiteral("kept"), data.kept},
                     {QStringLiteral("dropped"), data.dropped},
                     {QStringLiteral("hidden_kinds"), hidden}};
    if (data.only)
        insertBytes(head, QStringLiteral("only_key"), data.only->bytes);
    const auto element = [&](qsizetype at) -> ExportElements::Element {
        return {valuesOf(eventTable, data.rows[at], format), {}};
    };
    writeElements(data, head, {"events", namesOf(eventTable), data.rows.size(), element}, format, write);
}

FileExport fileExport(const EventExport &data)
{
    const auto events = static_cast<int>(data.rows.size());
    return {Texts::tr("Export %n event(s)", nullptr, events),
            suggestedName(QStringLiteral("events"), data.server, data.shownMs.value_or(data.wallMs)),
            Texts::tr("%1 event(s) written to %2", nullptr, events)
                .arg(QLocale().toString(events), QStringLiteral("%1")),
            [data](ExportFormat format, const ExportSink &write) { writeExport(data, format, write); }};
}

} // namespace lockscope
