// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/lockintake.h"

#include "core/family/certainty.h"
#include "core/family/shapes.h"
#include "core/family/weaktoken.h"
#include "core/model/quorummerge.h"

#include <utility>

namespace lockscope {

namespace {

/// True for a key that is likely a lock, though a word in its name, or another key's content, is all that nominated it.
bool isLikelyLock(const Lock &lock, KeyNameFilter::By by)
{
    if (isProven(lock.family, lock.evidence))
        return true;
    if (by == KeyNameFilter::By::Content || lock.type != KeyType::String || isHidden(lock))
        return false;
    if (isPossible(lock))
        return lock.deadline.has_value();
    // A counter goes through all numbers, and a setting has no lease.
    const WeakToken weak = weakTokenOf(lock);
    return lock.deadline
               ? weak != WeakToken::Number
               : weak == WeakToken::No && shapeOf(lock.owners.first().owner.bytes) != TokenFormat::Other;
}

/// As a key that is no lock, nor becomes one by being written anew.
Inspection asNoLock(Inspection inspection)
{
    Lock &lock = *inspection.lock;
    lock.family = {};
    lock.evidence = {};
    lock.problems &= Problem::TooBig;
    lock.ttl.reset(); // one that is written with a new lease each time would become a lock
    lock.leaseOf = LeaseOf::Unknown;
    return inspection;
}

} // namespace

void LockIntake::take(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden)
{
    const QByteArray &name = inspection.key.bytes;
    using By = KeyNameFilter::By;
    const By by = inspection.lock ? m_names.nomination(name) : By::Nothing;
    const bool isUsual = by > By::Pattern;
    const bool isNew = isUsual && !m_locks.find(inspection.key);
    const bool isDoubted = by >= By::Word && !isLikelyLock(*inspection.lock, by);
    store(isDoubted ? asNoLock(inspection) : inspection, now, isPushed, wasHidden);
    const WatchedLock *known = isUsual ? m_locks.find(inspection.key) : nullptr;
    const QByteArray leftOut = known ? m_names.note(name, !isNoLock(known->lock), isNew) : QByteArray();
    if (leftOut.isEmpty())
        return;
    m_leftOut.append(leftOut);
    forgetOthers();
}

void LockIntake::setPatterns(const QList<QByteArray> &patterns, const FamilySet &undiscovered)
{
    m_namesBefore = m_names;
    m_names.setPatterns(patterns, undiscovered);
    forgetOthers();
}

void LockIntake::forgetOthers()
{
    for (const LockKey &key : m_locks.keys()) {
        if (!m_names.contains(key.bytes))
            m_locks.forget(key);
    }
}

void LockIntake::store(const Inspection &inspection, TimePoint now, bool isPushed, bool wasHidden)
{
    const bool isFull = m_locks.size() >= m_options.maxLocks || m_locks.bytes() >= m_options.maxBytes;
    if (inspection.lock && isFull && !m_locks.find(inspection.key)) {
        m_isOverfull = true;
    } else if (inspection.lock && !m_options.rules.isEmpty()) {
        Inspection ruled = inspection;
        nameByRules(m_options.rules, *ruled.lock);
        m_locks.apply(ruled, now, isPushed, wasHidden);
    } else {
        m_locks.apply(inspection, now, isPushed, wasHidden);
    }
}

std::optional<Error> LockIntake::takeOverfull()
{
    if (!std::exchange(m_isOverfull, false))
        return std::nullopt;
    return Error(ErrorKind::TooManyLocks,
                 Phrase(QT_TRANSLATE_NOOP("phrases", "the limit of %1 locks is reached"), m_locks.size()));
}

void LockIntake::actionEnded(const LockKey &key)
{
    if (const auto found = m_actions.find(key); found != m_actions.end() && --*found == 0)
        m_actions.erase(found);
}

bool LockIntake::isOfAction(const Inspection &inspection) const
{
    if (!m_actions.contains(inspection.key))
        return false;
    const WatchedLock *known = m_locks.find(inspection.key);
    return known && !(inspection.lock && haveSameOwners(inspection.lock->owners, known->lock.owners));
}

} // namespace lockscope
