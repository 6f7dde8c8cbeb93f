// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/displayclock.h"
#include "core/table/ownernames.h"
#include "ui/lockactions/actiondialog.h"

class QComboBox;
class QLineEdit;
class QRadioButton;

namespace lockscope {

class LockSummary;

/// Base of the dialogs about one lock, shown as it was when the dialog opened.
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
    // Added below the existing content.
    QFormLayout &addForm();
    QLabel *addText(const QString &text);

    const Action m_action;
    const WatchedLock m_seen;
    LockSummary *m_facts;
};

/// Acts as an owner: releases one level or all (Action::Release) or extends the lease (Action::Extend). Also
/// removes a dead waiter (Action::RemoveWaiter) after the script has checked again that it is dead, and wakes
/// the queue head of a lock that is gone (Action::Wake).
class OwnerDialog : public LockDialog
{
    Q_OBJECT

public:
    OwnerDialog(Action action, const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names,
                Run run, QString serverName, QWidget *parent, const Waiter &waiter = {});

protected:
    std::optional<ActionRequest> request() override;

private:
    void addLevels(QFormLayout &form);
    void addWaiter(const OwnerNames &names, const Waiter &waiter);

    OwnerId m_waiter;
    QComboBox *m_owner = nullptr;
    QRadioButton *m_allLevels = nullptr; ///< only for re-entered locks
    QLineEdit *m_lease = nullptr;        ///< for Action::Extend
    QLabel *m_leaseMessage = nullptr;
};

} // namespace lockscope
