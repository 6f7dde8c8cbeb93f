// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/actionseries.h"
#include "core/model/lockevent.h"
#include "ui/lockactions/actiondialog.h"
#include "ui/lockactions/ownerend.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/displayclock.h"

#include <functional>
#include <optional>

class QCheckBox;
class QLabel;
class QTableWidget;

namespace lockscope {

/// One action on several locks: each as it was seen when this dialog opened, what the action does, and then the outcome of each.
/// A lock that has changed while the dialog waits is left out, and the script compares once more. Closing it sends no more.
class ActionSeriesDialog : public ConsentDialog
{
    Q_OBJECT

public:
    /// `action`: Action::Release or Action::ForceExpire. `names` must outlive this.
    ActionSeriesDialog(Action action, const QList<WatchedLock> &seen, const DisplayClock &clock,
                       const OwnerNames &names, Run run, QString serverName, QWidget *parent);

    /// Of a forced expiry: the locks are those of one owner, of which it is said what is known. A lock that others hold, too, is
    /// ended for this owner alone; where its family has no such way, it is left out unless the user wants it. That it is likely
    /// dead is taken back where it has acted since.
    void setOwner(const OwnerEnd &owner);
    /// What is shown is another now. `find`: the lock as it is; nullptr where it is gone.
    void observe(const std::function<const WatchedLock *(const LockKey &)> &find);
    bool isUnderWay() const override { return m_series && m_series->isRunning(); }

private:
    struct Entry
    {
        WatchedLock seen;
        QString obstacle;         ///< why nothing is sent for it; empty: it is
        QList<LockOwner> ended{}; ///< these alone; empty: all of its owners
        bool endsOthers = false;  ///< of others than the owner for whom this was opened
    };
    bool isLeftOut(const Entry &entry) const;
    void tellOwner();
    bool hasComeToLife();

    void addTable(const DisplayClock &clock);
    void showEffects();
    ActionRequest requestFor(const Entry &entry) const;
    QStringList effectsOf(const Entry &entry) const;
    void showOutcomesToCome();
    void setOutcome(int row, const QString &text, StatusColor statusColor);
    void showPossible() override;
    void submit() override;
    void leave() override;
    void take(qsizetype index);
    void finish();

    const Action m_action;
    const OwnerNames &m_names;
    std::optional<OwnerEnd> m_owner; ///< where the locks are those of one
    OwnerSigns m_ownerSigns;
    TimePoint m_nextLook; ///< at these
    QList<Entry> m_entries;
    QList<int> m_rows; ///< of the requests, in their order
    ActionSeries *m_series = nullptr;
    /// How requests ended; m_partly: one level of several, or not on all servers of a group.
    int m_done = 0, m_partly = 0, m_rejected = 0, m_failed = 0, m_unknown = 0;
    QTableWidget *m_table;
    QCheckBox *m_allLevels = nullptr;  ///< of a release, where a lock is held several times
    QCheckBox *m_withShared = nullptr; ///< locks whose end ends others' holds, too
    QLabel *m_signs = nullptr;
    QLabel *m_effects;
};

} // namespace lockscope
