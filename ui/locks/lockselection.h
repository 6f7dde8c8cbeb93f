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

/// Which locks of the table are selected, and which one of them is chosen: the one of the current row, and no other. Nothing is
/// selected by itself, and what is hidden is not selected any more. A chosen lock that is gone stays chosen, by its key, until
/// another is: many come back.
class LockSelection : public QObject
{
    Q_OBJECT

public:
    /// Of more than that a view that moves would be slow, and nobody would read a list of what is to be done to them.
    static constexpr qsizetype most = 1000;

    /// Both must outlive this; the model is the table's.
    LockSelection(QTableView &table, const LockTableModel &model, QObject *parent = nullptr);

    const std::optional<LockKey> &chosen() const { return m_chosen; }
    /// The lock that was chosen until the filter hid it, or what hides all that look like no locks, while it is hidden.
    const std::optional<LockKey> &hiddenChoice() const { return m_hidden; }
    /// Those in the table, in its order: the chosen lock and the others.
    QList<LockKey> selected() const;
    qsizetype size() const { return m_keys.size(); }

    /// Selects the row of a lock, and no other; none where it has none.
    void choose(const LockKey &key);
    void chooseRow(int row);
    void clear();
    /// After each change of the model: rows have moved, come and gone.
    void hold();

signals:
    void changed();          ///< chosen() or hiddenChoice()
    void selectionChanged(); ///< which locks are selected
    void limited();          ///< more were selected than may be: the first ones are

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
    const LockTableModel &m_model;
    std::optional<LockKey> m_chosen;
    std::optional<LockKey> m_hidden;
    QSet<LockKey> m_keys;     ///< of the selected rows
    bool m_isHolding = false; ///< the selection is being made to follow what is chosen
};

} // namespace lockscope
