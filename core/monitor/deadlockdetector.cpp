// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/monitor/deadlockdetector.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

/// The cycles that exist in these edges, nobody in two.
QList<Deadlock> holding(const QList<Deadlock> &cycles, const QList<WaitEdge> &edges)
{
    if (cycles.isEmpty())
        return {};
    const QSet<WaitEdge> all(edges.begin(), edges.end());
    QList<Deadlock> held;
    std::ranges::copy_if(cycles, std::back_inserter(held), [&](const Deadlock &cycle) {
        return std::ranges::all_of(cycle.cycle, [&](const WaitEdge &edge) { return all.contains(edge); });
    });
    return held;
}

/// Adds cycles without members of the present ones.
void addOthers(QList<Deadlock> &cycles, const QList<Deadlock> &more)
{
    QSet<QByteArray> waiters;
    const auto add = [&](const Deadlock &cycle) {
        for (const WaitEdge &edge : cycle.cycle)
            waiters.insert(edge.waiter);
    };
    std::ranges::for_each(cycles, add);
    for (const Deadlock &cycle : more) {
        if (std::ranges::any_of(cycle.cycle,
                                [&](const WaitEdge &edge) { return waiters.contains(edge.waiter); }))
            continue;
        add(cycle);
        cycles.append(cycle);
    }
}

} // namespace

void DeadlockDetector::take(const QList<WaitEdge> &edges)
{
    m_deadlocks = holding(m_deadlocks, edges);
    addOthers(m_deadlocks, holding(m_suspected, edges));
    QList<Deadlock> known = m_deadlocks;
    addOthers(known, findCycles(edges));
    m_suspected = known.sliced(m_deadlocks.size());
}

void DeadlockDetector::confirm(const QList<WaitEdge> &edges)
{
    addOthers(m_deadlocks, holding(std::exchange(m_suspected, {}), edges));
}

} // namespace lockscope
