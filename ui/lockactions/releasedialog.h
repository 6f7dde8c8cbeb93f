// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/actiondialog.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/displayclock.h"

class QComboBox;
class QRadioButton;

namespace lockscope {

/// Gives a lock back in the name of an owner that holds it: one level or all.
class ReleaseDialog : public ActionDialog
{
    Q_OBJECT

public:
    ReleaseDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names, Run run,
                  QString serverName, QWidget *parent);

protected:
    std::optional<ActionRequest> request() override;

private:
    WatchedLock m_seen;
    QComboBox *m_owner;
    QRadioButton *m_allLevels = nullptr; ///< only where there are levels
};

} // namespace lockscope
