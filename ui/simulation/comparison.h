// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/report.h"

#include <QAbstractTableModel>

namespace lockscope {

struct CompletedRun
{
    QString title;
    Report report;
};

/// Compares two runs: one figure per row, with the difference of the second run.
class Comparison : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, First, Second, Difference };

    using QAbstractTableModel::QAbstractTableModel;

    void compare(const Report &first, const Report &second);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row
    {
        QString name;
        QString meaning;
        QString first;
        QString second;
        QString difference;
    };
    QList<Row> m_rows;
};

} // namespace lockscope
