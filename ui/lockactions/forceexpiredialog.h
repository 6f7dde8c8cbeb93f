// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/lockdialogs.h"

class QCheckBox;

namespace lockscope {

/// Ends a lock, if it is still what was seen when this dialog opened: its owners and counts go into the script, which
/// compares. The dialog compares too, while it is open, and does not let a decision about one holder hit another.
class ForceExpireDialog : public LockDialog
{
    Q_OBJECT

public:
    ForceExpireDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names, Run run,
                      QString serverName, QWidget *parent);

    /// The lock as it is now; nullopt where it is gone. Called with every change.
    void observe(const std::optional<WatchedLock> &now);

protected:
    std::optional<ActionRequest> request() override;

private:
    void addChoice(const OwnerNames &names);
    void addEffects(const OwnerNames &names);
    void allowGrace();
    ActionRequest asked() const;
    bool isForOne() const;
    QList<LockOwner> toEnd() const;
    bool isAsSeen(const Lock &now) const;
    void compare();

    std::optional<WatchedLock> m_now;
    bool m_changed = false;
    QComboBox *m_which = nullptr; ///< only where several may hold it
    QCheckBox *m_later;
    QLineEdit *m_grace;
    QLabel *m_graceMessage;
};

} // namespace lockscope
