// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/companionremnants.h"

#include "core/family/registry.h"

#include <utility>

namespace lockscope {

using namespace std::chrono_literals;

namespace {

constexpr auto keptFor = 60s; // a queue outlives its lock between two owners
constexpr auto tidyInterval = 1s;
constexpr qsizetype maxRemnants = 10'000;
constexpr int minReadings = 2;    // of the queue of a suspected orphan
constexpr auto minOrphanAge = 2s; // who is next takes a fair lock within milliseconds
constexpr int readingsUntilReread = 16;
constexpr int maxReadings = 64;

} // namespace

void CompanionRemnants::dropExpired(TimePoint now)
{
    if (now - m_tidiedAt < tidyInterval)
        return;
    m_tidiedAt = now;
    m_remnants.removeIf([now](const auto &left) {
        return now - left->at > keptFor && left->lock.companions->waiters.queue.isEmpty();
    });
}

void CompanionRemnants::keep(const Lock &lock, TimePoint now)
{
    // A job's lock does not come back.
    if (lock.companions->implied.isEmpty() || specOf(lock.family).acquire == AcquireSupport::IsJob)
        return;
    dropExpired(now);
    if (m_remnants.size() >= maxRemnants)
        return;
    Lock left = lock;
    left.owners.clear();
    left.ttl = {};
    left.deadline = {};
    left.problems = {};
    if (!left.companions->permits.isEmpty()) { // which went with it
        CompanionState companions = *left.companions;
        companions.permits.clear();
        companions.freePermits.clear();
        left.companions = CompanionStatePtr(companions);
    }
    m_remnants.insert(lock.key(), {left, now, 0});
}

CompanionStatePtr CompanionRemnants::takeState(const LockKey &key)
{
    return m_remnants.isEmpty() ? CompanionStatePtr() : m_remnants.take(key).lock.companions;
}

void CompanionRemnants::recordQueue(const LockAddress &lock, Family family, TimePoint now)
{
    const auto known = m_remnants.constFind(lock.key);
    const bool isCandidate = known != m_remnants.cend() && known->lock.companions->waiters.count > 0;
    if (isCandidate || m_remnants.size() >= maxRemnants)
        return;
    CompanionState companions;
    companions.implied.insert(family);
    companions.waiters.certainty = WaiterCertainty::AtLeast; // it is not read yet
    companions.waiters.count = 1;
    Lock left;
    left.address = lock;
    left.family = family;
    left.companions = CompanionStatePtr(companions);
    m_remnants.insert(lock.key, {left, now, 0});
}

QList<Lock> CompanionRemnants::orphanCandidates(qsizetype max) const
{
    QList<Lock> locks;
    for (auto left = m_remnants.cbegin(); left != m_remnants.cend() && locks.size() < max; ++left) {
        if (specOf(left->lock.family).lockOfQueue && left->lock.companions->waiters.count > 0)
            locks.append(left->lock);
    }
    return locks;
}

void CompanionRemnants::apply(const LockKey &key, const CompanionState &companions, TimePoint now)
{
    const auto left = m_remnants.find(key);
    if (left == m_remnants.end())
        return;
    CompanionState after = companions;
    after.keepKindOf(*left->lock.companions);
    left->lock.companions = CompanionStatePtr(after);
    if (after.waiters.queue.isEmpty() || ++left->readings < minReadings || now - left->at < minOrphanAge)
        return;
    if (left->readings >= maxReadings) { // its key can't be read; a scan may meet the queue again
        m_remnants.erase(left);
        return;
    }
    // The lock may be held again without a change hint, and the reading of its key may be lost with the connection.
    if (!left->isSuspected || left->readings % readingsUntilReread == 0)
        m_suspected.append(key);
    left->isSuspected = true;
}

QList<LockKey> CompanionRemnants::takeSuspectedOrphans()
{
    return std::exchange(m_suspected, {});
}

std::optional<Lock> CompanionRemnants::takeOrphan(const LockKey &key, TimePoint now)
{
    const auto left = m_remnants.constFind(key);
    if (left == m_remnants.cend() || !left->isSuspected)
        return std::nullopt;
    Lock orphan = left->lock;
    orphan.type = KeyType::Unknown; // whatever comes
    orphan.problems = Problem::Orphaned;
    orphan.readAt = now;
    m_remnants.erase(left);
    return orphan;
}

void CompanionRemnants::forget(const LockKey &key)
{
    m_remnants.remove(key);
}

void CompanionRemnants::clear()
{
    m_remnants.clear();
    m_suspected.clear();
}

} // namespace lockscope
