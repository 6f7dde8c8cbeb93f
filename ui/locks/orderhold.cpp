// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/orderhold.h"

#include "ui/locks/locktablemodel.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace lockscope {

OrderHold::OrderHold(QTableView &table, LockTableModel &model, std::function<QModelIndex()> chosenRow,
                     QObject *parent)
    : QObject(parent),
      m_table(table),
      m_model(model),
      m_chosenRow(std::move(chosenRow)),
      m_emptyAt(Clock::now())
{
    m_table.viewport()->setMouseTracking(true);
    m_table.viewport()->installEventFilter(this);
    m_table.installEventFilter(this);
    // Before the model's rows move; the view's own handlers have run when ours is called after.
    connect(&m_model, &QAbstractItemModel::layoutAboutToBeChanged, this, &OrderHold::note);
    connect(&m_model, &QAbstractItemModel::layoutChanged, this, &OrderHold::keep);
    connect(m_table.verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (m_isScrolling)
            return;
        m_above = 0;
        m_isChosenHere = isInSight(m_chosenRow());
    });
}

void OrderHold::update()
{
    const TimePoint now = Clock::now();
    if (m_isFilling && m_model.rowCount() == 0)
        m_emptyAt = now;
    m_isFilling = m_isFilling && now - m_emptyAt <= fillTime;
    const bool isUsed = m_isPointedAt || (m_model.isHeld() && QApplication::activePopupWidget());
    const bool isHeld = m_table.isVisible() && ((isUsed && !m_isFilling) || now < m_heldUntil);
    if (isHeld != m_model.isHeld())
        m_model.setHeld(isHeld);
    const QModelIndex chosen = m_chosenRow();
    m_isChosenHere |= !chosen.isValid() || isInSight(chosen);
}

bool OrderHold::isChosenLost() const
{
    const QModelIndex chosen = m_chosenRow();
    return m_isChosenHere && chosen.isValid() && !isInSight(chosen);
}

bool OrderHold::isInSight(const QModelIndex &row) const
{
    const QRect place = row.isValid() ? m_table.visualRect(row) : QRect();
    return row.isValid() && place.bottom() >= 0 && place.top() < m_table.viewport()->height();
}

void OrderHold::note()
{
    m_inSight.clear();
    m_firstInSight = m_table.rowAt(0);
    if (m_table.verticalScrollBar()->value() == 0 || m_firstInSight < 0 || isInSight(m_chosenRow()))
        return;
    for (int row = m_firstInSight; row < m_model.rowCount() && isInSight(m_model.index(row, 0)); ++row)
        m_inSight.append(m_model.index(row, 0));
}

/// Scrolls by as much as most rows in sight have moved: a row that goes elsewhere is not followed.
void OrderHold::keep()
{
    QList<int> shifts;
    for (qsizetype i = 0; i < m_inSight.size(); ++i) {
        if (m_inSight[i].isValid())
            shifts.append(m_inSight[i].row() - m_firstInSight - static_cast<int>(i));
    }
    m_inSight.clear();
    std::ranges::sort(shifts);
    const int shift = shifts.value(shifts.size() / 2);
    if (shift == 0 || shifts.count(shift) * 2 < shifts.size())
        return;
    const QScopedValueRollback scrolling(m_isScrolling, true);
    QScrollBar *bar = m_table.verticalScrollBar();
    bar->setValue(bar->value() + shift * m_table.verticalHeader()->defaultSectionSize());
    m_above = std::max(m_above + shift, 0);
}

bool OrderHold::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        if (watched == m_table.viewport())
            m_isFilling = false;
        [[fallthrough]];
    case QEvent::MouseMove:
    case QEvent::Wheel:
        m_isPointedAt |= watched == m_table.viewport();
        update();
        break;
    case QEvent::KeyPress:
        m_heldUntil = Clock::now() + keyTime;
        update();
        break;
    case QEvent::Leave:
    case QEvent::Hide:
        if (watched == &m_table && std::exchange(m_isPointedAt, false))
            m_heldUntil = Clock::now() + leaveTime;
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lockscope
