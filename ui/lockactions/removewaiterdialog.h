// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/actiondialog.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/displayclock.h"

namespace lockscope {

/// Takes a dead waiter out of the queue of a lock, so that those behind it are served. The script looks again whether it
/// listens: one that is alive stays.
class RemoveWaiterDialog : public ActionDialog
{
    Q_OBJECT

public:
    RemoveWaiterDialog(const WatchedLock &seen, const Waiter &waiter, const DisplayClock &clock,
                       const OwnerNames &names, Run run, QString serverName, QWidget *parent);

protected:
    std::optional<ActionRequest> request() override;

private:
    WatchedLock m_seen;
    OwnerId m_waiter;
};

} // namespace lockscope
