// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/recording.h"

#include "core/recording/recordingparts.h"

#include <QFileInfo>

#include <algorithm>
#include <cerrno>

#ifdef Q_OS_UNIX
#include <unistd.h>
#endif

namespace lockscope {

namespace {

constexpr qsizetype windowBytes = 1 << 16;
constexpr size_t maxChunks = 4'000'000;
/// Both a moment and one so far from it are valid times of a clock.
constexpr qint64 longestTimeLine = farthestMs / 2;

/// A file's bytes by position; neighboring ones are read too.
class FileWindow
{
public:
    explicit FileWindow(QFile &file) : m_file(file) {}
    QByteArrayView at(qint64 position, qsizetype size)
    {
        if (position < m_begin || position + size > m_begin + m_bytes.size()) {
            m_bytes = m_file.seek(position) ? m_file.read(std::max(windowBytes, size)) : QByteArray();
            m_begin = position;
        }
        const QByteArrayView rest = QByteArrayView(m_bytes).sliced(position - m_begin);
        return rest.first(std::min(size, rest.size()));
    }
    /// The position of the next whole header; -1: none.
    qint64 nextHeader(qint64 from)
    {
        for (;;) {
            from = nextData(from);
            const QByteArrayView bytes = from < 0 ? QByteArrayView() : at(from, windowBytes);
            if (bytes.size() < ChunkHeader::size)
                return -1;
            for (qsizetype found = bytes.indexOf(ChunkHeader::mark); found >= 0;
                 found = bytes.indexOf(ChunkHeader::mark, found + 1)) {
                if (found + ChunkHeader::size > bytes.size())
                    break;
                if (ChunkHeader::fromBytes(bytes.sliced(found, ChunkHeader::size)))
                    return from + found;
            }
            from += bytes.size() - ChunkHeader::size + 1;
        }
    }

private:
    /// Skips the holes of a sparse file, which may be larger than any disk. -1: no more data.
    qint64 nextData(qint64 from) const
    {
#ifdef SEEK_DATA
        const qint64 data = ::lseek(m_file.handle(), from, SEEK_DATA);
        return data >= 0 || errno == ENXIO ? data : from;
#else
        return from;
#endif
    }

    QFile &m_file;
    QByteArray m_bytes;
    qint64 m_begin = 0;
};

} // namespace

Result<Recording> Recording::open(const QString &path)
{
    return open(path, maxChunks);
}

Result<void> Recording::canOpen(const QString &path)
{
    const Result<Recording> begin = open(path, 1);
    if (!begin)
        return tl::unexpected(begin.error());
    return {};
}

Result<Recording> Recording::open(const QString &path, size_t most)
{
    Recording recording;
    if (const Result<void> done = refuseNewerParts(path); !done)
        return tl::unexpected(done.error());
    const QList<RecordingPart> parts = recordingParts(path);
    for (const RecordingPart &part : parts)
        recording.add(part.path); // unless it is gone meanwhile
    const Result<void> last = recording.add(path);
    if (!last && (parts.isEmpty() || QFileInfo::exists(path)))
        return tl::unexpected(last.error());
    for (quint32 file = 0; file < recording.m_files.size(); ++file)
        recording.addChunks(file, most);
    if (recording.m_chunks.empty())
        return recordingFailed(QT_TRANSLATE_NOOP("phrases", "%1 holds nothing that can be read."), path);
    recording.m_length = milliseconds(lastOf(recording.m_chunks.back()));
    return recording;
}

Result<void> Recording::add(const QString &path)
{
    const Result<RecordingHeader> header = readRecordingHeader(path);
    if (!header)
        return tl::unexpected(header.error());
    auto file = std::make_shared<QFile>(path);
    if (!file->open(QIODevice::ReadOnly))
        return recordingFailed("%1: %2", path, file->errorString());
    m_bytes += file->size();
    m_isAnonymous = (m_files.empty() || m_isAnonymous) && header->isAnonymous;
    m_files.push_back({file, *header});
    return {};
}

void Recording::addChunks(quint32 index, size_t most)
{
    QFile &file = *m_files[index].file;
    FileWindow window(file);
    const qint64 size = file.size();
    bool followsDamage = false;
    for (qint64 at = RecordingHeader::size; at + ChunkHeader::size <= size && m_chunks.size() < most;) {
        const auto header = ChunkHeader::fromBytes(window.at(at, ChunkHeader::size));
        if (!header) {
            at = window.nextHeader(at + 1);
            followsDamage = true;
            if (at < 0) // a torn end
                return;
            continue;
        }
        if (header->contentSize() > size - at - ChunkHeader::size)
            return; // likewise
        addChunk(*header, at + ChunkHeader::size, index, followsDamage);
        followsDamage = false;
        at += ChunkHeader::size + header->contentSize();
    }
}

void Recording::addChunk(const ChunkHeader &header, qint64 position, quint32 file, bool followsDamage)
{
    Chunk chunk{header, position, 0, file, false, followsDamage};
    const bool isKeyframe = header.type == ChunkHeader::Type::Keyframe;
    if (m_chunks.empty()) {
        if (!isKeyframe) // what it changes is not here
            return;
        chunk.shift = -header.first;
    } else {
        const Chunk &before = m_chunks.back();
        const bool isSameRun = m_files[before.file].header.run == m_files[file].header.run;
        const qint64 passed = before.header.wallMs + before.header.last - before.header.first;
        chunk.shift = isSameRun ? before.shift
                                : lastOf(before) + std::max<qint64>(header.wallMs - passed, 0) - header.first;
        const bool follows = !followsDamage && before.file == file &&
                             header.place == before.header.place + 1 &&
                             before.header.type != ChunkHeader::Type::Quiet;
        chunk.isDamaged = !isKeyframe && (!follows || before.isDamaged);
        const quint32 nextPart = m_files[before.file].header.part + 1;
        if (isSameRun && before.file != file && m_files[file].header.part != nextPart)
            chunk.followsDamage = true;        // a part between is gone
        if (firstOf(chunk) < lastOf(before)) { // no recorder goes back in time
            chunk.shift = lastOf(before) - header.first;
            chunk.followsDamage = true;
            chunk.isDamaged = !isKeyframe;
        }
        if (lastOf(chunk) > longestTimeLine)
            return;
    }
    if (!chunk.isDamaged)
        m_events += header.events;
    m_chunks.push_back(chunk);
}

std::optional<ChunkStreams> Recording::streamsOf(const Chunk &chunk) const
{
    if (chunk.isDamaged || chunk.header.type == ChunkHeader::Type::Quiet)
        return chunk.isDamaged ? std::nullopt : std::optional(ChunkStreams());
    QFile &file = *m_files[chunk.file].file;
    if (!file.seek(chunk.position))
        return std::nullopt;
    return unpack(chunk.header, file.read(chunk.header.contentSize()));
}

void Recording::check()
{
    bool isBroken = false;
    for (Chunk &chunk : m_chunks) {
        isBroken = isBroken && chunk.header.type != ChunkHeader::Type::Keyframe;
        isBroken = isBroken || !streamsOf(chunk);
        if (isBroken && !chunk.isDamaged)
            m_events -= chunk.header.events;
        chunk.isDamaged = isBroken;
    }
}

RecordingGap Recording::gapBefore(size_t index) const
{
    const Chunk &chunk = m_chunks[index];
    RecordingGap gap;
    const bool isHole = chunk.isDamaged || chunk.followsDamage;
    gap.cause = isHole && chunk.header.gap == GapCause::None ? GapCause::Damaged : chunk.header.gap;
    gap.lost = chunk.header.lost;
    gap.from = milliseconds(index > 0 ? lastOf(m_chunks[index - 1]) : firstOf(chunk));
    gap.to = milliseconds(firstOf(chunk));
    return gap;
}

QList<RecordingGap> Recording::gaps() const
{
    QList<RecordingGap> gaps;
    for (size_t i = 0; i < m_chunks.size(); ++i) {
        const Chunk &chunk = m_chunks[i];
        const RecordingGap before = gapBefore(i);
        const bool goesOn =
            !gaps.isEmpty() && gaps.last().cause == before.cause && gaps.last().to == before.from;
        if (before.cause != GapCause::None && i > 0 && goesOn)
            gaps.last().to = before.to;
        else if (before.cause != GapCause::None && i > 0)
            gaps.append(before);
        const GapCause cause = chunk.isDamaged          ? GapCause::Damaged
                               : chunk.header.isWatched ? GapCause::None
                                                        : GapCause::NotWatched;
        if (cause == GapCause::None)
            continue;
        const milliseconds end(i + 1 < m_chunks.size() ? firstOf(m_chunks[i + 1]) : lastOf(chunk));
        if (!gaps.isEmpty() && gaps.last().cause == cause && gaps.last().to >= milliseconds(firstOf(chunk)))
            gaps.last().to = end;
        else if (end > milliseconds(firstOf(chunk)))
            gaps.append({.cause = cause, .from = milliseconds(firstOf(chunk)), .to = end});
    }
    for (RecordingGap &gap : gaps) {
        gap.wallFromMs = wallAt(gap.from);
        gap.wallToMs = wallAt(gap.to);
    }
    return gaps;
}

size_t Recording::chunkAt(milliseconds moment) const
{
    const auto after = std::ranges::upper_bound(m_chunks, moment.count(), {}, &Recording::firstOf);
    return after == m_chunks.begin() ? 0 : static_cast<size_t>(after - m_chunks.begin()) - 1;
}

size_t Recording::keyframeOf(size_t chunk) const
{
    while (m_chunks[chunk].header.type != ChunkHeader::Type::Keyframe) // the first one is
        --chunk;
    return chunk;
}

qint64 Recording::wallAt(milliseconds moment) const
{
    const Chunk &chunk = m_chunks[chunkAt(moment)];
    return chunk.header.wallMs + moment.count() - firstOf(chunk);
}

RecordedSnapshot Recording::pictureAt(milliseconds moment, TimePoint as) const
{
    moment = std::clamp(moment, milliseconds(0), m_length);
    const size_t wanted = chunkAt(moment);
    const Chunk &chunk = m_chunks[wanted];
    RecordedSnapshot picture;
    picture.at = as;
    picture.wallMs = wallAt(moment);
    SegmentReader segment;
    for (size_t i = keyframeOf(wanted); i <= wanted && picture.isRecorded && isWanted(); ++i) {
        const auto streams = streamsOf(m_chunks[i]);
        picture.isRecorded =
            streams && segment.apply(m_chunks[i].header, *streams, moment.count() - chunk.shift);
        // What was confirmed later says nothing of this moment.
        const qint64 confirmed = m_chunks[i].header.confirmed + chunk.shift;
        if (m_chunks[i].header.confirmed != ChunkHeader::notConfirmed && confirmed <= moment.count())
            picture.confirmedAt = as + milliseconds(confirmed) - moment;
    }
    const bool isBehind = moment.count() > lastOf(chunk);
    if (isBehind && wanted + 1 < m_chunks.size() && gapBefore(wanted + 1).cause != GapCause::None)
        picture.isRecorded = false;
    const Clock::duration shift = as.time_since_epoch() - (moment - milliseconds(chunk.shift));
    fill(picture, segment, shift);
    fillLocks(picture, segment.takePlaces(), shift);
    return picture;
}

void Recording::fillLocks(RecordedSnapshot &picture, std::vector<RecordedSlot> places, Clock::duration shift)
{
    picture.locks.reserve(std::ranges::count_if(places, &RecordedSlot::isThere));
    for (RecordedSlot &slot : places) {
        if (slot.isThere)
            picture.locks.append(shifted(std::move(slot.lock), shift));
    }
}

void Recording::fill(RecordedSnapshot &picture, const SegmentReader &segment, Clock::duration shift)
{
    picture.deadlocks = segment.deadlocks();
    picture.watching = segment.watching();
    if (auto &incident = picture.watching.feed.incident)
        incident->at += shift;
}

} // namespace lockscope
