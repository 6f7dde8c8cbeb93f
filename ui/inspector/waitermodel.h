// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "core/table/displayclock.h"
#include "core/table/ownernames.h"

#include <QAbstractTableModel>

namespace lockscope {

/// The wait queue of a lock, head first: position, waiter and state.
class WaiterModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column : quint8 { Place, Who, State };
    static constexpr int columns = 3;

    /// Both must outlive this. Timeouts follow the clock, which a pause stops.
    WaiterModel(const DisplayClock &clock, const OwnerNames &names, QObject *parent = nullptr);

    void show(const Lock &lock);
    const QList<Waiter> &waiters() const { return m_waiters; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    const DisplayClock &m_clock;
    const OwnerNames &m_names;
    LockKey m_key;
    Family m_family;
    QList<Waiter> m_waiters;
};

} // namespace lockscope
