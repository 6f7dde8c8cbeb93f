// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/chunk.h"

#include <QString>
#include <QtEndian>

#include <cstring>
#include <memory>

#include <zstd.h>

namespace lockscope {

namespace {

constexpr QByteArrayView recordingMark = "LOCKREC\n";
/// Fast enough for a hundred times a server's changes, and near the best compression.
constexpr int packingLevel = 5;

/// Writes or reads consecutive values.
class HeaderLayout
{
public:
    template <typename T>
    void add(T value)
    {
        const T little = qToLittleEndian(value);
        m_bytes.append(reinterpret_cast<const char *>(&little), sizeof little); // NOLINT: its bytes
    }
    void add(QByteArrayView bytes) { m_bytes.append(bytes); }
    /// Padded to its size, with a checksum at the end.
    QByteArray sealed(qsizetype size)
    {
        m_bytes.resize(size - qsizetype(sizeof(quint16)), '\0');
        add(qChecksum(m_bytes));
        return m_bytes;
    }

private:
    QByteArray m_bytes;
};

class HeaderFields
{
public:
    explicit HeaderFields(QByteArrayView bytes) : m_bytes(bytes) {}
    template <typename T>
    void take(T &value)
    {
        value = qFromLittleEndian<T>(m_bytes.data());
        m_bytes = m_bytes.sliced(sizeof(T));
    }
    template <typename T>
    T take()
    {
        T value{};
        take(value);
        return value;
    }

private:
    QByteArrayView m_bytes;
};

bool isSealed(QByteArrayView bytes)
{
    const qsizetype end = bytes.size() - qsizetype(sizeof(quint16));
    return qFromLittleEndian<quint16>(bytes.data() + end) == qChecksum(bytes.first(end));
}

QByteArray packedStream(const QByteArray &stream)
{
    if (stream.isEmpty())
        return {};
    // One context for a thread: making one costs more than most chunks.
    thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                                    ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, packingLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    QByteArray bytes(static_cast<qsizetype>(ZSTD_compressBound(static_cast<size_t>(stream.size()))),
                     Qt::Uninitialized);
    const size_t size = ZSTD_compress2(context.get(), bytes.data(), static_cast<size_t>(bytes.size()),
                                       stream.constData(), static_cast<size_t>(stream.size()));
    bytes.truncate(ZSTD_isError(size) ? 0
                                      : static_cast<qsizetype>(size)); // it has all the room that it can need
    bytes.squeeze();
    return bytes;
}

bool unpackStream(QByteArrayView content, quint32 size, QByteArray &stream)
{
    if (size == 0 || content.isEmpty())
        return size == 0 && content.isEmpty();
    // Before room is made for it: a header could promise anything.
    if (ZSTD_getFrameContentSize(content.data(), static_cast<size_t>(content.size())) != size)
        return false;
    stream = QByteArray(qsizetype(size), Qt::Uninitialized);
    return ZSTD_decompress(stream.data(), size, content.data(), static_cast<size_t>(content.size())) == size;
}

} // namespace

QByteArray RecordingHeader::toBytes() const
{
    HeaderLayout layout;
    layout.add(recordingMark);
    layout.add(version);
    layout.add(quint16(isAnonymous ? 1 : 0));
    layout.add(part);
    layout.add(run);
    layout.add(wallMs);
    return layout.sealed(size);
}

std::optional<RecordingHeader> RecordingHeader::fromBytes(QByteArrayView bytes)
{
    if (bytes.size() < size || !bytes.startsWith(recordingMark))
        return std::nullopt;
    HeaderFields fields(bytes.sliced(recordingMark.size()));
    RecordingHeader header;
    fields.take(header.version);
    if (header.version > currentVersion)
        return header;
    if (!isSealed(bytes.first(size)))
        return std::nullopt;
    header.isAnonymous = fields.take<quint16>() != 0;
    fields.take(header.part);
    fields.take(header.run);
    fields.take(header.wallMs);
    return header;
}

QByteArray ChunkHeader::toBytes() const
{
    HeaderLayout layout;
    layout.add(mark);
    layout.add(quint8(type));
    layout.add(quint8(isWatched ? 1 : 0));
    layout.add(quint8(gap));
    layout.add(quint8(0));
    for (const qint64 value : {first, last, wallMs, confirmed})
        layout.add(value);
    for (const quint32 value : {events, lost, place, numbers, packedNumbers, texts, packedTexts})
        layout.add(value);
    return layout.sealed(size);
}

std::optional<ChunkHeader> ChunkHeader::fromBytes(QByteArrayView bytes)
{
    if (bytes.size() < size || !bytes.startsWith(mark) || !isSealed(bytes.first(size)))
        return std::nullopt;
    HeaderFields fields(bytes.sliced(mark.size()));
    const auto type = fields.take<quint8>();
    const auto flags = fields.take<quint8>();
    const auto gap = fields.take<quint8>();
    fields.take<quint8>();
    ChunkHeader header;
    for (qint64 *value : {&header.first, &header.last, &header.wallMs, &header.confirmed})
        fields.take(*value);
    for (quint32 *value : {&header.events, &header.lost, &header.place, &header.numbers,
                           &header.packedNumbers, &header.texts, &header.packedTexts})
        fields.take(*value);
    constexpr qint64 longest = qint64(1000) * 60 * 60 * 24 * 365 * 100;
    const bool isPossible =
        type >= 1 && type <= 3 && gap <= quint8(GapCause::WriteFailed) && header.first >= 0 &&
        header.last >= header.first && header.last <= longest && header.wallMs >= 0 &&
        header.wallMs <= longest && header.confirmed >= notConfirmed && header.confirmed <= longest &&
        header.numbers <= maxNumbers && header.texts <= maxTexts && header.packedNumbers <= 2 * maxNumbers &&
        header.packedTexts <= 2 * maxTexts && header.events <= header.numbers &&
        (type == quint8(Type::Keyframe)) == (header.place == 0 && type != quint8(Type::Quiet)) &&
        (type != quint8(Type::Quiet) || header.contentSize() == 0);
    if (!isPossible)
        return std::nullopt;
    header.type = static_cast<Type>(type);
    header.isWatched = flags & 1;
    header.gap = static_cast<GapCause>(gap);
    return header;
}

QByteArray pack(const ChunkStreams &streams, ChunkHeader &header)
{
    const QByteArray numbers = packedStream(streams.numbers);
    const QByteArray texts = packedStream(streams.texts);
    header.numbers = static_cast<quint32>(streams.numbers.size());
    header.packedNumbers = static_cast<quint32>(numbers.size());
    header.texts = static_cast<quint32>(streams.texts.size());
    header.packedTexts = static_cast<quint32>(texts.size());
    return numbers + texts;
}

std::optional<ChunkStreams> unpack(const ChunkHeader &header, QByteArrayView content)
{
    ChunkStreams streams;
    if (content.size() != header.contentSize() ||
        !unpackStream(content.first(header.packedNumbers), header.numbers, streams.numbers) ||
        !unpackStream(content.sliced(header.packedNumbers), header.texts, streams.texts))
        return std::nullopt;
    return streams;
}

tl::unexpected<Error> recordingFailed(const QString &path, int systemError)
{
    return recordingFailed("%1: %2", path, QString::fromLocal8Bit(std::strerror(systemError)));
}

} // namespace lockscope
