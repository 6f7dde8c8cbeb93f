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

/// Gives a lock back in the name of an owner that holds it: one level or all.
class ReleaseDialog : public LockDialog
{
    Q_OBJECT

public:
    ReleaseDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names, Run run,
                  QString serverName, QWidget *parent);

protected:
    std::optional<ActionRequest> request() override;

private:
    QComboBox *m_owner;
    QRadioButton *m_allLevels = nullptr; ///< only where there are levels
};

/// Sets a lock's lease anew in the name of an owner that holds it.
class ExtendDialog : public LockDialog
{
    Q_OBJECT

public:
    ExtendDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names, Run run,
                 QString serverName, QWidget *parent);

protected:
    std::optional<ActionRequest> request() override;

private:
    QComboBox *m_owner;
    QLineEdit *m_lease;
    QLabel *m_leaseMessage;
};

/// Takes a dead waiter out of the queue of a lock, so that those behind it are served. The script looks again whether it
/// listens: one that is alive stays.
class RemoveWaiterDialog : public LockDialog
{
    Q_OBJECT

public:
    RemoveWaiterDialog(const WatchedLock &seen, const Waiter &waiter, const DisplayClock &clock,
                       const OwnerNames &names, Run run, QString serverName, QWidget *parent);

protected:
    std::optional<ActionRequest> request() override;

private:
    OwnerId m_waiter;
};

} // namespace lockscope
