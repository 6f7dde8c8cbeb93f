// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/actiondialog.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/displayclock.h"

class QComboBox;
class QLineEdit;

namespace lockscope {

/// Sets a lock's lease anew in the name of an owner that holds it.
class ExtendDialog : public ActionDialog
{
    Q_OBJECT

public:
    ExtendDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names, Run run,
                 QString serverName, QWidget *parent);

protected:
    std::optional<ActionRequest> request() override;

private:
    WatchedLock m_seen;
    QComboBox *m_owner;
    QLineEdit *m_lease;
    QLabel *m_leaseMessage;
};

} // namespace lockscope
