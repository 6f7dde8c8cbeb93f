// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lockevent.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSortFilterProxyModel>

namespace lockscope {

/// The table as one would write it first: rows in the order of their arrival, for a QSortFilterProxyModel to sort.
class PlainLocks : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Changes in place, told of by one range; what is new comes at the end.
    void apply(const QList<WatchedLock> &changed);
    const WatchedLock &at(int row) const { return m_locks[static_cast<size_t>(row)]; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;

private:
    std::vector<WatchedLock> m_locks;
    QHash<QByteArray, int> m_rows;
};

/// Sorts by deadline all the time, and filters by a word in key or owner.
class PlainOrder : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit PlainOrder(PlainLocks &locks, QObject *parent = nullptr);

    void setWord(const QByteArray &word);

protected:
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    const PlainLocks &m_locks;
    QByteArray m_word;
};

} // namespace lockscope
