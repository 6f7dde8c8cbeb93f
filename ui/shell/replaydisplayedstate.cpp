// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/replaydisplayedstate.h"

#include "core/words/recordingmessages.h"
#include "ui/locks/lockspage.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// Returns the latest moment at which the known data was true.
TimePoint lackingSince(const Replay &replay)
{
    for (const RecordingGap &gap : replay.outline().gaps) {
        if (gap.from <= replay.moment() && gap.to >= replay.moment())
            return replay.now() - (replay.moment() - gap.from);
    }
    return replay.now();
}

} // namespace

ReplayDisplayedState::ReplayDisplayedState(Replay &replay, LocksPage &locks, Words words, QObject *parent)
    : DisplayedState(replay, locks, std::move(words), parent), m_replay(replay)
{
    connect(&replay, &Replay::rewound, this, &ReplayDisplayedState::rewind);
    connect(&replay, &Replay::locksRestored, this, &ReplayDisplayedState::takeKnown);
    connect(&replay, &Replay::restored, this, [this](bool isWhole) {
        if (!isWhole)
            m_history.addLost(m_source.wallNow());
    });
    connect(&replay, &Replay::gapTold, this, [this](const RecordingGap &gap) {
        addMoment({MonitorEventKind::FeedGap, describe(gap), gap.wallFromMs, {}});
    });
    connect(&replay, &Replay::partTold, this, &ReplayDisplayedState::takePart);
    connect(&replay, &Replay::arrived, this, &ReplayDisplayedState::arrive);
}

void ReplayDisplayedState::take(const MonitorReport &event)
{
    DisplayedState::take(event);
    if (const auto *cluster = std::get_if<ClusterStatus>(&event))
        m_locks.setCluster(*cluster);
}

void ReplayDisplayedState::rewind()
{
    m_isJumping = true;
    m_held = PausedChanges();
    m_log.clear();
    m_history.clear();
    if (!m_replay.isTellingPast()) // gray until all of it is told
        m_locks.replay(m_source.now(), m_source.wallNow(), m_source.now());
    emit rewound();
}

/// In a jump, collects events only: the table gets the locks of the target position.
void ReplayDisplayedState::hold(const LockDiff &diff)
{
    if (m_isJumping)
        m_held.add({.changed = {}, .removed = {}, .events = diff.events}, {});
    else
        DisplayedState::hold(diff);
}

void ReplayDisplayedState::addMoment(const MonitorEvent &moment)
{
    m_history.add(moment);
    m_held.add(moment);
}

/// Takes known locks without events. The table gets the locks of the position once; the history gets what was
/// known before, and what follows.
void ReplayDisplayedState::takeKnown(const LockDiff &part)
{
    if (m_replay.isTellingPast())
        return m_history.apply(part, m_source.wallNow());
    if (const LockDiff diff = othersThanShown(part); !diff.isEmpty())
        show(diff);
}

LockDiff ReplayDisplayedState::othersThanShown(const LockDiff &told) const
{
    LockDiff diff{.changed = {}, .removed = told.removed, .events = {}};
    for (const WatchedLock &lock : told.changed) {
        const WatchedLock *shown = m_locks.model().find(lock.key());
        if (!shown || !isRecordedAlike(*shown, lock))
            diff.changed.append(lock);
    }
    return diff;
}

void ReplayDisplayedState::showTold()
{
    m_log.addLost(m_held.takeLost());
    const QList<MonitorEvent> moments = m_held.takeMoments();
    const LockDiff diff = m_held.take();
    if (m_isJumping)
        m_log.append(diff.events, moments);
    else if (!diff.isEmpty() || !moments.isEmpty())
        show(diff, moments);
}

void ReplayDisplayedState::showTime()
{
    const TimePoint now = m_source.now();
    std::optional<TimePoint> stale;
    if (m_replay.isHalfTold())
        stale = now;
    else if (m_replay.lack() != GapCause::None)
        stale = std::min(at().value_or(lackingSince(m_replay)), now);
    m_locks.replay(now, m_source.wallNow(), stale);
    emit timeChanged(stale.has_value());
}

/// Shows what was read so far, if reading takes more than one turn of the event loop.
void ReplayDisplayedState::takePart()
{
    if (m_replay.isHalfTold() || !m_isJumping)
        showTime();
    showTold();
    emit reported(false, m_isJumping);
}

void ReplayDisplayedState::arrive()
{
    showTime();
    showDeadlocks(m_source.watched().deadlocks());
    showTold();
    const bool isJump = std::exchange(m_isJumping, false);
    if (isJump) {
        m_locks.followHoldTimes();
        show({}); // what is chosen is of another time, too
        m_locks.restartWaits();
    }
    emit reported(true, isJump);
}

} // namespace lockscope
