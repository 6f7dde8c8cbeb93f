// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QList>
#include <QObject>
#include <QPersistentModelIndex>

#include <functional>

class QTableView;

namespace lockscope {

class LockTableModel;

/// Keeps rows in place under the hand: holds the model's order while the mouse is over the table, and for a
/// moment after that or after a key. At other times the rows in sight stay where they are when rows come or
/// go above them, unless the table is at its top or shows the chosen row, which the model pins.
class OrderHold : public QObject
{
    Q_OBJECT

public:
    static constexpr milliseconds leaveTime{1'000}; ///< from the mouse's leaving to the next order
    static constexpr milliseconds keyTime{2'000};
    /// For this long after the first rows only a click holds the order: the table is still being filled.
    static constexpr milliseconds fillTime{2'000};

    /// `chosenRow` returns an invalid index without a choice. The table and its model must outlive this.
    OrderHold(QTableView &table, LockTableModel &model, std::function<QModelIndex()> chosenRow,
              QObject *parent);

    /// Holds or releases the order; to be called often.
    void update();
    /// Returns how many more rows are above the view since the user scrolled.
    int above() const { return m_above; }
    /// True if the chosen row was in sight, or gone, and is somewhere else now.
    bool isChosenLost() const;

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void note();
    void keep();
    bool isInSight(const QModelIndex &row) const;

    QTableView &m_table;
    LockTableModel &m_model;
    std::function<QModelIndex()> m_chosenRow;
    bool m_isPointedAt = false;
    TimePoint m_heldUntil;
    bool m_isFilling = true;
    TimePoint m_emptyAt;                    ///< while it is filling
    QList<QPersistentModelIndex> m_inSight; ///< empty: the table does not scroll with its rows
    int m_firstInSight = 0;
    bool m_isScrolling = false; ///< by this
    bool m_isChosenHere = true; ///< in sight or without a row, when last looked at
    int m_above = 0;
};

} // namespace lockscope
