// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/scrollanchor.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace lockscope {

namespace {

constexpr std::chrono::milliseconds pointingTime{5'000}; // a mouse that rests for longer points to nothing

} // namespace

ScrollAnchor::ScrollAnchor(QTableView &table, std::function<QModelIndex()> chosenRow, QObject *parent)
    : QObject(parent), m_table(table), m_chosenRow(std::move(chosenRow))
{
    m_table.viewport()->setMouseTracking(true);
    m_table.viewport()->installEventFilter(this);
    // Before the model's rows move; the view's own handlers have run when ours is called after.
    connect(m_table.model(), &QAbstractItemModel::layoutAboutToBeChanged, this, &ScrollAnchor::note);
    connect(m_table.model(), &QAbstractItemModel::layoutChanged, this, &ScrollAnchor::keep);
}

bool ScrollAnchor::isPointedAt() const
{
    return m_pointedAt.isValid() && !m_pointedAt.hasExpired(pointingTime.count());
}

QModelIndex ScrollAnchor::rowToHold() const
{
    if (isPointedAt()) {
        const QModelIndex row = m_table.indexAt(m_table.viewport()->mapFromGlobal(QCursor::pos()));
        if (row.isValid())
            return row;
    }
    const QModelIndex row = m_chosenRow();
    const QRect place = row.isValid() ? m_table.visualRect(row) : QRect();
    const bool isInSight = place.bottom() >= 0 && place.top() < m_table.viewport()->height();
    return isInSight ? row : QModelIndex();
}

void ScrollAnchor::note()
{
    m_topRow = m_table.verticalScrollBar()->value() > 0 ? m_table.indexAt({1, 1}) : QModelIndex();
    m_heldRow = rowToHold();
    m_heldAt = m_heldRow.isValid() ? m_table.visualRect(m_heldRow).top() : 0;
}

/// A row that moved far away is not followed.
void ScrollAnchor::keep()
{
    QScrollBar *bar = m_table.verticalScrollBar();
    const int height = m_table.verticalHeader()->defaultSectionSize();
    const int shift = m_heldRow.isValid() ? m_heldRow.row() * height - bar->value() - m_heldAt : 0;
    if (m_heldRow.isValid() && std::abs(shift) <= m_table.viewport()->height())
        bar->setValue(bar->value() + shift);
    else if (m_topRow.isValid())
        bar->setValue(m_topRow.row() * height);
    m_topRow = m_heldRow = QModelIndex();
}

void ScrollAnchor::follow(int pixelsDown)
{
    QScrollBar *bar = m_table.verticalScrollBar();
    if (bar->value() > 0 || isPointedAt())
        bar->setValue(bar->value() + pixelsDown);
}

bool ScrollAnchor::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonPress)
        m_pointedAt.start();
    else if (event->type() == QEvent::Leave)
        m_pointedAt.invalidate();
    return QObject::eventFilter(watched, event);
}

} // namespace lockscope
