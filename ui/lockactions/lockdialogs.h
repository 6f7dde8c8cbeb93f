// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/actiondialog.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/displayclock.h"

class QComboBox;
class QLineEdit;
class QRadioButton;

namespace lockscope {

class LockSummary;

/// A dialog about one lock, which it shows as it was when it opened.
class LockDialog : public ActionDialog
{
    Q_OBJECT

public:
    Action action() const { return m_action; }
    const LockKey &key() const { return m_seen.key(); }

protected:
    LockDialog(Action action, const QString &title, const QString &verb, const WatchedLock &seen,
               const DisplayClock &clock, const OwnerNames &names, Run run, QString serverName,
               QWidget *parent);

    ActionRequest asSeen() const { return ActionRequest::on(m_seen.lock, m_action); }
    // Below what is there already.
    QFormLayout &addForm();
    QLabel *addText(const QString &text);

    const Action m_action;
    const WatchedLock m_seen;
    LockSummary *m_facts;
};

/// Acts in the name of an owner that holds the lock: gives back one level or all of them (Action::Release), or sets its lease anew
/// (Action::Extend). Or takes a dead waiter out of the queue (Action::RemoveWaiter), so that those behind it are served: the script
/// looks again whether it listens, and one that is alive stays. Or wakes the first in the queue of a lock that is gone (Action::Wake).
class OwnerDialog : public LockDialog
{
    Q_OBJECT

public:
    /// `waiter`: the dead one to remove.
    OwnerDialog(Action action, const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names,
                Run run, QString serverName, QWidget *parent, const Waiter &waiter = {});

protected:
    std::optional<ActionRequest> request() override;

private:
    void addLevels(QFormLayout &form);
    void addWaiter(const OwnerNames &names, const Waiter &waiter);

    OwnerId m_waiter;
    QComboBox *m_owner = nullptr;        ///< of those that hold it
    QRadioButton *m_allLevels = nullptr; ///< only where there are levels
    QLineEdit *m_lease = nullptr;        ///< of an extension
    QLabel *m_leaseMessage = nullptr;
};

} // namespace lockscope
