// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fileexport.h"

#include "core/base/csv.h"
#include "core/base/printable.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

struct Words
{
    Q_DECLARE_TR_FUNCTIONS(lockscope::FileExport)
};

constexpr qsizetype pieceSize = 64 * 1024;

QByteArray compact(const QJsonObject &object)
{
    return escapedJson(QJsonDocument(object).toJson(QJsonDocument::Compact));
}

QJsonObject membersOf(const ExportElements::Element &element, const QStringList &names)
{
    QJsonObject members = element.members;
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (const QVariant &value = element.values[i]; value.typeId() == QMetaType::QByteArray)
            insertBytes(members, names[i], value.toByteArray());
        else if (value.isValid())
            members.insert(names[i], QJsonValue::fromVariant(value));
    }
    return members;
}

/// Escapes control and bidirectional characters.
QStringList cellsOf(const ExportElements::Element &element)
{
    QStringList cells;
    for (const QVariant &value : element.values) {
        const QByteArray bytes = value.toByteArray();
        cells << printable(bytes, bytes.size());
    }
    return cells;
}

QString notWritten(const QString &path, const QString &why)
{
    return Words::tr("%1 was not written: %2. Choose another place.").arg(printable(path.toUtf8()), why);
}

} // namespace

QString suggestedName(const QString &what, const QString &server, qint64 wallMs)
{
    static const QRegularExpression unfit(QStringLiteral("[^A-Za-z0-9._]+"));
    const QString name = QString(server).replace(unfit, QStringLiteral("-")).left(40);
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(wallMs);
    return QStringLiteral("%1-%2-%3").arg(what, name, at.toString(QStringLiteral("yyyyMMdd-HHmm")));
}

void writeElements(const ExportHead &head, QJsonObject more, const ExportElements &elements,
                   ExportFormat format, const ExportSink &write)
{
    const bool isJson = format == ExportFormat::Json;
    more[QStringLiteral("server_label")] = head.server;
    more[QStringLiteral("exported_at")] = head.wallMs;
    more[QStringLiteral("filter")] = head.filter;
    more[QStringLiteral("count")] = elements.count;
    QStringList names = elements.fields, recorded;
    if (head.shownMs) {
        more[QStringLiteral("recorded_at")] = *head.shownMs;
        names << QStringLiteral("server_label") << QStringLiteral("recorded_at");
        recorded << head.server << QString::number(*head.shownMs);
    }
    QByteArray piece = csv::byteOrderMark + csv::record(names);
    if (isJson) {
        piece = compact(more);
        piece.chop(1); // the brace that closes it
        piece += QByteArray(",\"") + elements.name + "\":[";
    }
    for (qsizetype at = 0; at < elements.count; ++at) {
        const ExportElements::Element element = elements.element(at);
        if (isJson)
            piece += (at == 0 ? "\n" : ",\n") + compact(membersOf(element, elements.fields));
        else
            piece += csv::record(cellsOf(element) + recorded);
        if (piece.size() >= pieceSize && !write(std::exchange(piece, {})))
            return;
    }
    if (isJson)
        piece += "\n]}\n";
    write(piece);
}

QString saveFile(const QString &path, const std::function<void(const ExportSink &write)> &content)
{
    // It would be replaced by a file: root may do that to a device.
    if (const QFileInfo there(path); there.exists() && !there.isFile())
        return notWritten(path, Words::tr("it is not a regular file"));
    QSaveFile file(path);
    bool isWritten = file.open(QIODevice::WriteOnly);
    if (isWritten)
        content([&](const QByteArray &piece) {
            // A full disk takes a part first; the next write says why it takes no more.
            for (QByteArrayView rest = piece; isWritten && !rest.isEmpty();) {
                const qint64 taken = file.write(rest.data(), rest.size());
                isWritten = taken > 0;
                rest = rest.sliced(std::max<qint64>(taken, 0));
            }
            return isWritten;
        });
    isWritten = isWritten && (file.flush() || file.flush());
    const QString why = file.errorString();
    if (isWritten && file.commit())
        return {};
    return notWritten(path, isWritten ? file.errorString() : why);
}

QString saveExport(const FileExport &data, ExportFormat format, const QString &path)
{
    return saveFile(path, [&](const ExportSink &write) { data.write(format, write); });
}

} // namespace lockscope
