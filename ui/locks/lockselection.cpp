// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockselection.h"

#include "ui/locks/locktablemodel.h"

#include <QScopedValueRollback>
#include <QTableView>

namespace lockscope {

LockSelection::LockSelection(QTableView &table, const LockTableModel &model, QObject *parent)
    : QObject(parent), m_table(table), m_model(model)
{
    // Without this a view makes its first row the current one as soon as it has the focus.
    m_table.setCurrentIndex({});
    connect(m_table.selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &LockSelection::takeSelection);
}

void LockSelection::choose(const LockKey &key)
{
    if (key == m_chosen && m_model.find(key))
        return;
    if (const QModelIndex row = m_model.indexOf(key); row.isValid())
        chooseRow(row.row());
    else
        clear();
}

void LockSelection::chooseRow(int row)
{
    m_table.selectRow(row);
}

void LockSelection::clear()
{
    select({});
    become({}, {});
}

void LockSelection::takeSelection()
{
    if (m_isHolding)
        return;
    const QModelIndexList rows = m_table.selectionModel()->selectedRows();
    if (rows.isEmpty())
        become({}, {});
    else
        become(m_model.at(rows.first().row()).key(), {});
}

/// Also where Qt keeps a selection at its place: when all rows are selected, which one row is, others that take their place
/// are selected too.
void LockSelection::hold()
{
    const auto isHidden = [this](const LockKey &key) {
        return m_model.find(key) && !m_model.indexOf(key).isValid();
    };
    std::optional<LockKey> chosen = m_chosen, hidden = m_hidden;
    if (chosen && isHidden(*chosen))
        hidden = std::exchange(chosen, std::nullopt);
    else if (hidden && !isHidden(*hidden))
        hidden.reset();
    select(chosen ? m_model.indexOf(*chosen) : QModelIndex());
    become(chosen, hidden);
}

void LockSelection::select(const QModelIndex &row)
{
    const QScopedValueRollback holding(m_isHolding, true);
    QItemSelectionModel *selection = m_table.selectionModel();
    if (!row.isValid()) {
        if (selection->hasSelection())
            m_table.setCurrentIndex({});
        selection->clearSelection();
    } else if (!selection->isRowSelected(row.row())) {
        selection->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    }
}

void LockSelection::become(const std::optional<LockKey> &chosen, const std::optional<LockKey> &hidden)
{
    if (chosen == m_chosen && hidden == m_hidden)
        return;
    m_chosen = chosen;
    m_hidden = hidden;
    emit changed();
}

} // namespace lockscope
