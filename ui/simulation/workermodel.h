// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/run/simulation.h"

#include <QAbstractListModel>

namespace lockscope {

/// The workers of a run, one per row, as text; the delegate adds colors and shapes.
class WorkerModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { StateRole = Qt::UserRole };

    using QAbstractListModel::QAbstractListModel;

    void show(const SimulationSnapshot &snapshot, const QList<QByteArray> &keys);
    void clear();

    const WorkerView &at(int row) const { return m_workers.at(row); }
    int countOf(WorkerState state) const;
    /// Returns "W3: waiting, sim:herd:0, for 120 ms; acquired 12 times".
    QString story(int row) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QList<WorkerView> m_workers;
    QList<QByteArray> m_keys;
    microseconds m_elapsed{0};
};

} // namespace lockscope
