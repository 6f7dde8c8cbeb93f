// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/owners/ownerindex.h"

#include <QAbstractItemModel>

namespace lockscope {

/// The groups of an index as a tree as of the last refresh(), worst first, with their locks, which are filled
/// on opening. Selection and open rows follow their groups.
class OwnersModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum class Column : quint8 { Name, State, Held, WaitsFor, Waiters, HeldFor };
    static constexpr int columns = 6;
    /// Limits; the rest is counted, not listed.
    static constexpr qsizetype maxGroups = 500;
    static constexpr qsizetype maxLocks = 200;

    /// The index, the locks and the clock must outlive this.
    OwnersModel(const OwnerIndex &index, const LockTableModel &locks, const DisplayClock &clock,
                QObject *parent = nullptr);

    void refresh();
    /// Draws without colors while disconnected.
    void setStale(bool stale) { m_isStale = stale; }

    /// Returns the group of a row or of its parent; nullptr for no row.
    const OwnerGroup *groupAt(const QModelIndex &index) const;
    /// Returns the lock of a row; nullopt for a group.
    std::optional<LockKey> lockAt(const QModelIndex &index) const;
    QModelIndex indexOf(const OwnerGroup &whose) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    bool hasChildren(const QModelIndex &parent = {}) const override;
    bool canFetchMore(const QModelIndex &parent) const override;
    void fetchMore(const QModelIndex &parent) override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Child
    {
        LockKey key;
        bool isWait = false;
    };
    struct Row
    {
        OwnerGroup whose;
        quintptr number = 0;
        QString name;
        qint64 held = 0;
        qint64 waits = 0;
        BlockedWaiters behind;
        LockKey worst;
        LockKey longest;
    };

    std::vector<Child> childrenOf(const OwnerGroup &whose) const;
    const std::vector<Child> &children(quintptr number) const;
    const Child *childAt(const QModelIndex &index) const;
    QVariant dataOf(const Row &row, Column column, int role) const;
    QVariant dataOf(const Child &child, Column column, int role) const;
    QVariant stateOf(const LockKey &key, int role, bool isOnlyProblem) const;

    const OwnerIndex &m_index;
    const LockTableModel &m_locks;
    const DisplayClock &m_clock;
    bool m_isStale = false;
    std::vector<Row> m_rows;
    QHash<quintptr, int> m_rowOf;                   ///< by group number
    QHash<quintptr, std::vector<Child>> m_children; ///< by group number; only opened groups
};

} // namespace lockscope
