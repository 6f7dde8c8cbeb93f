// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertlist.h"

#include <QAbstractTableModel>

#include <bitset>

namespace lockscope {

/// The alerts of the shown kinds in list order, one per row. Rows follow their alerts.
class AlertModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    static constexpr int columns = 6, raisedAt = 2, duration = 3;
    using Kinds = std::bitset<alertKinds>;

    using QAbstractTableModel::QAbstractTableModel;

    void setEntries(const QList<AlertList::Entry> &list);
    void setKinds(const Kinds &kinds);
    const Kinds &kinds() const { return m_kinds; }
    void setNow(TimePoint now);

    const AlertList::Entry &at(int row) const { return m_rows.at(row); }
    int rowOf(quint64 number) const; ///< -1 if not shown

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void show();

    QList<AlertList::Entry> m_all;
    QList<AlertList::Entry> m_rows;
    Kinds m_kinds = Kinds().set();
    TimePoint m_now = Clock::now();
};

} // namespace lockscope
