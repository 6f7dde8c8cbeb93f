// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/ownernames.h"
#include "ui/waits/waittree.h"
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

/// Who waits for whom: what stands in a cycle first, with what ends it, then the locks that hold up the most, each with those
/// behind it. Follows what changes at most twice a second, and only while it is visible; what is closed is not built.
class LockWaitsPanel : public PagePanel
{
    Q_OBJECT

public:
    static constexpr int glyphSize = 14;

    /// All must outlive this. `forceExpire` ends the chosen lock: offered where there is a deadlock.
    LockWaitsPanel(const WaitIndex &index, const DisplayClock &clock, const OwnerNames &names,
                   QAction *forceExpire, QWidget *parent = nullptr);
    ~LockWaitsPanel() override;

    /// The index or a name is another now.
    void invalidate();
    void setDeadlocks(const QList<Deadlock> &deadlocks);
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    /// Without colors while there is no connection.
    void setStale(bool stale);
    /// The lock that is chosen elsewhere: a row of another is not selected any more.
    void showChosen(const std::optional<LockKey> &key);

signals:
    void chosen(const lockscope::LockKey &key);
    /// The button beside a deadlock's remedy is pressed: its action follows.
    void endRequested();
    /// For the lock that is chosen.
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
    bool m_due = true;         ///< something changed since the tree was built
    bool m_isBuilding = false; ///< items may still show nodes of before

    QWidget *m_remedy;
    QTreeWidget *m_tree;
    int m_built = 0;              ///< items of the tree
    QSet<QByteArray> m_collapsed; ///< by path: what the user closed stays closed
    QSet<QByteArray> m_opened;    ///< and what the user opened stays open
    QTimer m_timer;
    QTimer m_ticking; ///< while it is visible
};

} // namespace lockscope
