// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/inspector.h"
#include "core/redis/deployment/deployment.h"
#include "core/redis/promisetask.h"

#include <QTimer>

#include <vector>

namespace lockscope {

struct GroupFinding
{
    std::optional<Lock> lock{}; ///< absent: on no server that was read
    int unknown = 0;            ///< number of servers that were not read
};

/// Reads a key on all servers of a Redlock group at nearly one moment: its lock, with its Quorum. Without a
/// majority, or with different owners, it reads again a little later, and reports only lasting problems: a
/// client may be acquiring or releasing it.
class GroupReading : public PromiseTask<Result<GroupFinding>>
{
public:
    /// Servers that are not ready count as unknown. If none could be read, returns the first one's Error.
    static QFuture<Answer> start(const QList<Link *> &servers, const LockKey &key, QObject *parent);

    static constexpr milliseconds secondReadingAfter{300};

private:
    GroupReading(QList<Link *> servers, LockKey key, QObject *parent);
    void read();
    void take(qsizetype server, const Result<Inspection> &inspection);
    void decide();

    const QList<Link *> m_servers;
    const LockKey m_key;
    std::vector<std::optional<Result<Inspection>>> m_inspections; ///< by server; absent: not ready
    qsizetype m_left = 0;
    std::optional<Lock> m_before;
    bool m_isSecond = false;
    QTimer m_again;
};

/// A server that has the lock: the node with its slot or, in a Redlock group, the one whose reading is shown.
Link &serverThatHas(Deployment &deployment, const Lock &lock);

} // namespace lockscope
