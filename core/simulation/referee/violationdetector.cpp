// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/referee/violationdetector.h"

#include <algorithm>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr qsizetype maxStories = 100;
// A waiter whose timer ends while its wake-up is on the way has lost none.
constexpr microseconds wakeUpPatience = 20ms;

} // namespace

ViolationDetector::ViolationDetector(microseconds start) : m_start(start) {}

void ViolationDetector::take(const RefereeEvent &event)
{
    using Kind = RefereeEvent::Kind;
    if (event.kind == Kind::ServerLosing || event.kind == Kind::ServerLost) {
        m_losing = event.kind == Kind::ServerLosing;
        m_lostAt = event.at;
        return;
    }
    if (event.kind == Kind::ProcessStalled || event.kind == Kind::ProcessResumed) {
        m_stalled += event.kind == Kind::ProcessStalled ? 1 : -1;
        m_resumedAt = event.at;
        return;
    }
    Section &section = m_sections[event.lock];
    switch (event.kind) {
    case Kind::Enter:
        return enter(section, event);
    case Kind::Leave:
        return leave(section, event);
    case Kind::Crash:
        return crash(section, event);
    case Kind::Deleting:
        if (const auto stay = std::ranges::find(section.left, event.worker, &Occupant::worker);
            stay != section.left.end())
            stay->isLate = section.entries > stay->entry;
        return;
    case Kind::Deleted:
        return deleted(section, event);
    case Kind::Renewed:
        if (const auto stay = std::ranges::find(section.inside, event.worker, &Occupant::worker);
            stay != section.inside.end())
            stay->leaseEnds = event.leaseEnds;
        return;
    case Kind::Leaked: {
        Violation leak = violationBy(ViolationKind::Leak, event);
        leak.holder = event.worker;
        return add(leak);
    }
    case Kind::ServerLosing:
    case Kind::ServerLost:
    case Kind::ProcessStalled:
    case Kind::ProcessResumed:
        return;
    }
}

void ViolationDetector::enter(Section &section, const RefereeEvent &event)
{
    Occupant intruder{event.worker, event.at, event.asked, event.leaseEnds, event.fence, section.entries + 1};
    // Handed over by the holder's release, so after its leave; unless others have had it since that release, while this
    // one's process stood still.
    const bool isNewest = event.fence < 0 || event.fence > section.highestFence;
    if (event.granted > 0us && section.released && section.leftInTime && isNewest) {
        intruder.asked = std::max(intruder.asked, section.lastLeave);
        intruder.leaseEnds = std::max(intruder.leaseEnds, section.lastLeave + event.granted);
    }
    const bool overlaps = !section.inside.empty();
    const bool isPassed = event.fence < 0 ? overlaps : event.fence < section.highestFence;
    const bool isLate = isPassed && event.at >= intruder.leaseEnds;
    if (overlaps)
        overlap(section, intruder, event.lock);
    else
        checkWakeUp(section, event);
    // A token that comes late is smaller, and of no use to its owner; one that comes twice is wrong in any case.
    if (event.fence >= 0 &&
        (event.fence == section.highestFence || (event.fence < section.highestFence && !isLate))) {
        Violation repeated = violationBy(ViolationKind::FenceRepeated, event);
        repeated.fence = event.fence;
        repeated.fenceBefore = section.highestFence;
        add(repeated);
    }
    section.highestFence = std::max(section.highestFence, event.fence);
    std::erase_if(section.left, [&event](const Occupant &stay) { return stay.worker == event.worker; });
    // Whoever comes when its own lease is over makes nobody else late but itself.
    if (isLate)
        intruder.entry = section.entries - 1;
    else
        section.entries = intruder.entry;
    section.inside.push_back(intruder);
}

/// Reports the latest worker inside, but an explanation must hold for all.
void ViolationDetector::overlap(const Section &section, const Occupant &intruder, int lock)
{
    const auto unexplained =
        std::find_if(section.inside.rbegin(), section.inside.rend(),
                     [&](const Occupant &stay) { return explain(stay, intruder) == OverlapCause::None; });
    const Occupant &holder = unexplained == section.inside.rend() ? section.inside.back() : *unexplained;
    Violation overlap{ViolationKind::Overlap, explain(holder, intruder), lock, holder.worker,
                      intruder.worker};
    overlap.holderEntered = holder.entered - m_start;
    overlap.at = intruder.entered - m_start;
    overlap.since =
        intruder.entered - (overlap.explanation == OverlapCause::CameLate ? intruder : holder).leaseEnds;
    add(overlap);
}

/// Checks how a free lock came to the worker that had been waiting.
void ViolationDetector::checkWakeUp(const Section &section, const RefereeEvent &event)
{
    const bool waitedThen = event.waited > 0us && event.at - event.waited <= section.lastLeave;
    if (!section.released || !waitedThen)
        return;
    m_findings.handoff.record(event.at - section.lastLeave);
    // A release that the server has not answered yet can't have woken anybody: it may stand still, or be away. Nor does
    // it matter how long the way in took after the timer had ended: a thread may get no turn.
    const microseconds free = event.asked - section.freed.value_or(event.asked);
    if (!event.byTimer || free < wakeUpPatience || m_losing || m_lostAt >= section.lastLeave)
        return;
    if (event.at - event.waited <= m_lostAt) // its place in the queue is lost, too
        return;
    // It may have been sent to one that stands still.
    if (m_stalled > 0 || m_resumedAt >= section.lastLeave)
        return;
    Violation lost = violationBy(ViolationKind::LostWakeUp, event);
    lost.since = free;
    add(lost);
}

OverlapCause ViolationDetector::explain(const Occupant &holder, const Occupant &intruder) const
{
    if (intruder.entered >= holder.leaseEnds)
        return OverlapCause::LeaseEnded;
    // What it was told before the loss may have reached it after that.
    if (m_losing || m_lostAt >= std::min(holder.asked, intruder.asked))
        return OverlapCause::ServerLostData;
    return intruder.entered >= intruder.leaseEnds ? OverlapCause::CameLate : OverlapCause::None;
}

void ViolationDetector::leave(Section &section, const RefereeEvent &event)
{
    const auto found = std::ranges::find(section.inside, event.worker, &Occupant::worker);
    if (found == section.inside.end())
        return;
    Occupant stay = *found;
    section.inside.erase(found);
    stay.isLate = section.entries > stay.entry;
    const bool isInTime = event.at < stay.leaseEnds;
    if (stay.isLate && stay.fence >= 0 && stay.fence < section.highestFence) {
        ++m_findings.rejectedWrites;
    } else if (stay.isLate) {
        Violation stale = violationBy(ViolationKind::StaleWrite, event);
        stale.holderEntered = stay.entered - m_start;
        if (!section.inside.empty())
            stale.holder = section.inside.back().worker;
        add(stale);
    } else {
        section.lastLeave = event.at;
        section.freed.reset();
        section.released = true;
        section.leftInTime = isInTime;
    }
    section.left.push_back(stay);
}

void ViolationDetector::crash(Section &section, const RefereeEvent &event)
{
    const auto ofWorker = [&event](const Occupant &stay) { return stay.worker == event.worker; };
    const bool wasLast = !section.inside.empty() && ofWorker(section.inside.back());
    std::erase_if(section.inside, ofWorker);
    std::erase_if(section.left, ofWorker);
    if (wasLast) {
        section.lastLeave = event.at;
        section.freed.reset();
        section.released = false;
    }
}

void ViolationDetector::deleted(Section &section, const RefereeEvent &event)
{
    const auto stay = std::ranges::find(section.left, event.worker, &Occupant::worker);
    if (stay == section.left.end())
        return;
    if (stay->isLate) {
        Violation foreign = violationBy(ViolationKind::ForeignRelease, event);
        if (!section.inside.empty()) {
            foreign.holder = section.inside.back().worker;
            foreign.holderEntered = section.inside.back().entered - m_start;
        }
        add(foreign);
    } else {
        section.freed = event.at;
    }
    section.left.erase(stay);
}

Violation ViolationDetector::violationBy(ViolationKind kind, const RefereeEvent &event) const
{
    Violation violation{kind, OverlapCause::None, event.lock, -1, event.worker};
    violation.at = event.at - m_start;
    return violation;
}

void ViolationDetector::add(const Violation &violation)
{
    ++(m_findings.*violationCounts[size_t(violation.kind)]);
    if (violation.kind == ViolationKind::Overlap && violation.explanation == OverlapCause::None)
        ++m_findings.unexplainedOverlaps;
    // The first of a sort is kept however many of others came before it.
    const bool isFirst = !m_kept.contains(violation.kind);
    if (isFirst || m_findings.examples.size() < maxStories)
        m_findings.examples.append(violation);
    m_kept.insert(violation.kind);
}

} // namespace lockscope
