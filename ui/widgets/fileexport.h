// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <functional>
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

// The last cells of each record of CSV, which has no other place to say of which recording it is, and of which moment, as the
// head of JSON does. Without `shownMs`, which is in ms since 1970, there are none.
QStringList recordedNames(const std::optional<qint64> &shownMs);
QStringList recordedCells(const QString &server, const std::optional<qint64> &shownMs);

/// A document of `count` elements, in pieces: `head` as it is, then the elements. In JSON the head has an object's members without
/// the brace that closes it, and the elements become its array `name`.
void writeElements(ExportFormat format, QByteArray head, const char *name, qsizetype count,
                   const std::function<QByteArray(qsizetype at)> &element, const ExportSink &write);

/// Writes a file, whole or not at all. Returns what went wrong, for the user; empty: it is written.
QString saveFile(const QString &path, const std::function<void(const ExportSink &write)> &content);
QString saveExport(const FileExport &data, ExportFormat format, const QString &path);

} // namespace lockscope
