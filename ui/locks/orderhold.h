// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QList>
#include <QPersistentModelIndex>
#include <QWidget>

class QLabel;
class QTableView;
class QToolButton;

namespace lockscope {

class LockTableModel;

/// Keeps rows in place under the hand: holds the model's order while the mouse is over the table, and for a
/// moment after that or after a key. At other times the rows in sight stay where they are when rows come or
/// go above them, unless the table is at its top or shows the pinned row. It is itself the line below the table
/// that says what is out of order, and always takes its room.
class OrderHold : public QWidget
{
    Q_OBJECT

public:
    static constexpr milliseconds leaveTime{1'000}; ///< from the mouse's leaving to the next order
    static constexpr milliseconds keyTime{2'000};
    /// For this long after the first rows only a click holds the order: the table is still being filled.
    static constexpr milliseconds fillTime{2'000};

    /// The table and its model must outlive this.
    OrderHold(QTableView &table, LockTableModel &model, QWidget *parent);

    void update(); ///< to be called often
    /// Says what is out of order now. Visits all locks while rows are.
    void refresh();

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void takeStep();
    void note();
    void keep();
    bool isInSight(const QModelIndex &row) const;

    QTableView &m_table;
    LockTableModel &m_model;
    QLabel *m_text;
    QToolButton *m_step;
    bool m_isPointedAt = false;
    bool m_isFilling = true;
    TimePoint m_emptyAt, m_heldUntil;
    QList<QPersistentModelIndex> m_inSight; ///< empty: the table does not scroll with its rows
    int m_firstInSight = 0;
};

} // namespace lockscope
