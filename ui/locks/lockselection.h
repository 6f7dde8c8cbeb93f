// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/taggedbytes.h"

#include <QObject>

#include <optional>

class QModelIndex;
class QTableView;

namespace lockscope {

class LockTableModel;

/// Which lock of the table is chosen: the one of the selected row, and no other. Nothing is chosen by itself, and what is
/// hidden is not chosen any more. A lock that is gone stays chosen, by its key, until another is: many come back.
class LockSelection : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this; the model is the table's.
    LockSelection(QTableView &table, const LockTableModel &model, QObject *parent = nullptr);

    const std::optional<LockKey> &chosen() const { return m_chosen; }
    /// The lock that was chosen until the filter hid it, or what hides all that look like no locks, while it is hidden.
    const std::optional<LockKey> &hiddenChoice() const { return m_hidden; }

    /// Selects the row of a lock; nothing where it has none.
    void choose(const LockKey &key);
    void chooseRow(int row);
    void clear();
    /// After each change of the model: rows have moved, come and gone.
    void hold();

signals:
    void changed(); ///< chosen() or hiddenChoice()

private:
    void takeSelection();
    void select(const QModelIndex &row);
    void become(const std::optional<LockKey> &chosen, const std::optional<LockKey> &hidden);

    QTableView &m_table;
    const LockTableModel &m_model;
    std::optional<LockKey> m_chosen;
    std::optional<LockKey> m_hidden;
    bool m_isHolding = false; ///< the selection is being made to follow what is chosen
};

} // namespace lockscope
