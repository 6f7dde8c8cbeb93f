// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/lockselection.h"

#include "core/table/locktablemodel.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>

#include <algorithm>

namespace lockscope {

namespace {

constexpr auto wholeRow = QItemSelectionModel::Rows;

} // namespace

LockSelection::LockSelection(QTableView &table, LockTableModel &model, QObject *parent)
    : QObject(parent), m_table(table), m_model(model)
{
    // Without this a view makes its first row the current one as soon as it has the focus.
    m_table.setCurrentIndex({});
    connect(m_table.selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &LockSelection::takeSelection);
    // Qt selects first, and makes the row the current one then.
    connect(m_table.selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &LockSelection::takeSelection);
}

/// Faster than QItemSelectionModel::selectedRows(), which searches all ranges for each row.
QList<int> LockSelection::selectedRows() const
{
    QList<int> rows;
    for (const QItemSelectionRange &range : m_table.selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.append(row);
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

QList<LockKey> LockSelection::selected() const
{
    QList<LockKey> keys;
    for (const int row : selectedRows()) {
        if (!m_model.isGone(row))
            keys.append(m_model.at(row).key());
    }
    return keys;
}

void LockSelection::choose(const LockKey &key)
{
    if (key == m_chosen && m_model.find(key) && size() < 2)
        return;
    if (const QModelIndex row = m_model.indexOf(key); row.isValid())
        chooseRow(row.row());
    else
        clear();
}

void LockSelection::chooseRow(int row)
{
    {
        // The view forgets from where a selection would be extended with Shift.
        const QScopedValueRollback holding(m_isHolding, true);
        m_table.setCurrentIndex({});
    }
    const int column = m_table.horizontalHeader()->logicalIndex(0);
    m_table.selectionModel()->setCurrentIndex(m_model.index(row, column),
                                              QItemSelectionModel::ClearAndSelect | wholeRow);
}

void LockSelection::clear()
{
    select({});
    become({}, {}, {});
}

std::optional<LockKey> LockSelection::currentKey() const
{
    const QModelIndex current = m_table.selectionModel()->currentIndex();
    return current.isValid() ? std::optional(m_model.at(current.row()).key()) : std::nullopt;
}

void LockSelection::takeSelection()
{
    if (m_isHolding)
        return;
    QList<int> rows = selectedRows();
    if (rows.size() > most) {
        takeFirst(rows);
        rows = rows.first(most);
        emit limited();
    }
    QSet<LockKey> keys;
    for (const int row : std::as_const(rows))
        keys.insert(m_model.at(row).key());
    std::optional<LockKey> chosen = currentKey();
    if (!chosen || !keys.contains(*chosen)) {
        // Of several, one that is chosen stays so.
        const bool isKept = m_chosen && keys.contains(*m_chosen);
        chosen = isKept           ? m_chosen
                 : rows.isEmpty() ? std::nullopt
                                  : std::optional(m_model.at(rows.first()).key());
    }
    keys.removeIf([this](const LockKey &key) { return !m_model.find(key); });
    become(chosen, {}, keys);
}

void LockSelection::takeFirst(QList<int> rows)
{
    const QScopedValueRollback holding(m_isHolding, true);
    rows.resize(most);
    QItemSelection first;
    for (qsizetype from = 0, i = 1; i <= rows.size(); ++i) {
        if (i < rows.size() && rows[i] == rows[i - 1] + 1)
            continue;
        first.select(m_model.index(rows[from], 0), m_model.index(rows[i - 1], m_model.columnCount() - 1));
        from = i;
    }
    m_table.selectionModel()->select(first, QItemSelectionModel::ClearAndSelect | wholeRow);
}

/// Also corrects Qt, which selects new rows when all rows are selected.
void LockSelection::hold()
{
    const auto isHidden = [this](const LockKey &key) {
        return m_model.find(key) && !m_model.indexOf(key).isValid();
    };
    const auto isThere = [this](const LockKey &key) {
        return m_model.find(key) && m_model.indexOf(key).isValid();
    };
    std::optional<LockKey> chosen = m_chosen, hidden = m_hidden;
    if (chosen && isHidden(*chosen))
        hidden = std::exchange(chosen, std::nullopt);
    else if (hidden && !isHidden(*hidden))
        hidden.reset();
    QSet<LockKey> keys;
    for (const LockKey &key : std::as_const(m_keys)) {
        if (isThere(key))
            keys.insert(key);
    }
    if (chosen && isThere(*chosen))
        keys.insert(*chosen);
    // Of several, those that are left stay selected where the chosen one goes. What can be seen to be selected is what
    // actions are for, so one of them is chosen.
    const bool areOthers = !keys.isEmpty() && !(chosen && keys.contains(*chosen));
    if (keys.size() > 1 || m_keys.size() > 1 || areOthers) {
        const QScopedValueRollback holding(m_isHolding, true);
        holdRows(keys);
        if (areOthers) {
            chosen = m_model.at(selectedRows().first()).key();
            hidden.reset();
        }
    } else {
        select(chosen ? m_model.indexOf(*chosen) : QModelIndex());
    }
    become(chosen, hidden, keys);
}

/// Selects only the rows of these locks, with as few calls to the view as possible.
void LockSelection::holdRows(const QSet<LockKey> &keys)
{
    QItemSelectionModel *selection = m_table.selectionModel();
    QSet<LockKey> there;
    QList<int> others;
    for (const int row : selectedRows()) {
        const LockKey &key = m_model.at(row).key();
        if (keys.contains(key))
            there.insert(key);
        else
            others.append(row);
    }
    for (const int row : std::as_const(others))
        selection->select(m_model.index(row, 0), QItemSelectionModel::Deselect | wholeRow);
    for (const LockKey &key : keys) {
        if (!there.contains(key))
            selection->select(m_model.indexOf(key), QItemSelectionModel::Select | wholeRow);
    }
    if (keys.isEmpty())
        m_table.setCurrentIndex({});
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
        // The view does not follow a lock that comes back elsewhere.
        m_table.setAutoScroll(false);
        selection->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | wholeRow);
        m_table.setAutoScroll(true);
    }
}

void LockSelection::become(const std::optional<LockKey> &chosen, const std::optional<LockKey> &hidden,
                           const QSet<LockKey> &keys)
{
    const bool isOther = chosen != m_chosen || hidden != m_hidden;
    const bool areOthers = keys != m_keys;
    m_chosen = chosen;
    m_hidden = hidden;
    m_keys = keys;
    m_model.pin(m_chosen ? m_model.indexOf(*m_chosen).row() : -1);
    if (isOther)
        emit changed();
    if (areOthers)
        emit selectionChanged();
}

} // namespace lockscope
