// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recordingparts.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace lockscope {

namespace {

/// The files that are parts by their name, oldest first.
QList<RecordingPart> namedParts(const QString &path)
{
    static const QRegularExpression ending(QStringLiteral("^\\.(\\d{6,9})-\\d{8}T\\d{6}Z$"));
    const QFileInfo base(path);
    QList<RecordingPart> parts;
    for (const QFileInfo &file : base.dir().entryInfoList(QDir::Files | QDir::Hidden | QDir::NoSymLinks)) {
        if (!file.fileName().startsWith(base.fileName()))
            continue;
        const auto match = ending.match(file.fileName().sliced(base.fileName().size()));
        if (match.hasMatch())
            parts.append({file.filePath(), match.captured(1).toUInt(), file.size()});
    }
    std::ranges::sort(parts, {}, &RecordingPart::number);
    return parts;
}

} // namespace

QList<RecordingPart> recordingParts(const QString &path)
{
    QList<RecordingPart> parts = namedParts(path);
    parts.removeIf([](const RecordingPart &part) { return !readRecordingHeader(part.path); });
    return parts;
}

Result<void> refuseNewerParts(const QString &path)
{
    for (const RecordingPart &part : namedParts(path)) {
        QFile file(part.path);
        const bool isOpen = file.open(QIODevice::ReadOnly);
        const auto header =
            RecordingHeader::fromBytes(isOpen ? file.read(RecordingHeader::size) : QByteArray());
        if (header && header->version > RecordingHeader::currentVersion)
            return tl::unexpected(readRecordingHeader(part.path).error());
    }
    return {};
}

QString recordingPartPath(const QString &path, quint32 number, qint64 wallMs)
{
    const QString moment =
        QDateTime::fromMSecsSinceEpoch(wallMs, Qt::UTC).toString(QStringLiteral("yyyyMMdd'T'HHmmss'Z'"));
    return QStringLiteral("%1.%2-%3").arg(path).arg(number, 6, 10, QLatin1Char('0')).arg(moment);
}

Result<RecordingHeader> readRecordingHeader(const QString &path)
{
    QFile file(path);
    if (QFileInfo(path).exists() && !QFileInfo(path).isFile()) // reading a FIFO would wait for its other end
        return recordingFailed(QT_TRANSLATE_NOOP("phrases", "%1 is not a regular file."), path);
    if (!file.open(QIODevice::ReadOnly))
        return recordingFailed("%1: %2", path, file.errorString());
    const auto header = RecordingHeader::fromBytes(file.read(RecordingHeader::size));
    if (!header)
        return recordingFailed(QT_TRANSLATE_NOOP("phrases", "%1 is not a Lockscope recording."), path);
    if (header->version > RecordingHeader::currentVersion)
        return recordingFailed(
            QT_TRANSLATE_NOOP(
                "phrases",
                "A newer Lockscope wrote %1: format %2, and this one reads up to %3. Update Lockscope."),
            path, header->version, RecordingHeader::currentVersion);
    return *header;
}

} // namespace lockscope
