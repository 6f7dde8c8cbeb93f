// SPDX-License-Identifier: GPL-3.0-or-later
// How a worker gives back what it holds, whatever goes wrong meanwhile.
#include "core/simulation/workers/worker.h"

#include <algorithm>

namespace lockscope {

using What = LogLine::What;

void Worker::releaseAll(const Iteration &visit)
{
    while (!m_held.empty() && !m_control.isKilled())
        releaseLast(visit);
    countCommands();
}

void Worker::releaseLast(const Iteration &visit)
{
    for (int &levels = m_held.back().levels; levels > 1; --levels) {
        m_current = m_held.back().lock;
        releaseLevel(visit, m_current);
        m_reporter->show(WorkerState::Holding, m_current, levels - 1);
        m_clock.sleepUntil(m_clock.now() + visit.step);
        if (m_control.isKilled())
            return;
    }
    if (m_held.size() == 1 && !m_control.setOut())
        return;
    const Held held = m_held.back();
    m_held.pop_back(); // before anything can end this life: the referee is told of one end of a stay alone
    const microseconds hold = std::chrono::duration_cast<microseconds>(Clock::now() - held.entered);
    m_control.count([hold](WorkerStats &stats) { stats.hold.record(hold); });
    m_current = held.lock;
    m_reporter->tellReferee({.kind = RefereeEvent::Kind::Leave, .lock = held.lock});
    m_reporter->trace(TraceEntry::Kind::ReleaseBegan, held.lock);
    if (visit.fault == Fault::PauseInRelease && !pauseBeforeRelease(visit))
        return;
    if (visit.fault == Fault::ReleaseReplyLost)
        m_links->commands().dropNextReply();
    releaseLevel(visit, held.lock);
    if (visit.fault == Fault::AcquireReplyLost || visit.fault == Fault::ReleaseReplyLost)
        checkForLeak(held.lock);
}

/// For a release without a gap between check and delete, which can only be late as a whole. False: killed
/// meanwhile.
bool Worker::pauseBeforeRelease(const Iteration &visit)
{
    if (hasGap(releaseOf(algorithmOf(visit))))
        return true; // it pauses there
    pauseFor(visit.pause);
    m_reporter->tellReferee({.kind = RefereeEvent::Kind::Deleting, .lock = m_current});
    return !m_control.isKilled();
}

/// Releases one level, until the outcome is known: a command is repeated only if it provably did not run.
void Worker::releaseLevel(const Iteration &visit, int lock)
{
    LockStrategy &lockStrategy = strategy(visit, lock);
    const TimePoint sent = Clock::now();
    for (;;) {
        const int believed = lockStrategy.localHoldCount();
        const Result<ReleaseResult> returned = lockStrategy.release();
        if (returned) {
            if (returned->verdict == ReleaseResult::Verdict::Died)
                return;
            if (returned->deleted)
                m_reporter->tellReferee({.kind = RefereeEvent::Kind::Deleted, .lock = lock});
            if (returned->execRefused)
                m_control.count([](WorkerStats &stats) { ++stats.execsRefused; });
            const bool held = returned->verdict != ReleaseResult::Verdict::NotHeld;
            if (!held && believed > 0) // else it knew already, and it has been counted
                m_control.count([](WorkerStats &stats) { ++stats.lost; });
            m_reporter->log(held ? What::Released : What::NotHeld, lock);
            m_reporter->traceRelease(algorithmOf(visit), lock, sent, visit.lease, *returned,
                                     lockStrategy.localHoldCount() == 0);
            return;
        }
        m_control.count([](WorkerStats &stats) { ++stats.errors; });
        m_reporter->trace(TraceEntry::Kind::NoReply, lock);
        if (m_life.stop_requested() || endsForGood(returned.error()) || !connect())
            return;
        const Result<int> stored = lockStrategy.storedHolds();
        if (!stored && endsForGood(stored.error()))
            return;
        if (!stored)
            continue;
        lockStrategy.setLocalHoldCount(std::min(*stored, believed));
        if (*stored < believed) {
            m_reporter->log(What::Released, lock);
            const bool isLast = *stored == 0;
            m_reporter->traceRelease(algorithmOf(visit), lock, sent, visit.lease,
                                     {.verdict = ReleaseResult::Verdict::Released,
                                      .isPublished = isLast && lockStrategy.isWoken()},
                                     isLast);
            return;
        }
    }
}

/// After a lost reply: checks whether the server still has the worker as a holder.
void Worker::checkForLeak(int lock)
{
    LockStrategy &lockStrategy = strategy(*m_visit, lock);
    const Result<int> stored = lockStrategy.storedHolds();
    if (!stored || *stored == 0 || lockStrategy.localHoldCount() > 0)
        return;
    m_reporter->tellReferee({.kind = RefereeEvent::Kind::Leaked, .lock = lock});
}

} // namespace lockscope
