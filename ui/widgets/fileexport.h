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

/// Takes a file piece by piece. False: it takes no more.
using ExportSink = std::function<bool(const QByteArray &piece)>;

/// What is written to a file that the user names. A value: it is written on another thread.
struct FileExport
{
    QString title;   ///< of the dialog that asks for the file
    QString name;    ///< of the file, suggested, without its suffix
    QString written; ///< what is told afterwards; %1 is the file
    std::function<void(ExportFormat format, const ExportSink &write)> write;
};

/// "locks-shop-20260131-1405". `wallMs`: since 1970; of a recording, the moment that is shown.
QString suggestedName(const QString &what, const QString &server, qint64 wallMs);

/// What every export says of itself.
struct ExportHead
{
    QString server;                ///< what the user calls it
    QString filter;                ///< as typed; empty: none
    qint64 wallMs = 0;             ///< when it was made, epoch ms
    std::optional<qint64> shownMs; ///< of a recording: the moment that is shown, epoch ms
};

/// A field of each element: a member of JSON, and a column of CSV.
template <typename Element>
struct ExportField
{
    const char *name; ///< read by programs: never translated, never changed
    /// Bytes, text, a number or a truth. Null, as nullptr is: not known. Invalid: JSON has no such member. Both are empty in CSV.
    QVariant (*value)(const Element &element);
    bool isInJson = true; ///< false: JSON says it in a form of its own
};

/// What is written besides the head.
struct ExportElements
{
    struct Element
    {
        QVariantList values; ///< of the fields
        QJsonObject members; ///< of JSON, besides these
    };

    const char *name; ///< of the array in JSON
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

/// Gives the file to `write`, piece by piece, until that returns false. `more`: what the head of JSON has besides `head` and the
/// count. CSV has no other place to say of which recording it is, and of which moment, than the last cells of each record.
void writeElements(const ExportHead &head, QJsonObject more, const ExportElements &elements,
                   ExportFormat format, const ExportSink &write);

/// Writes a file, whole or not at all. Returns what went wrong, for the user; empty: it is written.
QString saveFile(const QString &path, const std::function<void(const ExportSink &write)> &content);
QString saveExport(const FileExport &data, ExportFormat format, const QString &path);

} // namespace lockscope
