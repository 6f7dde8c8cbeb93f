// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"

#include <QList>
#include <QObject>
#include <QSet>

#include <optional>

class QModelIndex;
class QTableView;

namespace lockscope {

class LockTableModel;

/// The selected locks of the table and the chosen one, that of the current row. Nothing is selected by
/// default, and hidden rows are deselected. The chosen row is pinned in the model. A chosen lock that is gone
/// stays chosen by its key, since many reappear.
class LockSelection : public QObject
{
    Q_OBJECT

public:
    /// Maximum number of selected locks; more would make the view slow and a list of actions unreadable.
    static constexpr qsizetype most = 1000;

    /// The table and its model must outlive this.
    LockSelection(QTableView &table, LockTableModel &model, QObject *parent = nullptr);

    const std::optional<LockKey> &chosen() const { return m_chosen; }
    /// Returns the chosen lock that a filter hides; absent once it is visible again.
    const std::optional<LockKey> &hiddenChoice() const { return m_hidden; }
    /// Returns the selected locks in table order, the chosen one included.
    QList<LockKey> selected() const;
    qsizetype size() const { return m_keys.size(); }

    /// Selects only the row of this lock; clears the selection if it has none.
    void choose(const LockKey &key);
    void chooseRow(int row);
    void clear();
    void hold();

signals:
    void changed();          ///< chosen() or hiddenChoice()
    void selectionChanged(); ///< selected()
    void limited();          ///< more than the maximum were selected; only the first are kept

private:
    void takeSelection();
    void takeFirst(QList<int> rows);
    void select(const QModelIndex &row);
    void holdRows(const QSet<LockKey> &keys);
    QList<int> selectedRows() const;
    std::optional<LockKey> currentKey() const;
    void become(const std::optional<LockKey> &chosen, const std::optional<LockKey> &hidden,
                const QSet<LockKey> &keys);

    QTableView &m_table;
    LockTableModel &m_model;
    std::optional<LockKey> m_chosen;
    std::optional<LockKey> m_hidden;
    QSet<LockKey> m_keys;
    bool m_isHolding = false;
};

} // namespace lockscope
