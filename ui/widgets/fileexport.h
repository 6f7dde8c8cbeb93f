// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QVariant>

#include <functional>
#include <iterator>
#include <optional>

namespace lockscope {

enum class ExportFormat : quint8 { Json, Csv };

/// Receives a file piece by piece. Returns false to stop.
using ExportSink = std::function<bool(const QByteArray &piece)>;

/// An export to a file that the user chooses. A value: it is written on another thread.
struct FileExport
{
    QString title;
    QString name;    ///< suggested, without suffix
    QString written; ///< message after success; %1 is the file
    std::function<void(ExportFormat format, const ExportSink &write)> write;
};

/// Returns a name such as "locks-shop-20260131-1405". `wallMs`: epoch ms.
QString suggestedName(const QString &what, const QString &server, qint64 wallMs);

struct ExportHead
{
    QString server;                ///< given by the user
    QString filter;                ///< typed text; empty: none
    qint64 wallMs = 0;             ///< time of the export, epoch ms
    std::optional<qint64> shownMs; ///< recordings only: the shown moment, epoch ms
};

/// A field of each element: a JSON member and a CSV column.
template <typename Element>
struct ExportField
{
    const char *name; ///< read by programs: never translated or changed
    /// Returns bytes, text, number or bool; null (nullptr): unknown; invalid: not in JSON. CSV: both empty.
    QVariant (*value)(const Element &element);
    bool isInJson = true; ///< false: JSON has another form of it
};

struct ExportElements
{
    struct Element
    {
        QVariantList values; ///< one per field
        QJsonObject members; ///< additional JSON members
    };

    const char *name; ///< name of the JSON array
    QStringList fields;
    qsizetype count;
    std::function<Element(qsizetype at)> element;
};

template <typename Fields>
QStringList namesOf(const Fields &fields)
{
    QStringList names;
    for (const auto &field : fields)
        names << QLatin1String(field.name);
    return names;
}

template <typename Fields, typename Element>
QVariantList valuesOf(const Fields &fields, const Element &element, ExportFormat format)
{
    QVariantList values;
    values.reserve(std::ssize(fields));
    for (const auto &field : fields)
        values << (format == ExportFormat::Csv || field.isInJson ? field.value(element) : QVariant());
    return values;
}

/// Passes the file to `write` piece by piece, until it returns false. `more`: additional JSON header members.
/// In CSV of a recording, each record ends with the server and the moment.
void writeElements(const ExportHead &head, QJsonObject more, const ExportElements &elements,
                   ExportFormat format, const ExportSink &write);

/// Writes a file completely or not at all. Returns the error for the user; empty on success.
QString saveFile(const QString &path, const std::function<void(const ExportSink &write)> &content);
QString saveExport(const FileExport &data, ExportFormat format, const QString &path);

} // namespace lockscope
