// SPDX-License-Identifier: GPL-3.0-or-later
// Random locks that appear, change and disappear, as events of a monitor; compared with recordings.
#pragma once

#include "core/family/registry.h"
#include "core/recording/recorded.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <random>

namespace lockscope {

class RecordedLife
{
public:
    explicit RecordedLife(unsigned seed, int keys = 40) : m_random(seed), m_keys(keys) {}

    static constexpr qint64 wallBegin = 1'790'000'000'000;

    TimePoint now() const { return m_now; }
    qint64 wallMs() const
    {
        return wallBegin + std::chrono::duration_cast<milliseconds>(m_now - begin).count() + m_wallAhead;
    }
    const QHash<LockKey, WatchedLock> &locks() const { return m_locks; }
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    const WatchState &watching() const { return m_watching; }

    /// Advances the time and returns a random event.
    RecordedEntry step()
    {
        m_now += std::chrono::microseconds(below(40'000));
        if (below(200) == 0)
            m_wallAhead += below(7'200'000) - 3'600'000;
        Recordable what;
        switch (below(30)) {
        case 0:
            m_watching = randomWatchState();
            what = m_watching;
            break;
        case 1:
            m_deadlocks = randomDeadlocks();
            what = m_deadlocks;
            break;
        case 2: {
            ServerReset reset;
            reset.cause = ServerReset::Cause::Failover;
            reset.hasData = below(2) == 0;
            reset.locks = below(1000);
            reset.at = m_now;
            reset.wallMs = wallMs();
            reset.from = QStringLiteral("10.0.0.1:6379");
            what = reset;
            break;
        }
        case 3: {
            ScanStats stats;
            stats.complete = true;
            stats.locks = m_locks.size();
            stats.keysScanned = below(100'000);
            what = stats;
            break;
        }
        default:
            what = randomDiff();
        }
        return {m_now, wallMs(), what};
    }

    LockDiff randomDiff()
    {
        LockDiff diff;
        QSet<LockKey> used;
        const int changes = below(6);
        for (int i = 0; i < changes; ++i) {
            const LockKey key("order:{" + QByteArray::number(below(m_keys)) + "}:lock");
            if (used.contains(key))
                continue;
            used.insert(key);
            if (m_locks.contains(key) && below(3) == 0) {
                const WatchedLock gone = m_locks.take(key);
                diff.removed.append(key);
                diff.events.append(event(below(2) ? EventKind::Released : EventKind::Expired, gone, true));
                if (below(2))
                    diff.events.last().held = milliseconds(below(100'000));
            } else {
                const bool isNew = !m_locks.contains(key);
                WatchedLock lock = isNew ? WatchedLock() : m_locks.value(key);
                change(lock, key, isNew);
                m_locks.insert(key, lock);
                diff.changed.append(lock);
                diff.events.append(event(isNew ? EventKind::Acquired : EventKind::Renewed, lock, false));
            }
        }
        return diff;
    }

private:
    static constexpr TimePoint begin{std::chrono::hours(1000)};

    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
    template <typename Enum>
    Enum anyOf(std::initializer_list<Enum> values)
    {
        return *(values.begin() + below(static_cast<int>(values.size())));
    }
    OwnerId randomOwner()
    {
        const QByteArray clients[] = {"3b2c1a09-8f7e-4d6c-9b5a-493827160504", "web-7.example.org",
                                      "\xff\x01unprintable"};
        return OwnerId(clients[below(3)] + ':' + QByteArray::number(below(9)));
    }
    LockOwner randomOwnerOfLock()
    {
        LockOwner owner;
        owner.owner = randomOwner();
        owner.mode = anyOf({HoldMode::Exclusive, HoldMode::Read, HoldMode::Write});
        if (below(4) != 0) {
            owner.holdCount = below(100);
            owner.rawHoldCount = below(3) ? QByteArray::number(*owner.holdCount) : QByteArray();
        } else {
            owner.rawHoldCount = "no count: secret";
        }
        return owner;
    }
    Deadline randomDeadline()
    {
        const TimePoint earliest = m_now + std::chrono::microseconds(below(60'000'000));
        return {earliest, earliest + std::chrono::microseconds(below(5'000))};
    }
    CompanionStatePtr randomCompanions()
    {
        CompanionState companions;
        companions.waiters.certainty =
            anyOf({WaiterCertainty::Unknown, WaiterCertainty::AtLeast, WaiterCertainty::Exact});
        companions.waiters.count = below(9);
        for (int i = below(4); i > 0; --i) {
            companions.waiters.queue.append({randomOwner(), {}, SubscriptionState::Yes, below(2) == 0});
            if (below(2))
                companions.waiters.queue.last().timeoutAtMs = wallMs() + below(9999);
        }
        companions.waiters.silence = anyOf(
            {NoSubscribersMeaning::NotAsked, NoSubscribersMeaning::Proves, NoSubscribersMeaning::Replicas});
        if (below(2))
            companions.implied.insert(randomFamily());
        companions.hasListeners = below(2) == 0;
        if (below(3) == 0) {
            companions.permits.append({randomOwner(), CompactOptional<qint64>(wallMs())});
            companions.morePermits = true;
            companions.freePermits = below(2) ? "5" : "secret number";
        }
        companions.fencingToken = "secret token";
        companions.worker = "worker-1";
        companions.startedMs = wallMs();
        companions.unread = anyOf({Unread::Nothing, Unread::Waiters, Unread::Kind});
        return CompanionStatePtr(companions);
    }
    QuorumPtr randomQuorum()
    {
        auto *quorum = new Quorum; // NOLINT(cppcoreguidelines-owning-memory): the pointer's
        for (int i = 0; i < 3; ++i) {
            MemberReading member;
            member.state = anyOf(
                {MemberReading::State::Held, MemberReading::State::Absent, MemberReading::State::Unknown});
            if (member.state == MemberReading::State::Held) {
                member.owners = {randomOwnerOfLock()};
                member.deadline = randomDeadline();
            }
            quorum->members.append(member);
        }
        quorum->agreeing = below(4);
        quorum->shownMember = below(3);
        quorum->isHeld = below(2) == 0;
        return QuorumPtr(quorum);
    }
    Family randomFamily() { return allFamilies()[1 + below(static_cast<int>(allFamilies().size()) - 1)]; }
    void change(WatchedLock &watched, const LockKey &key, bool isNew)
    {
        Lock &lock = watched.lock;
        lock.readAt = m_now - std::chrono::microseconds(below(3'000));
        if (isNew) {
            lock.address = {key, 0};
            lock.type = anyOf({KeyType::Hash, KeyType::String, KeyType::SortedSet, KeyType::Set});
            lock.family = below(10) ? randomFamily() : Family();
            lock.evidence = below(2) ? EvidenceSet{Evidence::Content, Evidence::Renewals} : EvidenceSet{};
            watched.hasSeenAcquisition = below(2) == 0;
            watched.heldSince = lock.readAt;
        }
        if (isNew || below(4) == 0) {
            lock.owners.clear();
            for (int i = below(3); i >= 0; --i)
                lock.owners.append(randomOwnerOfLock());
        }
        if (below(5) != 0) {
            lock.ttl = milliseconds(below(60'000));
            lock.deadline = randomDeadline();
        } else {
            lock.ttl.reset();
            lock.deadline.reset();
        }
        watched.maxObservedTtl = std::max(watched.maxObservedTtl, lock.ttl.value_or(milliseconds(0)));
        if (below(2)) {
            watched.lastRenewal = m_now;
            ++watched.renewals;
            watched.minRenewalShare = quint8(below(255));
        }
        lock.problems.setFlag(Problem::NoExpiry, !lock.ttl);
        watched.setProblem(Problem::Deadlock, below(9) == 0);
        lock.leaseOf = anyOf({LeaseOf::Key, LeaseOf::Fields, LeaseOf::Unknown});
        if (below(3) == 0)
            lock.companions = below(4) ? randomCompanions() : CompanionStatePtr();
        if (below(6) == 0)
            lock.quorum = below(4) ? randomQuorum() : QuorumPtr();
    }
    LockEvent event(EventKind kind, const WatchedLock &lock, bool isGone)
    {
        LockEvent event;
        event.kind = kind;
        event.address = lock.lock.address;
        event.family = lock.lock.family;
        event.owners = lock.lock.owners;
        event.ttl = isGone ? CompactOptional<milliseconds>() : lock.lock.ttl;
        event.at = m_now - std::chrono::microseconds(below(2'000));
        event.wallMs = wallMs();
        if (below(8) == 0) {
            event.owners = event.owners.mid(0, 1);
            event.others = below(5);
        }
        event.byOtherProgram = below(20) == 0;
        event.wasRenewed = event.wallMs % 3 == 0;
        return event;
    }
    WatchState randomWatchState()
    {
        WatchState watching;
        watching.connection =
            anyOf({Link::State::Ready, Link::State::Ready, Link::State::Ready, Link::State::Backoff});
        watching.isRead = below(4) != 0;
        watching.feed.routes = {{"lock:*", FeedMode::Tracking}, {"*:lock", FeedMode::Polling}};
        if (below(2))
            watching.feed.incident = FeedStatus::Incident{FeedGap::Lost, m_now};
        watching.unreadable = below(5);
        watching.serverName = "redis";
        watching.serverVersion = "7.0.15";
        watching.serverMode = "standalone";
        watching.nodes = {"10.1.2.3:6379"};
        return watching;
    }
    QList<Deadlock> randomDeadlocks()
    {
        QList<Deadlock> deadlocks;
        for (int i = below(3); i > 0; --i)
            deadlocks.append({{{LockKey("order:{1}:lock"), "payer-1", "payer-2"},
                               {LockKey("order:{2}:lock"), "payer-2", "payer-1"}}});
        return deadlocks;
    }

    std::mt19937 m_random;
    int m_keys;
    TimePoint m_now = begin;
    qint64 m_wallAhead = 0;
    QHash<LockKey, WatchedLock> m_locks;
    QList<Deadlock> m_deadlocks;
    WatchState m_watching;
};

} // namespace lockscope
