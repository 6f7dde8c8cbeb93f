// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/waitforgraph.h"

namespace lockscope {

/// Which cycles are deadlocks: locks are read one after another, so that a picture may show waits that never were at
/// the same time. Those that hold in two pictures, one after the other, are; until one of their waits has ended.
class DeadlockDetector
{
public:
    /// A picture of all waits.
    void take(const QList<WaitEdge> &edges);
    /// A second one, of the locks of suspected() alone: with owners and queues as they were at one moment.
    void confirm(const QList<WaitEdge> &edges);

    /// Circles of the last picture alone.
    const QList<Deadlock> &suspected() const { return m_suspected; }
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }

private:
    QList<Deadlock> m_suspected;
    QList<Deadlock> m_deadlocks;
};

} // namespace lockscope
