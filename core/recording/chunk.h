// SPDX-License-Identifier: GPL-3.0-or-later
// The outermost layer of a recording's file: a header, then chunks one behind the other. All numbers are little-endian.
#pragma once

#include "core/redis/error.h"

#include <QByteArray>

#include <optional>

namespace lockscope {

/// Begins each file of a recording.
struct RecordingHeader
{
    static constexpr qsizetype size = 64;
    static constexpr quint16 currentVersion = 2;

    quint16 version = currentVersion;
    bool isAnonymous = false;
    quint64 run = 0;   ///< random: files of one run of a recorder have one clock
    quint32 part = 0;  ///< counts up from 0 within a run
    qint64 wallMs = 0; ///< when the file was begun, epoch ms

    QByteArray toBytes() const;
    /// Nothing where these bytes begin no file of ours; of a newer version only that number is read.
    static std::optional<RecordingHeader> fromBytes(QByteArrayView bytes);
};

/// Why a recording lacks something before a chunk. The numbers are the format's.
enum class GapCause : quint8 {
    None = 0,
    NotRunning = 1,  ///< nobody recorded
    Overrun = 2,     ///< more happened than could be written
    WriteFailed = 3, ///< the disk was full, or the like
    // Told by the reader alone:
    Damaged = 4,    ///< bytes of the file are not as they were written
    NotWatched = 5, ///< the locks were not known: no connection, or not all was read since there is one
};

/// What stands before a chunk's content. Times are ms since the run began, by a clock that nobody sets.
struct ChunkHeader
{
    enum class Type : quint8 {
        Keyframe = 1, ///< everything that is known; nothing before it is needed
        Changes = 2,  ///< what came after the chunk before it
        Quiet = 3,    ///< nothing did, until `last`; always the file's end, and overwritten by what comes
    };
    static constexpr qsizetype size = 80;
    /// The most that the streams of a chunk take before they are compressed, and after.
    static constexpr quint32 mostNumbers = 128U << 20;
    static constexpr quint32 mostTexts = 256U << 20;
    static constexpr qint64 notConfirmed = -1;

    Type type = Type::Quiet;
    bool isWatched = false; ///< from its first moment on all locks are known: Watching::isCurrent()
    GapCause gap = GapCause::None;
    qint64 first = 0;
    qint64 last = 0;
    qint64 wallMs = 0;               ///< at `first`, epoch ms
    qint64 confirmed = notConfirmed; ///< everything known was true then
    quint32 events = 0;
    quint32 lost = 0;                       ///< events in the gap
    quint32 place = 0;                      ///< in its segment; the keyframe's is 0
    quint32 numbers = 0, packedNumbers = 0; ///< bytes of both streams, and compressed
    quint32 texts = 0, packedTexts = 0;

    qint64 contentSize() const { return qint64(packedNumbers) + packedTexts; }
    QByteArray toBytes() const;
    /// Nothing where this is no whole header.
    static std::optional<ChunkHeader> fromBytes(QByteArrayView bytes);
    static constexpr QByteArrayView mark = "LkCh"; ///< its first bytes: what is looked for behind damage
};

/// A chunk's content.
struct ChunkStreams
{
    QByteArray numbers;
    QByteArray texts;
};

/// Compresses the streams, and sets their sizes in `header`. With a checksum each.
QByteArray pack(const ChunkStreams &streams, ChunkHeader &header);
/// Nothing where these are not the bytes that were packed.
std::optional<ChunkStreams> unpack(const ChunkHeader &header, QByteArrayView content);

/// An Error of a recording; the sentence says which file.
template <typename... Arguments>
tl::unexpected<Error> recordingFailed(const char *why, const Arguments &...arguments)
{
    return failedWith(ErrorKind::RecordingFailed, why, arguments...);
}
tl::unexpected<Error> recordingFailed(const QString &path, int systemError);

} // namespace lockscope
