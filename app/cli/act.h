// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/keycommand.h"
#include "core/act/deploymentoperations.h"
#include "core/journal/auditlog.h"

#include <QTimer>

namespace lockscope {

/// One of the actions. The key is looked at first, except for acquire: what is stored says which family's
/// script to send, and the audit record keeps what was there.
class LockActionCommand : public KeyCommand
{
public:
    explicit LockActionCommand(Options options);

private:
    void run() override;
    void connectionLost(const Error &why) override;
    void fail(const Error &why) override;
    void interrupted() override;
    void takeLook(const LookedAt &seen);
    void takeSeen(const std::optional<Lock> &seen);
    void takePermits(const Lock &seen);
    void takeHolds(const Lock &seen);
    void act();
    void answered(const Result<ActionResult> &report);
    void explainRefusal(ActionResult report);
    void print(const ActionResult &report);

    AuditLog m_audit;
    DeploymentOperations m_operations;
    ActionRequest m_request;
    TimePoint m_waitUntil;
    QTimer m_nextTry;
    bool m_asked = false;                 ///< an answer or an Error will come, whatever the connection does
    std::optional<ActionResult> m_answer; ///< of the last try
};

} // namespace lockscope
