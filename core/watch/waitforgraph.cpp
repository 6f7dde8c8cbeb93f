// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/waitforgraph.h"

#include "core/family/ownerfacts.h"
#include "core/family/registry.h"

#include <QHash>
#include <QSet>

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>
#include <vector>

namespace lockscope {

namespace {

class Graph
{
public:
    explicit Graph(const QList<WaitEdge> &edges)
    {
        for (const WaitEdge &edge : edges) {
            const int from = number(edge.waiter);
            const int to = number(edge.owner);
            m_nodes[from].out.push_back({to, &edge});
        }
    }

    QList<Deadlock> cycles()
    {
        for (int node = 0; node < size(); ++node) {
            if (m_nodes[node].index < 0)
                visit(node);
        }
        return std::move(m_cycles);
    }

private:
    struct Arrow
    {
        int to;
        const WaitEdge *edge;
    };
    struct Node
    {
        QByteArray name;
        std::vector<Arrow> out;
        size_t next = 0;
        int index = -1; ///< in the order of visits
        int low = 0;    ///< first visited node reachable from here
        int group = -1; ///< nodes that reach each other
    };

    int size() const { return static_cast<int>(m_nodes.size()); }

    int number(const QByteArray &name)
    {
        const auto known = m_numbers.constFind(name);
        if (known != m_numbers.cend())
            return *known;
        m_numbers.insert(name, size());
        m_nodes.push_back({.name = name, .out = {}});
        return size() - 1;
    }

    /// Tarjan's strongly connected components ("Depth-first search and linear graph algorithms", 1972), with
    /// its own stack: a chain of waits may exceed the thread's.
    void visit(int root)
    {
        std::vector<int> path{enter(root)};
        while (!path.empty()) {
            Node &node = m_nodes[path.back()];
            if (node.next < node.out.size()) {
                const int to = node.out[node.next++].to;
                if (m_nodes[to].index < 0)
                    path.push_back(enter(to));
                else if (m_nodes[to].group < 0)
                    node.low = std::min(node.low, m_nodes[to].index);
                continue;
            }
            const int low = node.low;
            if (low == node.index)
                closeGroup(path.back());
            path.pop_back();
            if (!path.empty())
                m_nodes[path.back()].low = std::min(m_nodes[path.back()].low, low);
        }
    }

    int enter(int node)
    {
        m_nodes[node].index = m_nodes[node].low = m_visited++;
        m_open.push_back(node);
        return node;
    }

    void closeGroup(int root)
    {
        const int group = m_groups++;
        const auto first = std::find(m_open.rbegin(), m_open.rend(), root).base() - 1;
        const std::vector<int> members(first, m_open.end());
        m_open.erase(first, m_open.end());
        for (const int member : members)
            m_nodes[member].group = group;
        if (members.size() > 1)
            addCircle(members);
    }

    /// Adds the shortest cycle through the smallest member, independent of the order of edges.
    void addCircle(const std::vector<int> &members)
    {
        const int start = *std::ranges::min_element(members, {}, [this](int n) { return m_nodes[n].name; });
        QHash<int, std::pair<int, const WaitEdge *>> reachedFrom;
        std::vector<int> reached{start};
        for (size_t at = 0; at < reached.size() && !reachedFrom.contains(start); ++at) {
            Node &node = m_nodes[reached[at]];
            std::ranges::sort(node.out, [this](const Arrow &a, const Arrow &b) {
                return std::tie(m_nodes[a.to].name, a.edge->lock) <
                       std::tie(m_nodes[b.to].name, b.edge->lock);
            });
            for (const Arrow &arrow : node.out) {
                if (m_nodes[arrow.to].group != node.group || reachedFrom.contains(arrow.to))
                    continue;
                reachedFrom.insert(arrow.to, {reached[at], arrow.edge});
                if (arrow.to != start)
                    reached.push_back(arrow.to);
            }
        }
        Deadlock deadlock;
        int node = start;
        do {
            const auto [from, edge] = reachedFrom.value(node);
            deadlock.cycle.prepend(*edge);
            node = from;
        } while (node != start);
        m_cycles.append(deadlock);
    }

    QList<Node> m_nodes;
    QHash<QByteArray, int> m_numbers;
    std::vector<int> m_open;
    int m_visited = 0;
    int m_groups = 0;
    QList<Deadlock> m_cycles;
};

} // namespace

QList<WaitEdge> waitForEdges(const QList<Lock> &locks)
{
    QList<WaitEdge> edges;
    for (const Lock &lock : locks) {
        // Where several may hold it, the end of any of their holds may end the wait.
        if (specOf(lock.family).severalOwners && lock.owners.size() > 1)
            continue;
        for (const Waiter &waiter : lock.companions->waiters.queue) {
            if (waiter.isDead) // it holds others up, but not for ever
                continue;
            const QByteArray waits = threadIdentity(lock.family, waiter.id);
            for (const LockOwner &holder : lock.owners) {
                const QByteArray owns = threadIdentity(lock.family, holder.owner);
                if (!waits.isEmpty() && !owns.isEmpty() && waits != owns)
                    edges.append({lock.key(), waits, owns});
            }
        }
    }
    return edges;
}

QList<Deadlock> findCycles(const QList<WaitEdge> &edges)
{
    QList<Deadlock> cycles = Graph(edges).cycles();
    std::ranges::sort(cycles, {}, [](const Deadlock &deadlock) { return deadlock.cycle.front().waiter; });
    return cycles;
}

QList<Deadlock> notIn(const QList<Deadlock> &deadlocks, const QList<Deadlock> &others)
{
    const QSet<Deadlock> known(others.begin(), others.end());
    QList<Deadlock> fresh;
    std::ranges::copy_if(deadlocks, std::back_inserter(fresh),
                         [&known](const Deadlock &deadlock) { return !known.contains(deadlock); });
    return fresh;
}

} // namespace lockscope
