// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/actionguard.h"
#include "core/act/lockoperations.h"
#include "core/redis/deployment/deployment.h"

#include <memory>
#include <vector>

namespace lockscope {

/// Acts on locks of a deployment: on the node with the lock's key or, in a Redlock group, on all servers at
/// once, each with its audit record and outcome (ActionResult::servers). An acquisition that too few servers
/// grant is taken back. Otherwise like LockOperations.
class DeploymentOperations : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    DeploymentOperations(Deployment &deployment, AuditLog &audit, QObject *parent = nullptr);
    ~DeploymentOperations() override;

    /// Applies to later requests.
    void setGuard(const ActionGuard &guard) { m_guard = guard; }
    /// ErrorKind::NotAgreed, without sending, if the guard's consent is missing.
    QFuture<Result<ActionResult>> run(const ActionRequest &request);

signals:
    // Same as in LockOperations, but for each server of a group: `server`, otherwise 0.
    void underway(const lockscope::LockKey &key, int server);
    void touched(const lockscope::LockKey &key, int server);
    void ended(const lockscope::LockKey &key, const QList<lockscope::LockOwner> &owners, int server);

private:
    class GroupRun;

    Deployment &m_deployment;
    ActionGuard m_guard;
    std::vector<std::unique_ptr<LockOperations>> m_operations; ///< one, or one per server of a group
};

} // namespace lockscope
