// SPDX-License-Identifier: GPL-3.0-or-later
// What the cells and the headers of a LockTableModel say.
#include "core/table/locktablemodel.h"

#include "core/table/celltext.h"
#include "core/table/locktext.h"

namespace lockscope {

QVariant LockTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const WatchedLock &lock = at(index.row());
    if (role == KeyRole)
        return lock.key().bytes;
    const LockColumnSpec &column = specOf(static_cast<Column>(index.column()));
    const LockCell cell = cellOf(lock, timeAt(index.row(), m_clock).now());
    if (isGone(index.row()) && (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)) {
        if (column.id == Column::State)
            return goneAppearance().word;
        if (column.id == Column::Ttl || column.id == Column::Held)
            return {};
    }
    if (role == Qt::WhatsThisRole && column.id == Column::State)
        return isGone(index.row()) ? QStringLiteral("gone") : helpTopicOf(lock, cell.now);
    if (role == Qt::WhatsThisRole)
        return QString::fromLatin1(column.name);
    if (role == Qt::DisplayRole)
        return column.text(cell);
    if (role == Qt::ToolTipRole && column.toolTip)
        return plainToolTip(column.toolTip(cell));
    if (role == Qt::AccessibleTextRole && column.spoken)
        return column.spoken(cell);
    if (role == Qt::AccessibleTextRole && column.isNumber)
        return spokenFigure(index);
    return {};
}

QVariant LockTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const LockColumnSpec &column = specOf(static_cast<Column>(section));
    if (role == Qt::InitialSortOrderRole)
        return column.isMuchFirst ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue<Qt::Alignment>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) |
                                                  Qt::AlignVCenter);
    if (role == Qt::WhatsThisRole)
        return QString::fromLatin1(column.name);
    if (role == Qt::DisplayRole)
        return column.title(m_clock.cluster());
    return {};
}

} // namespace lockscope
