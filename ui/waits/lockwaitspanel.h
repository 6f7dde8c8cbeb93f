// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/ownernames.h"
#include "core/table/waittree.h"
#include "ui/widgets/pagepanel.h"
#include "ui/widgets/palette.h"

#include <QSet>
#include <QTimer>

#include <optional>

class QAction;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockscope {

class DisplayClock;

/// The wait-for graph: deadlocks first, with their remedy, then the locks with most waiters behind them.
/// Updates at most twice a second while visible; closed rows are not built.
class LockWaitsPanel : public PagePanel
{
    Q_OBJECT

public:
    static constexpr int glyphSize = 14;

    /// All must outlive this. `forceExpire` acts on the chosen lock; offered for a deadlock.
    LockWaitsPanel(const WaitIndex &index, const DisplayClock &clock, const OwnerNames &names,
                   QAction *forceExpire, QWidget *parent = nullptr);
    ~LockWaitsPanel() override;

    /// Call after a change of the index or of a name.
    void invalidate();
    void setDeadlocks(const QList<Deadlock> &deadlocks);
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    /// Draws without colors while disconnected.
    void setStale(bool stale);
    /// Sets the lock chosen in another panel; deselects rows of other locks.
    void showChosen(const std::optional<LockKey> &key);

signals:
    void chosen(const lockscope::LockKey &key);
    /// Emitted by the remedy's button, before its action.
    void endRequested();
    void contextMenuWanted(const QPoint &globalPosition);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    class WaitItem;
    enum Column { Who, State, Waiting, LongestWait, TotalWait };
    enum Role { KeyRole = Qt::UserRole, PathRole };

    void buildTree();
    QWidget *buildRemedy(QAction *forceExpire);
    void refresh();
    void rebuild();
    int showCycles();
    void showCycle(QTreeWidgetItem &cycle, const Deadlock &deadlock);
    void showNodes(QTreeWidgetItem &parent, int first, const QList<WaitNode> &nodes);
    void showNode(WaitItem &item, const WaitNode &node);
    void showWaiter(WaitItem &item, const WatchedLock &lock);
    void showLock(WaitItem &item, const WatchedLock &lock);
    void open(QTreeWidgetItem *item);
    void showTime(WaitItem &item);
    void showTimes();
    void tellSummary();
    QTreeWidgetItem *selected() const;
    static QByteArray pathBelow(const QTreeWidgetItem &parent, const QByteArray &name);
    void fitToFont();
    int rowHeight() const;
    QColor colorOf(StatusColor statusColor) const;

    const WaitIndex &m_index;
    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    QList<Deadlock> m_deadlocks;
    WaitTree m_forest;
    bool m_stale = false;
    bool m_due = true;         ///< changed since the tree was built
    bool m_isBuilding = false; ///< items may refer to old nodes

    QWidget *m_remedy;
    QTreeWidget *m_tree;
    int m_built = 0;
    QSet<QByteArray> m_collapsed; ///< by path; stays closed
    QSet<QByteArray> m_opened;    ///< by path; stays open
    QTimer m_timer;
    QTimer m_ticking;
};

} // namespace lockscope
