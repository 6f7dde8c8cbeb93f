// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/simulation/comparison.h"

#include "ui/simulation/metrics.h"
#include "ui/widgets/plaintext.h"

namespace lockscope {

void Comparison::compare(const Report &first, const Report &second)
{
    beginResetModel();
    m_rows.clear();
    const QList<Metric> ours = measuresOf(first);
    const QList<Metric> theirs = measuresOf(second);
    for (qsizetype i = 0; i < ours.size(); ++i) {
        const Metric &a = ours.at(i);
        const Metric &b = theirs.at(i);
        if (!isWorthSaying(a) && !isWorthSaying(b))
            continue;
        m_rows.append({nameOf(a.kind), meaningOf(a.kind), textOf(a), textOf(b), differenceText(a, b)});
    }
    endResetModel();
}

int Comparison::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int Comparison::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : Difference + 1;
}

QVariant Comparison::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || !checkIndex(index))
        return {};
    const Row &row = m_rows.at(index.row());
    if (role == Qt::ToolTipRole)
        return plainToolTip(row.meaning);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (index.column() == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole)
        return {};
    const QString *const cells[] = {&row.name, &row.first, &row.second, &row.difference};
    return *cells[index.column()];
}

QVariant Comparison::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter | (section == Name ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole)
        return {};
    const QString titles[] = {tr("Figure"), tr("A"), tr("B"), tr("Change", "from A to B")};
    return titles[section];
}

} // namespace lockscope
