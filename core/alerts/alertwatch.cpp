// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertwatch.h"

#include "core/family/certainty.h"
#include "core/family/renewalhealth.h"

#include <algorithm>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

/// Those that one lock can break, in the order in which they are told.
constexpr std::array lockRules{AlertKind::NoExpiry, AlertKind::HeldTooLong, AlertKind::HeldUnusuallyLong,
                               AlertKind::ManyWaiters, AlertKind::StalledHolder};
constexpr auto always = TimePoint::min();
constexpr auto never = TimePoint::max();
/// Until a lock is looked at again whose server is not reached.
constexpr auto retryAfter = 1s;

QByteArray idOf(AlertKind kind, const QByteArray &subject)
{
    return char('a' + int(kind)) + subject;
}

QByteArray idOf(AlertKind kind, const LockKey &key)
{
    return idOf(kind, key.bytes);
}

QList<LockKey> locksOf(const Deadlock &deadlock)
{
    QList<LockKey> keys;
    for (const WaitEdge &edge : deadlock.cycle)
        keys.append(edge.lock);
    return keys;
}

/// Of the same waits for the same locks.
QByteArray idOf(const Deadlock &deadlock)
{
    QByteArray subject;
    for (const WaitEdge &edge : deadlock.cycle) {
        for (const QByteArray &part : {edge.lock.bytes, edge.waiter, edge.owner})
            subject += QByteArray::number(part.size()) + ':' + part;
    }
    return idOf(AlertKind::Deadlock, subject);
}

/// What a moment that is told too late, or a very long time, must not turn around.
TimePoint later(TimePoint from, milliseconds by)
{
    return by > Deadline::horizon ? never : from + by;
}

bool haveSameIds(const QList<LockOwner> &a, const QList<LockOwner> &b)
{
    return std::ranges::equal(a, b, {}, &LockOwner::owner, &LockOwner::owner);
}

} // namespace

AlertWatch::Subject AlertWatch::subjectOf(const WatchedLock &watched, const HoldTimes &usual) const
{
    const Lock &lock = watched.lock;
    Subject subject;
    subject.since.fill(never);
    const Problems problems = watched.problems();
    // What can't be read any more is as it was read last.
    if (isHidden(lock) || problems.testFlag(Problem::Unreadable))
        return subject;
    const Waiters &waiters = lock.beside->waiters;
    subject.family = lock.family;
    subject.owners = lock.owners;
    subject.heldSince = watched.heldSince;
    subject.waiters = waiters.certainty == WaiterCertainty::Unknown ? 0 : waiters.count;
    subject.isAtLeast = waiters.certainty == WaiterCertainty::AtLeast;
    const auto from = [&subject](AlertKind kind) -> TimePoint & { return subject.since.at(size_t(kind)); };
    if (m_rules.noExpiry && problems.testFlag(Problem::NoExpiry))
        from(AlertKind::NoExpiry) = always;
    if (m_rules.maxWaiters && subject.waiters > *m_rules.maxWaiters)
        from(AlertKind::ManyWaiters) = always;
    if (lock.owners.isEmpty() || (lock.quorum && !lock.quorum->isHeld))
        return subject;
    if (m_rules.maxHeld)
        from(AlertKind::HeldTooLong) = later(watched.heldSince, *m_rules.maxHeld);
    if (m_rules.timesUsual) {
        if (const auto unusual = usual.of(lock.key()).unusualFrom(*m_rules.timesUsual)) {
            subject.unusualFrom = *unusual;
            from(AlertKind::HeldUnusuallyLong) = later(watched.heldSince, *unusual);
        }
    }
    if (m_rules.stalledHolder && subject.waiters > 0)
        from(AlertKind::StalledHolder) = overdueAfter(watched);
    return subject;
}

void AlertWatch::setRules(const AlertRules &rules, const QList<WatchedLock> &locks, const HoldTimes &usual,
                          TimePoint now)
{
    m_rules = rules;
    for (const LockKey &key : m_subjects.keys())
        forget(key, now);
    if (!rules.connectionLost)
        endMissing(AlertKind::ConnectionLost, {}, now);
    for (const WatchedLock &watched : locks)
        judge(watched, usual, now);
    takeDeadlocks(m_deadlocks, now);
}

void AlertWatch::take(const LockDiff &diff, const HoldTimes &usual, TimePoint now)
{
    for (const LockKey &key : diff.removed)
        forget(key, now);
    for (const WatchedLock &watched : diff.changed)
        judge(watched, usual, now);
}

void AlertWatch::judge(const WatchedLock &watched, const HoldTimes &usual, TimePoint now)
{
    Subject subject = subjectOf(watched, usual);
    const auto known = m_subjects.find(watched.key());
    if (std::ranges::all_of(subject.since, [](TimePoint since) { return since == never; })) {
        if (known != m_subjects.end())
            forget(watched.key(), now);
        return;
    }
    if (known == m_subjects.end())
        return judge(watched.key(), *m_subjects.insert(watched.key(), std::move(subject)), now);
    // Of another owner it is another hold: what was said of the one before is over.
    if (!haveSameIds(known->owners, subject.owners) || known->heldSince != subject.heldSince) {
        for (const AlertKind kind : lockRules) {
            if (kind != AlertKind::ManyWaiters)
                end(idOf(kind, watched.key()), now);
        }
    }
    subject.due = known->due;
    *known = std::move(subject);
    judge(watched.key(), *known, now);
}

void AlertWatch::judge(const LockKey &key, Subject &subject, TimePoint now)
{
    TimePoint next = never;
    const bool knows = isCurrent(key);
    for (const AlertKind kind : lockRules) {
        const TimePoint since = subject.since.at(size_t(kind));
        if (since > now) {
            next = std::min(next, since);
            end(idOf(kind, key), now);
        } else if (knows) {
            raise(idOf(kind, key), alertOf(key, subject, kind, now));
        } else {
            next = std::min(next, later(now, retryAfter));
        }
    }
    schedule(key, subject, next);
}

void AlertWatch::schedule(const LockKey &key, Subject &subject, TimePoint due)
{
    if (subject.due == due)
        return;
    if (subject.due != never)
        m_due.erase({subject.due, key});
    subject.due = due;
    if (due != never)
        m_due.insert({due, key});
}

void AlertWatch::forget(const LockKey &key, TimePoint now)
{
    const auto known = m_subjects.find(key);
    if (known == m_subjects.end())
        return;
    schedule(key, *known, never);
    m_subjects.erase(known);
    for (const AlertKind kind : lockRules)
        end(idOf(kind, key), now);
}

/// Of a lock whose server does not answer only what was is known.
bool AlertWatch::isCurrent(const LockKey &key) const
{
    if (!m_isReady || !m_isScanned)
        return false;
    const NodeStatus *node = m_cluster.nodeOf(key);
    return !node || (node->isReady() && node->isCurrent);
}

void AlertWatch::takeDeadlocks(const QList<Deadlock> &deadlocks, TimePoint now)
{
    m_deadlocks = deadlocks;
    QSet<QByteArray> ids;
    if (m_rules.deadlock) {
        for (const Deadlock &deadlock : deadlocks) {
            const QList<LockKey> locks = locksOf(deadlock);
            Alert alert{.kind = AlertKind::Deadlock, .raisedAt = now};
            alert.key = locks.value(0);
            alert.cycle = locks;
            ids.insert(idOf(deadlock));
            raise(idOf(deadlock), std::move(alert));
        }
    }
    endMissing(AlertKind::Deadlock, ids, now);
}

void AlertWatch::takeConnection(bool isReady, TimePoint now)
{
    if (m_isReady == isReady)
        return;
    m_isReady = isReady;
    if (isReady) {
        m_wasReady = true;
        end(idOf(AlertKind::ConnectionLost, QByteArray()), now);
        return;
    }
    m_isScanned = false;
    if (m_wasReady && m_rules.connectionLost)
        raise(idOf(AlertKind::ConnectionLost, QByteArray()),
              {.kind = AlertKind::ConnectionLost, .raisedAt = now});
}

void AlertWatch::takeCluster(const ClusterStatus &cluster, TimePoint now)
{
    m_cluster = cluster;
    QSet<QByteArray> ids{idOf(AlertKind::ConnectionLost, QByteArray())}; // takeConnection() has this one
    if (m_rules.connectionLost && cluster.hasSeveral()) {
        for (const NodeStatus &node : cluster.missing()) {
            const QByteArray id = idOf(AlertKind::ConnectionLost, node.name.toUtf8());
            ids.insert(id);
            Alert alert{.kind = AlertKind::ConnectionLost, .raisedAt = now};
            alert.server = node.name;
            raise(id, std::move(alert));
        }
    }
    endMissing(AlertKind::ConnectionLost, ids, now);
}

void AlertWatch::takeScan(TimePoint now)
{
    if (!m_isReady || std::exchange(m_isScanned, true))
        return;
    for (auto subject = m_subjects.begin(); subject != m_subjects.end(); ++subject)
        judge(subject.key(), *subject, now);
}

/// Over as soon as it is told: nothing brings the locks back.
void AlertWatch::takeReset(const ServerReset &reset)
{
    if (!m_rules.reset)
        return;
    Alert alert{.kind = AlertKind::Reset, .raisedAt = reset.at};
    alert.resetOf = reset;
    alert.endedAt = reset.at;
    alert.number = m_nextNumber++;
    m_changes.append({Change::What::Raised, alert});
}

void AlertWatch::advance(TimePoint now)
{
    while (!m_due.empty() && m_due.begin()->first <= now) {
        const LockKey key = m_due.begin()->second;
        judge(key, m_subjects[key], now);
    }
}

Alert AlertWatch::alertOf(const LockKey &key, const Subject &subject, AlertKind kind, TimePoint now) const
{
    Alert alert{
        .kind = kind, .key = key, .family = subject.family, .owners = subject.owners, .raisedAt = now};
    if (kind == AlertKind::HeldTooLong || kind == AlertKind::HeldUnusuallyLong) {
        alert.held = std::chrono::duration_cast<milliseconds>(now - subject.heldSince);
        alert.limit = kind == AlertKind::HeldTooLong ? m_rules.maxHeld.value_or(0ms) : subject.unusualFrom;
    }
    if (kind == AlertKind::ManyWaiters || kind == AlertKind::StalledHolder) {
        alert.waiters = subject.waiters;
        alert.isAtLeast = subject.isAtLeast;
    }
    return alert;
}

void AlertWatch::raise(const QByteArray &id, Alert alert)
{
    if (m_open.contains(id))
        return;
    if (m_open.size() >= mostOpen) {
        m_notRaised.insert(id);
        return;
    }
    m_notRaised.remove(id);
    auto what = Change::What::Raised;
    if (const auto before = m_ended.find(id); before != m_ended.end()) {
        if (alert.raisedAt - *before->alert.endedAt < sameAlert) {
            what = Change::What::RaisedAgain;
            alert.number = before->alert.number;
            alert.times = before->alert.times + 1;
        }
        m_endings.erase(before->place);
        m_ended.erase(before);
    }
    if (alert.number == 0)
        alert.number = m_nextNumber++;
    m_changes.append({what, alert});
    m_open.insert(id, std::move(alert));
}

void AlertWatch::end(const QByteArray &id, TimePoint now)
{
    m_notRaised.remove(id);
    const auto open = m_open.find(id);
    if (open == m_open.end())
        return;
    Alert alert = std::move(*open);
    m_open.erase(open);
    alert.endedAt = now;
    m_changes.append({Change::What::Ended, alert});
    m_ended.insert(id, {std::move(alert), m_nextEnding});
    m_endings.emplace(m_nextEnding++, id);
    if (m_endings.size() > mostEnded) {
        m_ended.remove(m_endings.begin()->second);
        m_endings.erase(m_endings.begin());
    }
}

void AlertWatch::endMissing(AlertKind kind, const QSet<QByteArray> &ids, TimePoint now)
{
    QList<QByteArray> over;
    for (auto open = m_open.cbegin(); open != m_open.cend(); ++open) {
        if (open->kind == kind && !ids.contains(open.key()))
            over.append(open.key());
    }
    for (const QByteArray &id : over)
        end(id, now);
}

} // namespace lockscope
