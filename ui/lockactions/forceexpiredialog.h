// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lockactions/lockdialogs.h"

class QCheckBox;

namespace lockscope {

/// Force-expires a lock if owners and hold counts are unchanged since the dialog opened. The script compares
/// them, and the open dialog too, to spare a new holder.
class ForceExpireDialog : public LockDialog
{
    Q_OBJECT

public:
    ForceExpireDialog(const WatchedLock &seen, const DisplayClock &clock, const OwnerNames &names, Run run,
                      QString serverName, QWidget *parent);

    /// Call after every change with the current lock; nullopt if it is gone.
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
    QComboBox *m_which = nullptr; ///< only if several owners are possible
    QCheckBox *m_later;
    QLineEdit *m_grace;
    QLabel *m_graceMessage;
};

} // namespace lockscope
