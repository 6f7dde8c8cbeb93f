// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"
#include "ui/locks/ownernames.h"
#include "ui/widgets/displayclock.h"

#include <QAbstractTableModel>

namespace lockscope {

/// The queue of one lock, the first one first: its place, who it is, whether it is still there.
class WaiterModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column : quint8 { Place, Who, State };
    static constexpr int columns = 3;

    /// Both must outlive this. By the clock their own timeouts are judged, so that a pause holds them, too.
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
