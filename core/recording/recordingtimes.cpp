// SPDX-License-Identifier: GPL-3.0-or-later
// Where in a recording something is.
#include "core/recording/recording.h"

#include "core/recording/listedevents.h"

#include <QDateTime>

#include <algorithm>

namespace lockscope {

qint64 lastAtTimeOfDay(QTime time, qint64 wallMs)
{
    QDateTime last = QDateTime::fromMSecsSinceEpoch(wallMs);
    last.setTime(time);
    return (last.toMSecsSinceEpoch() > wallMs ? last.addDays(-1) : last).toMSecsSinceEpoch();
}

qint64 Recording::endOf(size_t chunk) const
{
    return chunk + 1 < m_chunks.size() ? firstOf(m_chunks[chunk + 1]) : m_length.count();
}

milliseconds Recording::momentOf(qint64 wallMs) const
{
    const Chunk *before = nullptr;
    qint64 end = 0;
    for (size_t i = m_chunks.size(); i-- > 0;) {
        const Chunk &chunk = m_chunks[i];
        if (chunk.header.wallMs > wallMs)
            continue;
        // It may be told of a later moment than the clock was set back at: then an earlier one showed it.
        if (wallMs - chunk.header.wallMs <= endOf(i) - firstOf(chunk))
            return milliseconds(firstOf(chunk) + wallMs - chunk.header.wallMs);
        if (!before) {
            before = &chunk;
            end = endOf(i);
        }
    }
    if (!before)
        return milliseconds(0);
    const qint64 passed = std::min(wallMs - before->header.wallMs, end - firstOf(*before));
    return milliseconds(firstOf(*before) + passed);
}

qint64 Recording::earliestWallMs() const
{
    return std::ranges::min(m_chunks, {}, [](const Chunk &chunk) { return chunk.header.wallMs; })
        .header.wallMs;
}

qint64 Recording::latestWallMs() const
{
    qint64 latest = endsAtMs();
    for (const Chunk &chunk : m_chunks)
        latest = std::max(latest, chunk.header.wallMs + chunk.header.last - chunk.header.first);
    return latest;
}

GapCause Recording::lackAt(milliseconds moment) const
{
    const size_t index = chunkAt(moment);
    const Chunk &chunk = m_chunks[index];
    if (chunk.isDamaged)
        return GapCause::Damaged;
    if (moment.count() > lastOf(chunk) && index + 1 < m_chunks.size()) {
        if (const GapCause cause = gapBefore(index + 1).cause; cause != GapCause::None)
            return cause;
    }
    return chunk.header.isWatched ? GapCause::None : GapCause::NotWatched;
}

std::optional<milliseconds> Recording::confirmedAt(milliseconds moment) const
{
    const auto confirmed = [this](size_t chunk) {
        return m_chunks[chunk].header.confirmed + m_chunks[chunk].shift;
    };
    const size_t last = chunkAt(moment);
    // Nothing has changed until the end of a quiet time: what was true there was true in it.
    const size_t next = last + 1;
    const bool isQuiet = moment.count() >= lastOf(m_chunks[last]) && next < m_chunks.size() &&
                         m_chunks[next].header.type == ChunkHeader::Type::Quiet &&
                         gapBefore(next).cause == GapCause::None && m_chunks[last].header.isWatched;
    if (isQuiet && m_chunks[next].header.confirmed != ChunkHeader::notConfirmed)
        return std::min(milliseconds(confirmed(next)), moment);
    for (size_t i = last + 1; i-- > 0;) {
        if (m_chunks[i].header.confirmed != ChunkHeader::notConfirmed && confirmed(i) <= moment.count())
            return milliseconds(confirmed(i));
        if (gapBefore(i).cause != GapCause::None) // what was known before is not what is
            break;
    }
    return std::nullopt;
}

/// Changes in a gap are reported from before it; between runs, at the latest when all locks were read again.
size_t Recording::toldFrom(size_t chunk) const
{
    const auto afterGap = [this](size_t at) {
        while (at > 0 && gapBefore(at).cause != GapCause::None)
            --at;
        return at;
    };
    // A run that had read all of them once tells nothing of the one before, however long it lacks some later.
    const auto runOf = [this](size_t at) { return m_files[m_chunks[at].file].header.run; };
    size_t begin = chunk;
    while (begin > 0 && !m_chunks[begin - 1].header.isWatched && runOf(begin - 1) == runOf(chunk))
        --begin;
    const bool isOfRunsBegin = begin > 0 && runOf(begin - 1) != runOf(chunk);
    return afterGap(isOfRunsBegin ? begin : chunk);
}

std::optional<milliseconds> Recording::eventAfter(milliseconds moment, const ListedEvents &listed) const
{
    // What is known where a chunk begins is not known from any other moment on.
    RecordingCursor cursor(*this, milliseconds(firstOf(m_chunks[toldFrom(chunkAt(moment))])), TimePoint{},
                           RecordingCursor::AcrossGaps::Events);
    return firstListed(cursor, listed, moment);
}

std::optional<milliseconds> Recording::firstLock(milliseconds moment) const
{
    const auto hasLock = [](const QList<WatchedLock> &locks) {
        return std::ranges::any_of(locks, [](const WatchedLock &watched) {
            return hasEvents(watched.lock) || watched.problems().testFlag(Problem::Orphaned);
        });
    };
    if (hasLock(pictureAt(moment, TimePoint{}).locks))
        return moment;
    RecordingCursor cursor(*this, moment, TimePoint{});
    for (auto step = cursor.next(); step && isWanted(); step = cursor.next()) {
        const auto *entry = std::get_if<RecordedEntry>(&*step);
        const auto *diff = entry ? std::get_if<LockDiff>(&entry->what) : nullptr;
        if (const milliseconds at = cursor.momentOf(*step); diff && at >= moment && hasLock(diff->changed))
            return at;
    }
    return std::nullopt;
}

std::optional<milliseconds> Recording::firstListed(RecordingCursor &cursor, const ListedEvents &listed,
                                                   milliseconds after) const
{
    ListedSteps steps;
    steps.begin(cursor.beginWithoutLocks(), true);
    for (auto step = cursor.next(); step && isWanted(); step = cursor.next()) {
        const milliseconds at = cursor.momentOf(*step);
        if (steps.take(*step, listed) && at > after)
            return at;
    }
    return std::nullopt;
}

std::optional<milliseconds> Recording::eventBefore(milliseconds moment, const ListedEvents &listed) const
{
    // A chunk is read from its keyframe on. Of chunks that have nothing of what is listed ever more are read at once, so that it
    // stays linear.
    size_t end = chunkAt(moment) + 1;
    for (size_t most = 1; end > 0 && isWanted(); most *= 2) {
        size_t begin = end;
        for (size_t found = 0; begin > 0 && found < most;) {
            const Chunk &chunk = m_chunks[--begin];
            found += chunk.header.events > 0 && !chunk.isDamaged ? 1 : 0;
        }
        begin = toldFrom(begin);
        const milliseconds to = std::min(milliseconds(endOf(end - 1)), moment - milliseconds(1));
        RecordingCursor cursor(*this, milliseconds(firstOf(m_chunks[begin])), TimePoint{},
                               RecordingCursor::AcrossGaps::Events);
        if (const auto last = lastListed(cursor, listed, to))
            return last;
        end = begin;
    }
    return std::nullopt;
}

std::optional<milliseconds> Recording::lastListed(RecordingCursor &cursor, const ListedEvents &listed,
                                                  milliseconds to) const
{
    ListedSteps steps;
    steps.begin(cursor.beginWithoutLocks(), true);
    std::optional<milliseconds> last;
    for (auto step = cursor.next(); step && isWanted(); step = cursor.next()) {
        const milliseconds at = cursor.momentOf(*step);
        if (at > to)
            break;
        if (steps.take(*step, listed))
            last = at;
    }
    return last;
}

std::optional<milliseconds> Recording::knownAfter(milliseconds moment) const
{
    for (size_t i = chunkAt(moment) + 1; i < m_chunks.size() && isWanted(); ++i) {
        const milliseconds at(firstOf(m_chunks[i]));
        if (lackAt(at) != GapCause::None)
            continue;
        if (pictureAt(at, TimePoint{}).isRecorded)
            return at;
        while (i + 1 < m_chunks.size() && m_chunks[i + 1].header.type != ChunkHeader::Type::Keyframe)
            ++i; // damage lasts until then
    }
    return std::nullopt;
}

std::vector<WallStep> Recording::wallSteps(size_t most) const
{
    constexpr qint64 leastStep = 1000; // ms; the two clocks drift apart by less
    std::vector<WallStep> steps;
    for (const Chunk &chunk : m_chunks) {
        const WallStep step{milliseconds(firstOf(chunk)), chunk.header.wallMs};
        const auto isOff = [&](const WallStep &before) {
            return std::abs(step.wallMs - before.wallMs - (step.moment - before.moment).count()) > leastStep;
        };
        if (steps.size() < most && (steps.empty() || isOff(steps.back())))
            steps.push_back(step);
    }
    return steps;
}

std::vector<qint64> Recording::eventsIn(size_t parts) const
{
    std::vector<qint64> counts(parts, 0);
    const auto partOf = [&](qint64 ms) {
        const double share = m_length.count() > 0 ? double(ms) / double(m_length.count()) : 0;
        return std::min(static_cast<size_t>(std::max(share, 0.0) * double(parts)), parts - 1);
    };
    for (const Chunk &chunk : m_chunks) {
        if (chunk.isDamaged || chunk.header.events == 0 || parts == 0)
            continue;
        const size_t first = partOf(firstOf(chunk));
        const size_t last = partOf(lastOf(chunk));
        const auto share = std::max<qint64>(chunk.header.events / qint64(last - first + 1), 1);
        for (size_t part = first; part <= last; ++part)
            counts[part] += share;
    }
    return counts;
}

milliseconds Recording::beginOf(milliseconds moment, milliseconds longest, qint64 events) const
{
    const qint64 earliest = (moment - longest).count();
    qint64 begin = moment.count();
    qint64 sum = 0;
    for (size_t i = chunkAt(moment) + 1; i-- > 0 && begin > earliest;) {
        sum += m_chunks[i].header.events;
        if (sum > events)
            break;
        begin = std::min(begin, firstOf(m_chunks[i]));
    }
    return milliseconds(begin);
}

} // namespace lockscope
