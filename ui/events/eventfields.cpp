// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventfields.h"

#include "core/base/printable.h"
#include "core/family/registry.h"
#include "core/model/names.h"

#include <QDateTime>

namespace lockscope {

namespace {

/// Beside the text, where that is not the bytes as they are.
QVariant exactBytes(const QByteArray &bytes)
{
    return isValidUtf8(bytes) ? QVariant() : QVariant(QString::fromLatin1(bytes.toBase64()));
}

QVariant textOf(const QByteArray &bytes)
{
    return bytes.isEmpty() ? QVariant() : QVariant(lossless(bytes));
}

/// Of several the first one.
QByteArray ownerOf(const LoggedEvent &logged)
{
    return logged.event.owners.isEmpty() ? QByteArray() : logged.event.owners.first().owner.bytes;
}

constexpr std::array<EventField, eventFieldCount> fields{{
    {"time",
     [](const LoggedEvent &logged) -> QVariant {
         return QDateTime::fromMSecsSinceEpoch(logged.event.wallMs, Qt::UTC).toString(Qt::ISODateWithMs);
     }},
    {"event", [](const LoggedEvent &logged) -> QVariant { return QString::fromLatin1(nameOf(logged.kind)); }},
    {"key", [](const LoggedEvent &logged) { return textOf(logged.event.address.key.bytes); }},
    {"key_base64", [](const LoggedEvent &logged) { return exactBytes(logged.event.address.key.bytes); }},
    {"family",
     [](const LoggedEvent &logged) -> QVariant {
         return logged.kind.isMoment() ? QVariant()
                                       : QVariant(QString::fromLatin1(familyName(logged.event.family)));
     }},
    {"owner", [](const LoggedEvent &logged) { return textOf(ownerOf(logged)); }},
    {"owner_base64", [](const LoggedEvent &logged) { return exactBytes(ownerOf(logged)); }},
    {"holds",
     [](const LoggedEvent &logged) -> QVariant {
         const QList<LockOwner> &owners = logged.event.owners;
         return owners.isEmpty() || !owners.first().holdCount ? QVariant() : *owners.first().holdCount;
     }},
    {"others",
     [](const LoggedEvent &logged) -> QVariant {
         const auto unnamed = logged.event.others + std::max<qsizetype>(logged.event.owners.size() - 1, 0);
         return unnamed > 0 ? QVariant(qint64(unnamed)) : QVariant();
     }},
    {"ttl_ms",
     [](const LoggedEvent &logged) -> QVariant {
         return logged.event.ttl ? QVariant(qint64(logged.event.ttl->count())) : QVariant();
     }},
    {"by",
     [](const LoggedEvent &logged) -> QVariant {
         return logged.kind == EventKind::Forced ? QStringLiteral("this-user") : QVariant();
     }},
    {"text",
     [](const LoggedEvent &logged) -> QVariant { return logged.text.isEmpty() ? QVariant() : logged.text; }},
}};

} // namespace

const std::array<EventField, eventFieldCount> &eventFields()
{
    return fields;
}

QByteArray nameOf(LoggedKind kind)
{
    return kind.isMoment() ? momentName(kind.moment()) : eventName(kind.event());
}

} // namespace lockscope
