// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/actionguard.h"
#include "core/act/lockoperations.h"
#include "core/redis/deployment/deployment.h"

#include <memory>
#include <vector>

namespace lockscope {

/// Acts on the locks of a deployment: where the lock's key is kept, or, in a Redlock group, on all of its servers at once, each
/// with an audit record and an outcome of its own (ActionResult::servers). An acquisition that too few servers grant is released
/// again on those that granted it, or may have. Lives on the deployment's thread; otherwise as LockOperations.
class DeploymentOperations : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    DeploymentOperations(Deployment &deployment, AuditLog &audit, QObject *parent = nullptr);
    ~DeploymentOperations() override;

    /// From the next request on.
    void setGuard(const ActionGuard &guard) { m_guard = guard; }
    /// ErrorKind::NotAgreed, with nothing sent, where the guard asks for more than was agreed to.
    QFuture<Result<ActionResult>> run(const ActionRequest &request);

signals:
    // As of LockOperations, in a group for each server: `server`, else 0.
    void underway(const lockscope::LockKey &key, int server);
    void touched(const lockscope::LockKey &key, int server);
    void ended(const lockscope::LockKey &key, const QList<lockscope::LockOwner> &owners, int server);

private:
    class GroupRun;

    Deployment &m_deployment;
    ActionGuard m_guard;
    std::vector<std::unique_ptr<LockOperations>> m_operations; ///< one, or one for each server of a group
};

} // namespace lockscope
