// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/waitforgraph.h"

namespace lockscope {

/// Finds the cycles that are deadlocks. Locks are read one after another, so one snapshot may show waits that
/// never existed at the same time. A cycle in two successive snapshots is a deadlock until a wait ends.
class DeadlockDetector
{
public:
    void take(const QList<WaitEdge> &edges);
    /// Takes a second snapshot of the locks of suspected() alone, with owners and queues of one moment.
    void confirm(const QList<WaitEdge> &edges);

    /// Cycles seen only in the last snapshot.
    const QList<Deadlock> &suspected() const { return m_suspected; }
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }

private:
    QList<Deadlock> m_suspected;
    QList<Deadlock> m_deadlocks;
};

} // namespace lockscope
