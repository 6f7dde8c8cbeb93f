// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPersistentModelIndex>

#include <functional>

class QTableView;

namespace lockscope {

/// Keeps rows where they are while others come, go and move: the one beneath a mouse that has just moved, or else the chosen
/// one where it can be seen, or else the first in sight. At the very top, with none of these, the top is what is read.
class PlaceKeeper : public QObject
{
    Q_OBJECT

public:
    /// `chosenRow`: invalid where there is none. The table has its model; both must outlive this.
    PlaceKeeper(QTableView &table, std::function<QModelIndex()> chosenRow, QObject *parent);

    /// The table has come to stand so many pixels further down, as below a notice: rows that the mouse has just pointed at stay
    /// where they were on the screen, as far as the table can scroll. A table that is scrolled anyway scrolls back.
    void follow(int pixelsDown);

    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void note();
    void keep();
    bool isPointedAt() const;
    QModelIndex rowToHold() const;

    QTableView &m_table;
    std::function<QModelIndex()> m_chosenRow;
    QElapsedTimer m_pointedAt;       ///< invalid: the mouse is elsewhere
    QPersistentModelIndex m_topRow;  ///< invalid at the very top
    QPersistentModelIndex m_heldRow; ///< that somebody points to or has chosen
    int m_heldAt = 0;                ///< its place in the viewport
};

} // namespace lockscope
