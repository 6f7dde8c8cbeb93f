// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/taborder.h"

#include <QDockWidget>
#include <QGridLayout>
#include <QMainWindow>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace lockscope {

namespace {

void addParts(const QLayout &layout, QList<QWidget *> &parts)
{
    QList<std::pair<std::pair<int, int>, QLayoutItem *>> items; // by row and column
    const auto *grid = qobject_cast<const QGridLayout *>(&layout);
    for (int index = 0; index < layout.count(); ++index) {
        int row = index, column = 0, rows = 0, columns = 0;
        if (grid)
            grid->getItemPosition(index, &row, &column, &rows, &columns);
        items.append({{row, column}, layout.itemAt(index)});
    }
    std::ranges::stable_sort(items);
    for (const auto &[place, item] : std::as_const(items)) {
        if (item->layout())
            addParts(*item->layout(), parts);
        else if (item->widget())
            parts << item->widget();
    }
}

/// Returns the next widgets within `whole`, in the order of reading.
QList<QWidget *> partsOf(const QWidget &whole)
{
    QList<QWidget *> parts;
    if (const auto *window = qobject_cast<const QMainWindow *>(&whole)) {
        parts << window->centralWidget();
        for (const QDockWidget *dock : window->findChildren<QDockWidget *>())
            parts << dock->titleBarWidget() << dock->widget();
    } else if (const auto *tabs = qobject_cast<const QTabWidget *>(&whole)) {
        parts << tabs->tabBar();
        for (int index = 0; index < tabs->count(); ++index)
            parts << tabs->widget(index);
    } else if (const auto *area = qobject_cast<const QScrollArea *>(&whole)) {
        parts << area->widget();
    } else if (const auto *splitter = qobject_cast<const QSplitter *>(&whole)) {
        for (int index = 0; index < splitter->count(); ++index)
            parts << splitter->widget(index);
    } else if (whole.layout()) {
        addParts(*whole.layout(), parts);
    }
    return parts;
}

} // namespace

void orderTabs(const QWidget &whole)
{
    QWidget *before = nullptr;
    QList<QWidget *> rest = partsOf(whole);
    while (!rest.isEmpty()) {
        QWidget *part = rest.takeFirst();
        if (!part)
            continue;
        // Tab enters a box of buttons or tabs through its proxy. Behind its buttons, where Qt 6.4 puts it once some are added to
        // it, it leads back to the first one for ever.
        if (part->focusProxy() && part->isAncestorOf(part->focusProxy())) {
            part->setFocusProxy(nullptr);
            part->setFocusPolicy(Qt::NoFocus);
        }
        if (part->focusPolicy() != Qt::NoFocus && !part->focusProxy()) {
            if (before && before->window() == part->window())
                QWidget::setTabOrder(before, part);
            before = part;
        }
        rest = partsOf(*part) + rest;
    }
}

} // namespace lockscope
