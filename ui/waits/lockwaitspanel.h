// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/ownernames.h"
#include "ui/waits/waittree.h"
#include "ui/widgets/palette.h"

#include <QSet>
#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QStackedWidget;
class QTreeWidget;
class QTreeWidgetItem;

namespace lockscope {

/// Who waits for whom: what stands in a cycle first, then the locks that hold up the most, each with those behind it. Follows
/// what changes at most twice a second, and only while it is visible.
class LockWaitsPanel : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this.
    LockWaitsPanel(const WaitIndex &index, const OwnerNames &names, QWidget *parent = nullptr);
    ~LockWaitsPanel() override;

    /// The index or a name is another now.
    void invalidate();
    void setDeadlocks(const QList<Deadlock> &deadlocks);
    const QList<Deadlock> &deadlocks() const { return m_deadlocks; }
    /// Without colors while there is no connection.
    void setStale(bool stale);
    void focusContents();
    /// The lock that is chosen elsewhere: a row of another is not selected any more.
    void showChosen(const std::optional<LockKey> &key);
    /// Room for a cycle and a few queues.
    QSize sizeHint() const override;

signals:
    void chosen(const lockscope::LockKey &key);

protected:
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void rebuild();
    void addCycle(const Deadlock &deadlock);
    void addNode(QTreeWidgetItem *parent, const WaitNode &node, const QByteArray &path);
    void tellSummary();
    QTreeWidgetItem *selected() const;
    QColor colorOf(StatusColor statusColor) const;

    const WaitIndex &m_index;
    const OwnerNames &m_names;
    QList<Deadlock> m_deadlocks;
    WaitTree m_forest;
    bool m_stale = false;
    bool m_due = true; ///< something changed since the tree was built

    QLabel *m_summary;
    QStackedWidget *m_stack;
    QTreeWidget *m_tree;
    QLabel *m_nobody;
    QSet<QByteArray> m_collapsed; ///< by path: what the user closed stays closed
    QTimer m_timer;
};

} // namespace lockscope
