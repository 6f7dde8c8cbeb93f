// SPDX-License-Identifier: GPL-3.0-or-later
// The outermost layer of a recording's file: a header, then chunks. All numbers are little-endian.
#pragma once

#include "core/redis/error.h"

#include <QByteArray>

#include <optional>

namespace lockscope {

/// The header of each file of a recording.
struct RecordingHeader
{
    static constexpr qsizetype size = 64;
    static constexpr quint16 currentVersion = 2;

    quint16 version = currentVersion;
    bool isAnonymous = false;
    quint64 run = 0;   ///< random: all files of one run share a clock
    quint32 part = 0;  ///< from 0 within a run
    qint64 wallMs = 0; ///< begin of the file, epoch ms

    QByteArray toBytes() const;
    /// Absent if the bytes are no such header; of a newer version, only the number is read.
    static std::optional<RecordingHeader> fromBytes(QByteArrayView bytes);
};

/// The cause of missing data before a chunk. The numbers are part of the format.
enum class GapCause : quint8 {
    None = 0,
    NotRunning = 1,
    Overrun = 2,     ///< more events than could be written
    WriteFailed = 3, ///< disk full or similar
    // Only reported by the reader:
    Damaged = 4,    ///< bytes of the file have changed
    NotWatched = 5, ///< the locks were not known: no connection, or not all read since it was made
};

/// The header of a chunk. Times are ms since the run began, by the steady clock.
struct ChunkHeader
{
    enum class Type : quint8 {
        Keyframe = 1, ///< full state; independent of earlier chunks
        Changes = 2,
        Quiet = 3, ///< no changes until `last`; always the last chunk, and overwritten
    };
    static constexpr qsizetype size = 80;
    /// The limit for a chunk's streams, before and after compression.
    static constexpr quint32 maxNumbers = 128U << 20;
    static constexpr quint32 maxTexts = 256U << 20;
    static constexpr qint64 notConfirmed = -1;

    Type type = Type::Quiet;
    bool isWatched = false; ///< all locks are known from `first` on: WatchState::isCurrent()
    GapCause gap = GapCause::None;
    qint64 first = 0;
    qint64 last = 0;
    qint64 wallMs = 0;               ///< at `first`, epoch ms
    qint64 confirmed = notConfirmed; ///< all data was current then
    quint32 events = 0;
    quint32 lost = 0;                       ///< number of events in the gap
    quint32 place = 0;                      ///< in its segment; 0: the keyframe
    quint32 numbers = 0, packedNumbers = 0; ///< bytes of both streams, plain and compressed
    quint32 texts = 0, packedTexts = 0;

    qint64 contentSize() const { return qint64(packedNumbers) + packedTexts; }
    QByteArray toBytes() const;
    /// Absent if the bytes are no complete header.
    static std::optional<ChunkHeader> fromBytes(QByteArrayView bytes);
    static constexpr QByteArrayView mark = "LkCh"; ///< first bytes, searched for after damage
};

struct ChunkStreams
{
    QByteArray numbers;
    QByteArray texts;
};

/// Compresses the streams with a checksum each, and sets their sizes in `header`.
QByteArray pack(const ChunkStreams &streams, ChunkHeader &header);
/// Absent if the bytes were changed.
std::optional<ChunkStreams> unpack(const ChunkHeader &header, QByteArrayView content);

/// An Error for a recording; the sentence names the file.
template <typename... Arguments>
tl::unexpected<Error> recordingFailed(const char *why, const Arguments &...arguments)
{
    return failedWith(ErrorKind::RecordingFailed, why, arguments...);
}
tl::unexpected<Error> recordingFailed(const QString &path, int systemError);

} // namespace lockscope
