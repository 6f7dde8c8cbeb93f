// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPersistentModelIndex>

#include <functional>

class QTableView;

namespace lockscope {

/// Keeps rows in place while others change: the row under a mouse that has just moved, else the chosen row if
/// visible, else the first visible row. At the very top, without either, the table stays at the top.
class ScrollAnchor : public QObject
{
    Q_OBJECT

public:
    /// `chosenRow` returns an invalid index without a choice. The table and its model must outlive this.
    ScrollAnchor(QTableView &table, std::function<QModelIndex()> chosenRow, QObject *parent);

    /// Keeps rows under a recently moved mouse in place after the table has moved down by so many pixels, as
    /// below a notice. A scrolled table is always scrolled back.
    void follow(int pixelsDown);

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void note();
    void keep();
    bool isPointedAt() const;
    QModelIndex rowToHold() const;

    QTableView &m_table;
    std::function<QModelIndex()> m_chosenRow;
    QElapsedTimer m_pointedAt;       ///< invalid while the mouse is elsewhere
    QPersistentModelIndex m_topRow;  ///< invalid at the very top
    QPersistentModelIndex m_heldRow; ///< under the mouse or chosen
    int m_heldAt = 0;                ///< y in the viewport
};

} // namespace lockscope
