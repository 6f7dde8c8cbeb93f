// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/actionseries.h"
#include "core/model/lockevent.h"
#include "core/table/displayclock.h"
#include "core/table/ownernames.h"
#include "ui/lockactions/actiondialog.h"
#include "ui/lockactions/ownerend.h"

#include <functional>
#include <optional>

class QCheckBox;
class QLabel;
class QTableWidget;

namespace lockscope {

/// One action on several locks as seen when the dialog opened: effects first, then each outcome. Locks that
/// change meanwhile are left out, and the script compares again. Closing it stops sending.
class ActionSeriesDialog : public ConsentDialog
{
    Q_OBJECT

public:
    /// `action`: Action::Release or Action::ForceExpire. `names` must outlive this.
    ActionSeriesDialog(Action action, const QList<WatchedLock> &seen, const DisplayClock &clock,
                       const OwnerNames &names, Run run, QString serverName, QWidget *parent);

    /// Force-expires the locks of one owner and shows whether it may be dead. Shared locks end for this owner
    /// only; if the family cannot do that, they are left out unless the user includes them. The warning is
    /// withdrawn if the owner has acted since.
    void setOwner(const OwnerEnd &owner);
    /// Compares with the current locks. `find` returns nullptr for a lock that is gone.
    void observe(const std::function<const WatchedLock *(const LockKey &)> &find);
    bool isUnderWay() const override { return m_series && m_series->isRunning(); }

private:
    struct Entry
    {
        WatchedLock seen;
        QString obstacle;         ///< why it is left out; empty if it is not
        QList<LockOwner> ended{}; ///< owners to expire; empty: all
        bool endsOthers = false;
        bool isOrphan = false; ///< its heartbeats are read again before it ends
    };
    static void takeOrphan(Entry &entry);
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
    const TimePoint m_openedAt = Clock::now();
    std::optional<OwnerEnd> m_owner; ///< set if the locks are those of one owner
    OwnerSigns m_ownerSigns;
    TimePoint m_nextLook; ///< next evaluation of m_ownerSigns
    QList<Entry> m_entries;
    QList<int> m_rows; ///< row of each request, in order
    ActionSeries *m_series = nullptr;
    /// Outcomes; m_partly: one level of several, or not all servers of a group.
    int m_done = 0, m_partly = 0, m_rejected = 0, m_failed = 0, m_unknown = 0;
    QTableWidget *m_table;
    QCheckBox *m_allLevels = nullptr;  ///< for a release of re-entered locks
    QCheckBox *m_withShared = nullptr; ///< includes locks shared with other owners
    QLabel *m_signs = nullptr;
    QLabel *m_effects;
};

} // namespace lockscope
