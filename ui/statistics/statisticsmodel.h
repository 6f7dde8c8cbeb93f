// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/lockstatistics.h"

#include <QAbstractTableModel>

#include <bitset>

namespace lockscope {

/// The statistics of locks as a table that sorts and filters itself. The selection follows its lock. Locks
/// without any figure come last, and are folded.
class StatisticsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum class Column : quint8 {
        Key,
        Waited,
        PerSecond,
        Contended,
        HoldP50,
        HoldP95,
        HoldMax,
        WaitP50,
        WaitP95,
        WaitMax,
        Reentries,
    };
    static constexpr int columns = 11;
    /// Limit of listed rows; the rest is counted.
    static constexpr qsizetype maxRows = 5000;

    using QAbstractTableModel::QAbstractTableModel;

    void setStatistics(std::vector<LockStatistics> statistics);
    /// Limits to keys that contain the text; empty: all.
    void setFilter(const QString &text);
    void setFolded(bool isFolded);
    /// False for a column in which no lock has a figure.
    bool hasFigures(Column column) const { return m_withFigures.test(size_t(column)); }
    bool tellsWaiters() const;
    qsizetype locks() const { return std::ssize(m_all); }
    qsizetype matching() const { return m_matching; }
    qsizetype unmeasured() const { return std::ssize(m_rows) - m_measured; }
    /// Includes folded locks.
    std::vector<LockStatistics> listed() const;
    const LockStatistics &at(int row) const { return m_all[m_rows[size_t(row)]]; }
    QModelIndex indexOf(const LockKey &key) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void relayout(const std::function<void()> &change);
    void arrange();
    QString text(const LockStatistics &lock, Column column) const;
    QString toolTip(const LockStatistics &lock, Column column) const;
    static double value(const LockStatistics &lock, Column column);
    static bool hasFigure(const LockStatistics &lock, Column column);

    std::vector<LockStatistics> m_all; ///< first those with figures
    size_t m_allMeasured = 0;          ///< number of those
    std::vector<size_t> m_rows;        ///< indexes in m_all
    qsizetype m_measured = 0;          ///< rows with figures
    std::bitset<columns> m_withFigures;
    bool m_isFolded = true;
    qsizetype m_matching = 0;
    QByteArray m_needle; ///< lower case
    Column m_column = Column::Waited;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace lockscope
