// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recordingwriter.h"

#include "core/recording/recordingparts.h"

#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace lockscope {

namespace {

constexpr std::chrono::seconds retryEvery{5};
/// Number of parts: the oldest one's share of the limit is lost at a time.
constexpr qint64 partsOfLimit = 8;
// A moment is reached by reading one keyframe and what comes behind it: some 5 million changes a second.
constexpr qint64 leastChangesInSegment = 800'000;
constexpr qint64 changesPerLock = 6;
constexpr qsizetype maxKeysInSegment = 1'000'000;
constexpr qint64 maxTextInSegment = qint64(128) << 20;
// Of lists, or twice what the keyframe has; a flush adds a million at most.
constexpr qint64 leastItemsInSegment = 4'000'000;
constexpr qint64 maxItemsInSegment = FieldReader::maxItems - 1'000'000;
constexpr quint32 maxChunksInSegment = 3600;

QFile::Permissions ownerOnly()
{
    return QFile::ReadOwner | QFile::WriteOwner;
}

} // namespace

RecordingWriter::RecordingWriter(QString path, const RecordingOptions &options, TimePoint now)
    : m_path(std::move(path)),
      m_options(options),
      m_anonymizer(options.isAnonymous ? std::make_unique<const Anonymizer>() : nullptr),
      m_epoch(now),
      m_segment(now, m_anonymizer.get()),
      m_run(QRandomGenerator::system()->generate64())
{
    m_options.limit = std::max(m_options.limit, RecordingOptions::leastLimit);
}

RecordingWriter::~RecordingWriter() = default;

Result<std::unique_ptr<RecordingWriter>>
RecordingWriter::begin(const QString &path, const RecordingOptions &options, TimePoint now, qint64 wallMs)
{
    std::unique_ptr<RecordingWriter> writer(
        new RecordingWriter(path, options, now)); // NOLINT: its constructor is private
    if (const Result<void> done = writer->checkRoom(); !done)
        return tl::unexpected(done.error());
    if (const Result<void> done = writer->putAway(wallMs); !done)
        return tl::unexpected(done.error());
    if (const Result<void> done = writer->openFile(wallMs); !done)
        return tl::unexpected(done.error());
    if (const Result<void> done = writer->writeKeyframe(GapCause::NotRunning, 0, now, wallMs); !done)
        return tl::unexpected(done.error());
    writer->dropOldParts();
    return writer;
}

/// Refuses to delete recordings made with a higher limit.
Result<void> RecordingWriter::checkRoom() const
{
    constexpr qint64 megabyte = 1'000'000;
    qint64 bytes = readRecordingHeader(m_path) ? QFileInfo(m_path).size() : 0;
    const QList<RecordingPart> parts = recordingParts(m_path);
    for (const RecordingPart &part : parts)
        bytes += part.bytes;
    // With a limit of its own it may end somewhat beyond it, where there are very many locks.
    if (bytes <= m_options.limit + m_options.limit / 2)
        return {};
    return recordingFailed(
        QT_TRANSLATE_NOOP("phrases",
                          "%1 has %2 MB; a limit of %3 MB would delete most of it. Raise the limit."),
        m_path, bytes / megabyte, m_options.limit / megabyte);
}

/// Makes the existing file a part, if it is a recording.
Result<void> RecordingWriter::putAway(qint64 wallMs)
{
    struct stat status = {};
    const QByteArray name = QFile::encodeName(m_path);
    if (::lstat(name.constData(), &status) != 0)
        return errno == ENOENT ? Result<void>() : recordingFailed(m_path, errno);
    if (!S_ISREG(status.st_mode))
        return recordingFailed(QT_TRANSLATE_NOOP("phrases", "%1 is not a regular file."), m_path);
    const bool isOpenHere = m_file.isOpen();
    if (!isOpenHere) {
        if (const auto header = readRecordingHeader(m_path); !header)
            return tl::unexpected(header.error());
        QFile there(m_path);
        if (!there.open(QIODevice::ReadWrite | QIODevice::ExistingOnly))
            return recordingFailed("%1: %2", m_path, there.errorString());
        if (::flock(there.handle(), LOCK_EX | LOCK_NB) != 0)
            return recordingFailed(QT_TRANSLATE_NOOP("phrases", "Another program is recording to %1."),
                                   m_path);
    }
    const QList<RecordingPart> parts = recordingParts(m_path);
    const quint32 number = parts.isEmpty() ? 1 : parts.last().number + 1;
    const QByteArray part = QFile::encodeName(recordingPartPath(m_path, number, wallMs));
    // A link first: unlike a rename it replaces nothing.
    if (::link(name.constData(), part.constData()) != 0 || ::unlink(name.constData()) != 0)
        return recordingFailed(QFile::decodeName(part), errno);
    m_file.close();
    return {};
}

Result<void> RecordingWriter::openFile(qint64 wallMs)
{
    m_file.setFileName(m_path);
    if (!m_file.open(QIODevice::ReadWrite | QIODevice::NewOnly | QIODevice::Unbuffered, ownerOnly()))
        return recordingFailed("%1: %2", m_path, m_file.errorString());
    ::flock(m_file.handle(), LOCK_EX | LOCK_NB); // nobody else has it: it is new
    m_size = 0;
    RecordingHeader header;
    header.isAnonymous = m_options.isAnonymous;
    header.run = m_run;
    header.part = m_part++;
    header.wallMs = wallMs;
    const Result<void> done = write(header.toBytes(), true);
    if (!done)
        m_file.remove(); // without its header it would be nobody's
    return done;
}

void RecordingWriter::dropOldParts()
{
    QList<RecordingPart> parts = recordingParts(m_path);
    qint64 bytes = m_size;
    for (const RecordingPart &part : std::as_const(parts))
        bytes += part.bytes;
    // With room for what the new file grows to: its part, and the segment that goes beyond it.
    while (bytes + 2 * m_options.limit / partsOfLimit > m_options.limit && !parts.isEmpty()) {
        const RecordingPart oldest = parts.takeFirst();
        QFile::remove(oldest.path);
        bytes -= oldest.bytes;
    }
}

void RecordingWriter::setKnown(const RecordedSnapshot &known, TimePoint now, qint64 wallMs)
{
    m_segment.add({now, wallMs, LockDiff{.changed = known.locks, .removed = {}, .events = {}}});
    m_segment.add({now, wallMs, known.deadlocks});
    m_segment.add({now, wallMs, known.watching});
    m_segment.dropPending();
    // In the place of the keyframe that has nothing, which would be a time in which there were none of these.
    m_size -= m_keyframeBytes;
    m_totals.bytes -= m_keyframeBytes;
    failed(writeKeyframe(GapCause::NotRunning, 0, now, wallMs), now);
}

qint64 RecordingWriter::msAt(TimePoint at) const
{
    return std::max<qint64>(std::chrono::floor<milliseconds>(at - m_epoch).count(), 0);
}

void RecordingWriter::add(const RecordedEntry &entry)
{
    const auto *watching = std::get_if<WatchState>(&entry.what);
    const bool turns = watching && watching->isCurrent() != m_segment.isWatched();
    if (turns) // what chunks tell of it is true of all that they hold
        flush(entry.at, entry.wallMs);
    m_segment.add(entry);
    if (turns)
        flush(entry.at, entry.wallMs);
    if (!isFailing())
        return;
    m_lostNow += m_segment.pendingEvents();
    m_segment.dropPending();
}

void RecordingWriter::addGap(GapCause cause, qint64 lost, TimePoint now, qint64 wallMs)
{
    if (isFailing()) {
        m_lostNow += lost;
        return;
    }
    if (const Result<void> done = writeKeyframe(cause, lost, now, wallMs); !done) {
        m_lostNow += lost;
        failed(done, now);
    }
}

RecordingTotals RecordingWriter::totals() const
{
    RecordingTotals totals = m_totals;
    totals.lost += m_lostNow;
    totals.isFailing = isFailing();
    if (isFailing())
        totals.failure = m_failure;
    return totals;
}

bool RecordingWriter::isSegmentOver() const
{
    const qint64 maxChanges =
        std::max<qint64>(leastChangesInSegment, changesPerLock * static_cast<qint64>(m_segment.locks()));
    const qint64 maxItems = std::clamp(2 * m_keyframeItems, leastItemsInSegment, maxItemsInSegment);
    // Where little happens, nothing is to be saved; what damage costs grows with a segment.
    const bool isOld = m_place >= maxChunksInSegment && m_segmentBytes > m_keyframeBytes;
    const bool isLarge = m_segmentBytes > std::max(m_options.limit / partsOfLimit, m_keyframeBytes);
    return m_segment.changesInSegment() > maxChanges || m_segment.knownKeys() > maxKeysInSegment ||
           m_segment.knownBytes() > maxTextInSegment || m_segment.items() > maxItems || isOld || isLarge;
}

Result<void> RecordingWriter::flush(TimePoint now, qint64 wallMs)
{
    if (m_failingSince) {
        if (now - *m_failingSince < retryEvery)
            return {};
        m_failingSince = now;
        const Result<void> again = writeKeyframe(GapCause::WriteFailed, m_lostNow, now, wallMs);
        if (!again)
            return again;
        m_failingSince.reset();
        m_lostNow = 0;
        return {};
    }
    if (!m_segment.hasPending()) {
        ChunkHeader quiet;
        quiet.first = quiet.last = msAt(now);
        quiet.wallMs = wallMs;
        quiet.place = m_place;
        quiet.isWatched = m_segment.isWatched();
        quiet.confirmed = m_confirmed ? msAt(*m_confirmed) : ChunkHeader::notConfirmed;
        return failed(write(quiet.toBytes(), false), now);
    }
    Result<void> done = writeChanges(now);
    if (done && isSegmentOver())
        done = writeKeyframe(GapCause::None, 0, now, wallMs);
    return failed(done, now);
}

Result<void> RecordingWriter::failed(const Result<void> &done, TimePoint now)
{
    if (done || isFailing())
        return done;
    m_failingSince = now;
    m_failure = done.error();
    if (m_file.isOpen() && m_file.resize(m_size)) // half a chunk is of no use, and room for others
        m_file.seek(m_size);
    return done;
}

Result<void> RecordingWriter::writeChanges(TimePoint now)
{
    ChunkHeader header;
    header.place = m_place;
    m_lostNow = m_segment.pendingEvents(); // if this fails
    const ChunkStreams streams = m_segment.takeChanges(header);
    const Result<void> done = writeChunk(header, streams, now);
    if (done)
        m_lostNow = 0;
    return done;
}

Result<void> RecordingWriter::writeKeyframe(GapCause cause, qint64 lost, TimePoint now, qint64 wallMs)
{
    if (m_segment.hasPending() && !isFailing()) {
        if (Result<void> done = writeChanges(now); !done)
            return done;
    }
    ChunkHeader header;
    header.gap = cause;
    header.lost = static_cast<quint32>(std::min<qint64>(lost, std::numeric_limits<quint32>::max()));
    const ChunkStreams streams = m_segment.takeKeyframe(now, wallMs, header);
    // A new file begins with one; not for keyframes alone, where the limit is small.
    if (m_size >= m_options.limit / partsOfLimit && m_place > 0 && m_segmentBytes >= m_keyframeBytes) {
        if (Result<void> done = putAway(wallMs); !done)
            return done;
        if (Result<void> done = openFile(wallMs); !done)
            return done;
        dropOldParts();
    } else if (!m_file.isOpen()) { // a file that could not be begun
        if (Result<void> done = openFile(wallMs); !done)
            return done;
    }
    m_place = 0;
    m_keyframeItems = m_segment.items();
    const qint64 before = m_size;
    if (Result<void> done = writeChunk(header, streams, now); !done)
        return done;
    m_keyframeBytes = m_size - before;
    m_segmentBytes = 0;
    m_totals.gaps += cause == GapCause::Overrun || cause == GapCause::WriteFailed ? 1 : 0;
    m_totals.lost += lost;
    return {};
}

Result<void> RecordingWriter::writeChunk(ChunkHeader &header, const ChunkStreams &streams, TimePoint now)
{
    header.last = std::max(header.last, std::max(header.first, msAt(now)));
    header.confirmed = m_confirmed ? msAt(*m_confirmed) : ChunkHeader::notConfirmed;
    // What the reader refuses would be lost without a word.
    if (streams.numbers.size() > ChunkHeader::maxNumbers || streams.texts.size() > ChunkHeader::maxTexts ||
        m_segment.items() > FieldReader::maxItems)
        return recordingFailed(
            QT_TRANSLATE_NOOP("phrases", "%1 cannot hold that many locks and waiters. Narrow the patterns."),
            m_path);
    const QByteArray content = pack(streams, header);
    if (const Result<void> done = write(header.toBytes() + content, true); !done)
        return done;
    m_segment.raiseTo(header.last); // what waits may be older than this chunk's end
    ++m_place;
    m_segmentBytes += ChunkHeader::size + content.size();
    m_totals.events += header.events;
    return {};
}

/// Writes behind the last whole chunk. `counts`: the bytes are a whole chunk.
Result<void> RecordingWriter::write(const QByteArray &bytes, bool counts)
{
    qsizetype written = 0;
    while (written < bytes.size()) {
        const ssize_t count = ::pwrite(m_file.handle(), bytes.constData() + written,
                                       static_cast<size_t>(bytes.size() - written), m_size + written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return recordingFailed(m_path, errno);
        written += count;
    }
    if (counts) {
        m_size += written;
        m_totals.bytes += written;
    }
    return {};
}

} // namespace lockscope
