// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/events/eventtable.h"

#include "ui/widgets/pagepanel.h"

#include <QScrollBar>

#include <utility>

namespace lockscope {

EventTable::EventTable(QWidget *parent) : QTableView(parent)
{
    setUpRows(*this);
    setSelectionMode(ExtendedSelection);
    setVerticalScrollMode(ScrollPerItem); // a step is a row
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (isAtTop())
            setNewer(0);
    });
}

bool EventTable::isAtTop() const
{
    return verticalScrollBar()->value() == 0;
}

void EventTable::rowsInserted(const QModelIndex &parent, int first, int last)
{
    const int scrolled = verticalScrollBar()->value();
    QTableView::rowsInserted(parent, first, last);
    if (scrolled == 0 || first > scrolled)
        return;
    updateGeometries(); // else there is no room yet to scroll to
    verticalScrollBar()->setValue(scrolled + last - first + 1);
    setNewer(m_newer + last - first + 1);
}

void EventTable::reset()
{
    QTableView::reset();
    scrollToTop();
    setNewer(0);
}

void EventTable::setNewer(int rows)
{
    if (std::exchange(m_newer, rows) != rows)
        emit newerRowsChanged();
}

} // namespace lockscope
