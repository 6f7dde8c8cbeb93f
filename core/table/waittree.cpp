// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table/waittree.h"

#include "core/family/ownerfacts.h"

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

TimePoint firstSince(const BlockedWaiters &blocked)
{
    const auto first = std::ranges::min_element(blocked.waits, {}, &BlockedWaiters::Wait::since);
    return first == blocked.waits.end() ? TimePoint::max() : first->since;
}

class Growth
{
public:
    explicit Growth(const WaitIndex &index) : m_index(index)
    {
        for (const WatchedLock &lock : index.waitedOn())
            m_sorted.append(&lock);
        std::sort(m_sorted.begin(), m_sorted.end(), [](const WatchedLock *a, const WatchedLock *b) {
            const qint64 inA = a->lock.companions->waiters.count, inB = b->lock.companions->waiters.count;
            return inA != inB ? inA > inB : a->key().bytes < b->key().bytes;
        });
        for (const WatchedLock *lock : std::as_const(m_sorted)) {
            for (const QByteArray &identity : identitiesOf(lock->lock))
                m_heldBy[identity].append(lock);
        }
    }

    WaitTree forest()
    {
        WaitTree forest;
        // Circles have no root: what is left then is opened anywhere.
        for (const bool onlyRoots : {true, false}) {
            QList<const WatchedLock *> locks = m_sorted;
            if (!onlyRoots)
                std::sort(locks.begin(), locks.end(), [](const WatchedLock *a, const WatchedLock *b) {
                    return a->key().bytes < b->key().bytes;
                });
            for (const WatchedLock *lock : locks) {
                if (m_placed.contains(lock->key()) || (onlyRoots && isBehindAnother(*lock)))
                    continue;
                if (m_nodes >= WaitTree::most) {
                    forest.isWhole = false;
                    break;
                }
                forest.roots.append(treeOf(*lock));
            }
        }
        std::stable_sort(forest.roots.begin(), forest.roots.end(), [](const WaitNode &a, const WaitNode &b) {
            if (a.behind.count != b.behind.count)
                return a.behind.count > b.behind.count;
            return firstSince(a.behind) < firstSince(b.behind);
        });
        return forest;
    }

private:
    bool isBehindAnother(const WatchedLock &lock) const
    {
        const QList<QByteArray> owners = identitiesOf(lock.lock);
        return std::any_of(owners.begin(), owners.end(),
                           [this](const QByteArray &owner) { return !m_index.waitsOf(owner).isEmpty(); });
    }

    WaitNode treeOf(const WatchedLock &lock)
    {
        m_placed.insert(lock.key());
        ++m_nodes;
        const Waiters &waiters = lock.lock.companions->waiters;
        WaitNode tree{lock.key(), {}, m_index.blockedBy(lock.lock), {}};
        qint64 place = 0;
        for (const Waiter &waiter : waiters.queue) {
            WaitNode node{lock.key(), ++place, {}, {}};
            ++m_nodes;
            for (const WatchedLock *held : m_heldBy.value(threadIdentity(lock.lock.family, waiter.id))) {
                if (m_placed.contains(held->key()) || m_nodes >= WaitTree::most)
                    continue;
                node.below.append(treeOf(*held));
                const BlockedWaiters &behind = node.below.last().behind;
                node.behind.count += behind.count;
                node.behind.isExact &= behind.isExact;
            }
            tree.below.append(std::move(node));
        }
        return tree;
    }

    const WaitIndex &m_index;
    QList<const WatchedLock *> m_sorted;
    QHash<QByteArray, QList<const WatchedLock *>> m_heldBy;
    QSet<LockKey> m_placed;
    int m_nodes = 0;
};

} // namespace

WaitTree waitForest(const WaitIndex &index)
{
    return Growth(index).forest();
}

} // namespace lockscope
