// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/replayreader.h"

#include <QDateTime>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// Changes and events of a stretch while playing, about: reported quickly, so that requests do not wait.
constexpr qint64 maxPlayed = 5'000;

/// The same limit up to the next event; farther ones need a jump.
constexpr qint64 maxToNextEvent = 50'000;

constexpr std::chrono::milliseconds sameZero{300};

/// The time of a step on the cursor's axis.
TimePoint dueOf(const RecordingCursor::Step &step, TimePoint zero)
{
    if (const auto *entry = std::get_if<RecordedEntry>(&step))
        return entry->at;
    if (const auto *gap = std::get_if<RecordingGap>(&step))
        return zero + gap->from;
    return std::get<RecordedConfirmation>(step).at;
}

qint64 weightOfStep(const RecordingCursor::Step &step)
{
    const auto *entry = std::get_if<RecordedEntry>(&step);
    const auto *diff = entry ? std::get_if<LockDiff>(&entry->what) : nullptr;
    return diff ? 1 + diff->changed.size() + diff->removed.size() + diff->events.size() : 1;
}

constexpr size_t maxWallSteps = 100'000;

} // namespace

qint64 ReplayOutline::wallAt(milliseconds moment) const
{
    auto after = std::ranges::upper_bound(wallSteps, moment, {}, &WallStep::moment);
    const WallStep step = after == wallSteps.begin() ? WallStep{{}, wallFromMs} : *--after;
    return step.wallMs + (moment - step.moment).count();
}

int ReplayOutline::clockSetBacks() const
{
    int count = 0;
    for (size_t i = 1; i < wallSteps.size(); ++i) {
        const milliseconds passed = wallSteps[i].moment - wallSteps[i - 1].moment;
        count += wallSteps[i].wallMs < wallSteps[i - 1].wallMs + passed.count() ? 1 : 0;
    }
    return count;
}

void ReplayReader::open()
{
    Result<Recording> recording = Recording::open(m_path);
    if (!recording)
        return emit failed(recording.error());
    m_recording = std::make_unique<Recording>(std::move(*recording));
    ReplayOutline outline;
    outline.length = m_recording->length();
    outline.wallFromMs = m_recording->beginsAtMs();
    outline.wallToMs = m_recording->endsAtMs();
    outline.isAnonymous = m_recording->isAnonymous();
    outline.gaps = m_gaps = m_recording->gaps();
    outline.histogram = m_recording->eventsIn(histogramParts);
    outline.wallSteps = m_recording->wallSteps(maxWallSteps);
    outline.wallFirstMs = m_recording->earliestWallMs();
    outline.wallLastMs = m_recording->latestWallMs();
    m_recording->setWanted([this] { return !isOld(m_wish); });
    // A recording begins before all locks were read.
    if (!m_gaps.isEmpty() && m_gaps.first().from == milliseconds(0) && m_gaps.first().to < outline.length)
        outline.opensAt = m_gaps.first().to;
    auto found = m_recording->firstLock(outline.opensAt);
    if (!found && outline.opensAt > milliseconds(0))
        found = m_recording->firstLock(milliseconds(0));
    outline.hasLocks = found.has_value();
    outline.opensAt = found.value_or(outline.opensAt);
    emit opened(outline);
}

/// False: outdated, or nothing to read.
bool ReplayReader::begins(quint64 wish)
{
    m_wish = wish;
    return m_recording && !isOld(wish);
}

void ReplayReader::seekWall(quint64 wish, qint64 wallMs)
{
    if (begins(wish))
        seek(wish, m_recording->momentOf(wallMs));
}

void ReplayReader::seek(quint64 wish, milliseconds moment)
{
    if (!begins(wish))
        return;
    moment = std::clamp(moment, milliseconds(0), m_recording->length());
    // So that each moment lies on our steady clock where its wall time lies: what reckons with the two agrees.
    const milliseconds ago(QDateTime::currentMSecsSinceEpoch() - m_recording->wallAt(moment));
    const TimePoint zero = Clock::now() - ago - moment;
    // The same as before where neither clock was set: what has not changed is the same value then.
    if (!m_zero || std::chrono::abs(zero - *m_zero) > sameZero)
        m_zero = zero;
    std::unique_ptr<RecordingCursor> old = std::exchange(m_cursor, nullptr); // as large as a picture
    m_nextStep.reset();
    const auto picture = std::make_shared<ReplayStretch>();
    picture->wish = wish;
    picture->begin = m_recording->pictureAt(moment, pointOf(moment));
    const bool isBroken = !picture->begin->isRecorded;
    finish(*picture, moment, isBroken);
    picture->isLast = false;
    if (isOld(wish))
        return;
    emit reported(picture);
    old.reset();
    const auto past = std::make_shared<ReplayStretch>();
    past->wish = wish;
    if (!takePast(*past, *picture->begin, moment))
        return;
    finish(*past, moment, isBroken);
    emit reported(past);
}

/// False: there is a newer wish.
bool ReplayReader::takePast(ReplayStretch &past, const RecordedSnapshot &picture, milliseconds moment)
{
    constexpr std::chrono::seconds leastPast{1};
    // Headers tell how many events there are, but not what changed without any: where that is too much, it is less time.
    for (milliseconds longest = longestPast; longest >= leastPast; longest /= 4) {
        const milliseconds from = m_recording->beginOf(moment, longest, maxPastEvents);
        if (from >= moment)
            break;
        past.steps.clear();
        m_nextStep.reset();
        m_cursor = cursorFrom(from);
        past.begin = m_cursor->begin();
        m_listed.begin(*past.begin, false);
        if (!takeSteps(past, moment, maxPastWeight))
            return false;
        if (m_nextStep && dueOf(*m_nextStep, *m_zero) <= pointOf(moment))
            continue;
        past.found = foundIn(*past.begin);
        return true;
    }
    past.steps.clear();
    m_nextStep.reset();
    m_cursor = cursorFrom(moment + milliseconds(1));
    past.begin = picture;
    m_listed.begin(picture, false);
    past.found = foundIn(picture);
    return takeSteps(past, moment, maxPastWeight);
}

std::unique_ptr<RecordingCursor> ReplayReader::cursorFrom(milliseconds moment) const
{
    return std::make_unique<RecordingCursor>(*m_recording, moment, pointOf(moment),
                                             RecordingCursor::AcrossGaps::Events);
}

/// False: there is a newer wish.
bool ReplayReader::takeSteps(ReplayStretch &stretch, milliseconds to, qint64 most)
{
    for (;;) {
        if (!m_nextStep)
            m_nextStep = m_cursor->next();
        if (most <= 0 || !m_nextStep || dueOf(*m_nextStep, *m_zero) > pointOf(to))
            break;
        most -= weightOfStep(*m_nextStep);
        m_listed.take(*m_nextStep, {});
        stretch.steps.push_back(std::move(*m_nextStep));
        m_nextStep.reset();
        if (isOld(stretch.wish))
            break;
    }
    if (!isOld(stretch.wish))
        return true;
    m_cursor.reset();
    return false;
}

void ReplayReader::finish(ReplayStretch &stretch, milliseconds to, bool isBroken)
{
    m_toldTo = to;
    stretch.to = to;
    stretch.at = pointOf(to);
    stretch.wallMs = m_recording->wallAt(to);
    stretch.lack = m_recording->lackAt(to);
    if (const auto confirmed = m_recording->confirmedAt(to); confirmed && !isBroken)
        stretch.confirmedAt = pointOf(*confirmed);
    if (isBroken && (stretch.lack == GapCause::None || stretch.lack == GapCause::NotWatched))
        stretch.lack = GapCause::Damaged;
    const auto lasts = [&](const RecordingGap &gap) {
        return gap.from <= to && gap.to >= m_recording->length();
    };
    stretch.isEverKnown =
        (!m_neverKnownFrom || to < *m_neverKnownFrom) && std::ranges::none_of(m_gaps, lasts);
}

milliseconds ReplayReader::momentOf(const RecordingCursor::Step &step) const
{
    return std::chrono::floor<milliseconds>(dueOf(step, *m_zero) - *m_zero);
}

void ReplayReader::seekEvent(quint64 wish, milliseconds from, bool isForward, bool isTold,
                             const ListedEvents &listed)
{
    if (!begins(wish))
        return;
    if (isForward && isTold && m_cursor && from == m_toldTo && goOnToNext(wish, listed))
        return;
    const auto found =
        isForward ? m_recording->eventAfter(from, listed) : m_recording->eventBefore(from, listed);
    seek(wish, found.value_or(isForward ? m_recording->length() : milliseconds(0)));
}

/// Continues from the last stretch up to the next event. False: it is too far.
bool ReplayReader::goOnToNext(quint64 wish, const ListedEvents &listed)
{
    const auto stretch = std::make_shared<ReplayStretch>();
    stretch->wish = wish;
    std::optional<milliseconds> to;
    qint64 most = maxToNextEvent;
    while (to || most > 0) {
        if (!m_nextStep)
            m_nextStep = m_cursor->next();
        if (isOld(wish)) {
            m_cursor.reset();
            return true;
        }
        if (!m_nextStep || (to && momentOf(*m_nextStep) > *to)) {
            finish(*stretch, to.value_or(m_recording->length()), m_cursor->isBroken());
            emit reported(stretch);
            return true;
        }
        const milliseconds at = momentOf(*m_nextStep);
        most -= weightOfStep(*m_nextStep);
        if (m_listed.take(*m_nextStep, listed) && !to && at > m_toldTo)
            to = at;
        stretch->steps.push_back(std::move(*m_nextStep));
        m_nextStep.reset();
    }
    m_cursor.reset();
    return false;
}

void ReplayReader::seekKnown(quint64 wish, milliseconds from)
{
    if (!begins(wish))
        return;
    const auto found = m_recording->knownAfter(from);
    if (!found && !isOld(wish))
        m_neverKnownFrom = from;
    seek(wish, found ? *found + milliseconds(1) : from); // also what is told at that moment
}

void ReplayReader::advance(quint64 wish, milliseconds to)
{
    if (!begins(wish))
        return;
    if (!m_cursor)
        return seek(wish, to);
    to = std::min(to, m_recording->length());
    const auto stretch = std::make_shared<ReplayStretch>();
    stretch->wish = wish;
    // Nobody wants to watch a time of which nothing is recorded.
    const GapCause lack = m_recording->lackAt(to);
    if (lack != GapCause::None && lack != GapCause::NotWatched) {
        for (const RecordingGap &gap : m_gaps) {
            if (gap.cause == lack && gap.from <= to && gap.to > to)
                to = gap.to;
        }
    }
    if (!takeSteps(*stretch, to, maxPlayed))
        return;
    if (!m_nextStep)
        m_nextStep = m_cursor->next();
    if (m_nextStep && dueOf(*m_nextStep, *m_zero) <= pointOf(to)) {
        to = std::clamp(momentOf(*m_nextStep) - milliseconds(1), std::min(m_toldTo, to), to);
    }
    finish(*stretch, to, m_cursor->isBroken());
    emit reported(stretch);
}

} // namespace lockscope
