// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alerts/alertwatch.h"

#include "core/base/match.h"
#include "core/family/certainty.h"
#include "core/family/registry.h"
#include "core/family/weaktoken.h"
#include "core/state/lockstate.h"

#include <algorithm>
#include <vector>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

constexpr auto never = AlertRule::never;
/// Interval for locks of an unreachable server.
constexpr auto retryAfter = 1s;
constexpr auto silence =
    5s; // of a feed that confirms every second: we were suspended, and changes wait to be taken

/// Rules on single locks, in the order of alerts.
const std::vector<const AlertRule *> &lockRules()
{
    static const auto all = [] {
        std::vector<const AlertRule *> rules;
        for (int kind = 0; kind < alertKinds; ++kind) {
            if (const AlertRule &rule = ruleOf(static_cast<AlertKind>(kind)); rule.brokenFrom)
                rules.push_back(&rule);
        }
        return rules;
    }();
    return all;
}

char idHead(AlertKind kind)
{
    return char('a' + int(kind));
}

QByteArray idOf(AlertKind kind, const QByteArray &subject)
{
    return idHead(kind) + subject;
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

/// Equal for the same waits for the same locks.
QByteArray idOf(const Deadlock &deadlock)
{
    QByteArray subject;
    for (const WaitEdge &edge : deadlock.cycle) {
        for (const QByteArray &part : {edge.lock.bytes, edge.waiter, edge.owner})
            subject += QByteArray::number(part.size()) + ':' + part;
    }
    return idOf(AlertKind::Deadlock, subject);
}

/// False if the owner may differ from the previous one, or is unknown.
bool hasOneKnownHold(const Lock &lock)
{
    if (knownOwners(lock).isEmpty() || lacksMajority(lock) || mayRepeat(lock))
        return false;
    return !specOf(lock.family).countsPermits || !lock.companions->permits.isEmpty();
}

bool haveSameIds(const QList<LockOwner> &a, const QList<LockOwner> &b)
{
    return std::ranges::equal(a, b, {}, &LockOwner::owner, &LockOwner::owner);
}

} // namespace

AlertWatch::Breach AlertWatch::subjectOf(const WatchedLock &watched) const
{
    const Lock &lock = watched.lock;
    Breach subject;
    subject.since.fill(never);
    subject.isUnreadable = watched.problems().testFlag(Problem::Unreadable);
    if ((isNoLock(lock) && !isPossible(lock)) || subject.isUnreadable)
        return subject;
    subject.family = lock.family;
    subject.owners = knownOwners(lock);
    subject.heldSince = watched.heldSince;
    subject.readAt = lock.readAt;
    subject.companions = lock.companions;
    subject.areWaitersKnown = lock.companions->waiters.certainty != WaiterCertainty::Unknown;
    if (lock.deadline)
        subject.leaseEnd = lock.deadline->latest;
    const bool isOneHold = hasOneKnownHold(lock);
    for (const AlertRule *rule : lockRules()) {
        const auto &limit = m_rules[rule->kind];
        if (limit && (isOneHold || !rule->isOfHold))
            subject.since.at(size_t(rule->kind)) = rule->brokenFrom(watched, m_watched.holdTimes(), *limit);
    }
    return subject;
}

void AlertWatch::setRules(const AlertRules &rules, const QList<WatchedLock> &locks, TimePoint now)
{
    m_rules = rules;
    endUnruled(now);
    judgeConnections(now);
    const QHash<QByteArray, TimePoint> before = m_ending; // not by the rules
    for (const WatchedLock &watched : locks)
        judge(watched, now, false);
    for (const QByteArray &id : m_ending.keys()) {
        if (!before.contains(id))
            end(id, now);
    }
    judgeDeadlocks(now);
}

/// Ends alerts of locks whose rule is off, even for unknown locks.
void AlertWatch::endUnruled(TimePoint now)
{
    for (const AlertRule *rule : lockRules()) {
        if (m_rules[rule->kind])
            continue;
        endMissing(rule->kind, {}, now);
        m_notRaised.removeIf(
            [rule](const auto &waiting) { return waiting.key().front() == idHead(rule->kind); });
    }
}

void AlertWatch::take(const MonitorReport &event, TimePoint now)
{
    std::visit(Match{[&](const LockDiff &diff) {
                         for (const LockKey &key : diff.removed)
                             forget(key, now);
                         for (const WatchedLock &watched : diff.changed)
                             judge(watched, now, true);
                         for (const LockEvent &what : diff.events) {
                             if (what.kind == EventKind::Evicted)
                                 takeEviction(what);
                         }
                         takeOrders(diff, now);
                     },
                     [&](const QList<Deadlock> &) { judgeDeadlocks(now); },
                     [&](const ConnectionStatus &) { takeConnection(now); },
                     [&](const ClusterStatus &) { takeCluster(now); },
                     [&](const ScanStats &) { judgeAll(now); },
                     [&](const ServerReset &reset) { takeReset(reset); },
                     [&](const SourceEvent &what) { m_orders.take(what.kind); }, [](const auto &) {}},
               event);
    m_isRead = m_watched.isRead();
}

/// `isReading`: it was just read, and has changed.
void AlertWatch::judge(const WatchedLock &watched, TimePoint now, bool isReading)
{
    const LockKey &key = watched.key();
    const auto known = m_subjects.find(key);
    Breach subject = subjectOf(watched);
    if (subject.isUnreadable) { // it is as it was read last
        m_unreadable.insert(key);
        if (known != m_subjects.end()) {
            known->isUnreadable = true;
            schedule(key, *known, never);
        }
        return;
    }
    m_unreadable.remove(key);
    const bool isSameOwner = known != m_subjects.end() && haveSameIds(known->owners, subject.owners);
    if (isSameOwner && watched.lock.quorum && known->heldSince < subject.heldSince) {
        // Of a group another server's view is shown now: the hold is as long as it was.
        WatchedLock before = watched;
        before.heldSince = known->heldSince;
        subject = subjectOf(before);
    }
    const bool isNothing = std::ranges::all_of(subject.since, [](TimePoint since) { return since == never; });
    if (isNothing && known == m_subjects.end())
        return;
    if (isNothing && subject.areWaitersKnown && (isReading || isCurrent(key)))
        return forget(key, now);
    if (known == m_subjects.end())
        return judge(key, *m_subjects.insert(key, std::move(subject)), now, isReading);
    // Of another owner it is another hold: what was said of the one before is over.
    if (!isSameOwner || known->heldSince != subject.heldSince) {
        for (const AlertRule *rule : lockRules()) {
            if (rule->isOfHold)
                end(idOf(rule->kind, key), now);
        }
    }
    subject.due = known->due;
    *known = std::move(subject);
    judge(key, *known, now, isReading);
}

void AlertWatch::judge(const LockKey &key, Breach &subject, TimePoint now, bool isReading)
{
    if (subject.isUnreadable)
        return schedule(key, subject, never);
    TimePoint next = never;
    const bool knows = isCurrent(key);
    const TimePoint known = knownUntil(key, subject, now);
    for (const AlertRule *rule : lockRules()) {
        const TimePoint since = subject.since.at(size_t(rule->kind));
        if (!m_rules[rule->kind] || !isKnown(subject, *rule, now))
            continue; // a reading will tell
        const QByteArray id = idOf(rule->kind, key);
        if (since > now && (isReading || knows))
            endSoon(id, now);
        else if (since <= known && knows)
            raise(id, alertOf(key, subject, *rule, now));
        else if (m_watched.isRead() &&
                 (since <= now || m_open.contains(id))) // undecided; else judgeAll() judges it
            next = std::min(next, now + retryAfter);
        if (since > now)
            next = std::min(next, since);
    }
    schedule(key, subject, next);
}

/// True if the last reading decides on the rule.
bool AlertWatch::isKnown(const Breach &subject, const AlertRule &rule, TimePoint now)
{
    return (!rule.counted || subject.areWaitersKnown) && (!rule.isOfHold || now < subject.leaseEnd);
}

/// The time until which its owner is known to hold it.
TimePoint AlertWatch::knownUntil(const LockKey &key, const Breach &subject, TimePoint now) const
{
    const FeedStatus &feed = m_watched.feed();
    const bool isTold = feed.routes.isEmpty() || feed.routeOf(key.bytes) != FeedMode::Polling;
    const TimePoint confirmed = m_watched.confirmedAt().value_or(isTold ? now : TimePoint());
    return isTold && now - confirmed < silence ? now : std::min(now, std::max(subject.readAt, confirmed));
}

void AlertWatch::schedule(const LockKey &key, Breach &subject, TimePoint due)
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
    m_unreadable.remove(key);
    const auto known = m_subjects.find(key);
    if (known == m_subjects.end())
        return;
    schedule(key, *known, never);
    m_subjects.erase(known);
    for (const AlertRule *rule : lockRules())
        endSoon(idOf(rule->kind, key), now);
}

/// False for a lock of an unreachable server, known only from the past.
bool AlertWatch::isCurrent(const LockKey &key) const
{
    if (!m_watched.isRead())
        return false;
    const NodeStatus *node = m_watched.cluster().nodeOf(key);
    return !node || (node->isReady() && node->isCurrent);
}

void AlertWatch::judgeDeadlocks(TimePoint now)
{
    QSet<QByteArray> ids;
    if (m_rules[AlertKind::Deadlock]) {
        for (const Deadlock &deadlock : m_watched.deadlocks()) {
            const QList<LockKey> locks = locksOf(deadlock);
            Alert alert{.kind = AlertKind::Deadlock, .raisedAt = now};
            alert.key = locks.value(0);
            alert.cycle = locks;
            ids.insert(idOf(deadlock));
            raise(idOf(deadlock), std::move(alert));
        }
    }
    // Of what is not read nothing is known: neither that it goes on, nor that it has ended.
    for (auto open = m_open.cbegin(); m_rules[AlertKind::Deadlock] && open != m_open.cend(); ++open) {
        const auto isUnknown = [this](const LockKey &key) {
            return m_unreadable.contains(key) || !isCurrent(key);
        };
        if (open->kind == AlertKind::Deadlock && std::ranges::any_of(open->cycle, isUnknown))
            ids.insert(open.key());
    }
    endMissing(AlertKind::Deadlock, ids, now);
}

void AlertWatch::takeConnection(TimePoint now)
{
    if (std::exchange(m_isReady, m_watched.isReady()) == m_watched.isReady())
        return;
    m_wasReady = m_wasReady || m_isReady;
    m_lostAt = now;
    for (TimePoint &since : m_missing)
        since = now; // those that have not come back with the rest may do so in a moment
    judgeConnections(now);
}

void AlertWatch::takeCluster(TimePoint now)
{
    const ClusterStatus &cluster = m_watched.cluster();
    QHash<QString, TimePoint> missing;
    for (const NodeStatus &node : cluster.nodes) {
        if (node.isReady())
            m_seen.insert(node.name);
    }
    for (const NodeStatus &node : cluster.hasSeveral() ? cluster.missing() : QList<NodeStatus>()) {
        if (m_seen.contains(node.name)) // else there was nothing to lose
            missing.insert(node.name, m_missing.value(node.name, now));
    }
    m_missing = missing;
    judgeConnections(now);
    judgeDeadlocks(now); // more may be known now
}

/// While all connections are lost, single servers are not reported.
void AlertWatch::judgeConnections(TimePoint now)
{
    QSet<QByteArray> ids;
    const auto lost = [&](const QString &server, TimePoint since, bool isTold) {
        const QByteArray id = idOf(AlertKind::ConnectionLost, server.toUtf8());
        ids.insert(id);
        Alert alert{.kind = AlertKind::ConnectionLost, .raisedAt = since};
        alert.server = server;
        if (isTold)
            raise(id, std::move(alert));
    };
    if (m_rules[AlertKind::ConnectionLost]) {
        if (m_wasReady && !m_isReady)
            lost({}, m_lostAt, now - m_lostAt >= settleTime);
        for (auto missing = m_missing.cbegin(); missing != m_missing.cend(); ++missing)
            lost(missing.key(), *missing, m_isReady && now - *missing >= settleTime);
    }
    endMissing(AlertKind::ConnectionLost, ids, now);
}

/// Call once everything has been read.
void AlertWatch::judgeAll(TimePoint now)
{
    if (m_isRead || !m_watched.isRead())
        return;
    for (auto subject = m_subjects.begin(); subject != m_subjects.end(); ++subject)
        judge(subject.key(), *subject, now);
    judgeDeadlocks(now);
}

void AlertWatch::advance(TimePoint now)
{
    if (!m_missing.isEmpty() || !m_isReady)
        judgeConnections(now);
    while (!m_due.empty() && m_due.begin()->first <= now) {
        const LockKey key = m_due.begin()->second;
        judge(key, m_subjects[key], now);
    }
    QList<QByteArray> over;
    for (auto ending = m_ending.cbegin(); ending != m_ending.cend(); ++ending) {
        if (now - *ending >= settleTime)
            over.append(ending.key());
    }
    for (const QByteArray &id : over)
        end(id, m_ending.value(id));
    raiseWaiting(now);
}

/// Raises conditions that exceeded the limit, unless all locks are unknown.
void AlertWatch::raiseWaiting(TimePoint now)
{
    if (!m_watched.isRead())
        return;
    while (m_open.size() < maxOpen && !m_notRaised.isEmpty()) {
        const LockKey key = *m_notRaised.cbegin();
        m_notRaised.erase(m_notRaised.cbegin());
        if (const auto subject = m_subjects.find(key); subject != m_subjects.end())
            judge(key, *subject, now);
    }
}

Alert AlertWatch::alertOf(const LockKey &key, const Breach &subject, const AlertRule &rule,
                          TimePoint now) const
{
    Alert alert{
        .kind = rule.kind, .key = key, .family = subject.family, .owners = subject.owners, .raisedAt = now};
    const auto held = [&subject](TimePoint until) {
        return std::chrono::duration_cast<milliseconds>(until - subject.heldSince);
    };
    if (rule.limitsTime()) {
        alert.held = held(knownUntil(key, subject, now));
        alert.limit = held(subject.since.at(size_t(rule.kind)));
        alert.usual = m_watched.holdTimes().of(key);
    }
    if (rule.counted) {
        const auto [waiters, isAtLeast] = rule.counted->of(subject.companions->waiters);
        alert.waiters = waiters;
        alert.isAtLeast = isAtLeast;
    }
    return alert;
}

void AlertWatch::raise(const QByteArray &id, Alert alert)
{
    const AlertRule &rule = ruleOf(alert.kind);
    if (const auto open = m_open.constFind(id); open != m_open.cend()) {
        m_ending.remove(id);
        if (!rule.isOfHold || haveSameIds(open->owners, alert.owners))
            return;
        end(id, alert.raisedAt); // of another owner
    }
    if (rule.brokenFrom && m_open.size() >= maxOpen) {
        m_notRaised.insert(id, alert.key);
        return;
    }
    m_notRaised.remove(id);
    auto what = Change::What::Raised;
    if (const auto before = m_ended.find(id); before != m_ended.end()) {
        if (alert.raisedAt - *before->endedAt < sameAlert) {
            what = Change::What::RaisedAgain;
            alert.number = before->number;
            alert.times = before->times + 1;
        }
        m_endings.removeOne(id);
        m_ended.erase(before);
    }
    if (alert.number == 0)
        alert.number = m_nextNumber++;
    m_changes.append({what, alert});
    m_open.insert(id, std::move(alert));
}

void AlertWatch::endSoon(const QByteArray &id, TimePoint now)
{
    m_notRaised.remove(id);
    if (m_open.contains(id) && !m_ending.contains(id))
        m_ending.insert(id, now);
}

/// `now`: the time of its end.
void AlertWatch::end(const QByteArray &id, TimePoint now)
{
    m_notRaised.remove(id);
    m_ending.remove(id);
    const auto open = m_open.find(id);
    if (open == m_open.end())
        return;
    Alert alert = std::move(*open);
    m_open.erase(open);
    alert.endedAt = now;
    m_changes.append({Change::What::Ended, alert});
    m_ended.insert(id, std::move(alert));
    m_endings.append(id);
    if (m_endings.size() > maxEnded)
        m_ended.remove(m_endings.takeFirst());
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
