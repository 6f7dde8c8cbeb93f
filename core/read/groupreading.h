// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/inspector.h"
#include "core/redis/deployment/deployment.h"
#include "core/redis/oneanswer.h"

#include <QTimer>

#include <vector>

namespace lockscope {

/// What GroupReading has found.
struct GroupFinding
{
    std::optional<Lock> lock{}; ///< absent: on no server that was read
    int unknown = 0;            ///< servers that were not
};

/// Reads one key on all servers of a Redlock group, at one moment as far as that is possible: its lock, with its Quorum.
/// Where no majority has it, or servers name different owners, it is read again a little later, and only what is the same then
/// is a problem: a client may just be acquiring or releasing it.
class GroupReading : public OneAnswer<Result<GroupFinding>>
{
public:
    /// Servers that are not ready count as unknown. An Error where none could be read: the first one's.
    static QFuture<Answer> start(const QList<Link *> &servers, const LockKey &key, QObject *parent);

    static constexpr milliseconds secondReadingAfter{300};

private:
    GroupReading(QList<Link *> servers, LockKey key, QObject *parent);
    void read();
    void take(qsizetype server, const Result<Inspection> &inspection);
    void decide();

    const QList<Link *> m_servers;
    const LockKey m_key;
    std::vector<std::optional<Result<Inspection>>> m_inspections; ///< by server; absent: it is not ready
    qsizetype m_left = 0;
    std::optional<Lock> m_before; ///< of the first reading
    bool m_isSecond = false;
    QTimer m_again;
};

/// A server of the deployment that has the lock: the node that keeps it, or, of a Redlock group, the one whose reading is shown.
Link &serverThatHas(Deployment &deployment, const Lock &lock);

} // namespace lockscope
