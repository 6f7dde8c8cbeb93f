// SPDX-License-Identifier: GPL-3.0-or-later
// A recording of anybody: read whole, and at some moments, without harm, and in bounded memory. The input's first byte says
// whether it is a file, or what chunks hold whose checksums are right, which no random change finds.
#include "core/recording/recording.h"
#include "tests/fuzz/target.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

using namespace lockscope;

namespace {

/// Two bytes say how many of the rest are numbers.
QByteArray chunkOf(ChunkHeader header, QByteArrayView input)
{
    const qsizetype wanted = input.size() < 2 ? 0 : quint8(input[0]) + 256 * quint8(input[1]);
    const QByteArrayView content = input.sliced(std::min<qsizetype>(input.size(), 2));
    const qsizetype numbers = std::min(wanted, content.size());
    header.events = static_cast<quint32>(numbers);
    const QByteArray packed =
        pack({content.first(numbers).toByteArray(), content.sliced(numbers).toByteArray()}, header);
    return header.toBytes() + packed;
}

/// Twice the same: what the second one refers to is there.
QByteArray fileOf(QByteArrayView input)
{
    ChunkHeader keyframe;
    keyframe.type = ChunkHeader::Type::Keyframe;
    keyframe.last = 100'000;
    ChunkHeader changes;
    changes.type = ChunkHeader::Type::Changes;
    changes.first = 100'000;
    changes.last = 200'000;
    changes.place = 1;
    return RecordingHeader().toBytes() + chunkOf(keyframe, input) + chunkOf(changes, input);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const QTemporaryDir directory(QStringLiteral("/dev/shm/fuzz-XXXXXX"));
    static const QString path = directory.filePath(QStringLiteral("recording"));
    if (size == 0)
        return 0;
    const QByteArrayView input = bytesOf(data, size).sliced(1);
    {
        QFile file(path);
        insist(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(data[0] & 1 ? input.toByteArray() : fileOf(input));
    }
    auto recording = Recording::open(path);
    if (!recording)
        return 0;
    const milliseconds length = recording->length();
    insist(length >= milliseconds(0));
    for (const milliseconds moment : {milliseconds(0), length / 2, length})
        insist(recording->pictureAt(moment, TimePoint(std::chrono::hours(24))).wallMs ==
               recording->wallAt(moment));
    RecordingCursor cursor(*recording, milliseconds(0), TimePoint());
    while (cursor.next()) {
    }
    recording->check();
    for (const RecordingGap &gap : recording->gaps())
        insist(gap.from <= gap.to && gap.to <= length);
    return 0;
}
