// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rowkeys.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace lockscope {

QString rowsText(const QAbstractItemView &view, qsizetype most)
{
    QModelIndexList rows = view.selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    QStringList lines;
    for (const QModelIndex &row : rows.first(std::min(rows.size(), most))) {
        QStringList cells;
        for (int column = 0; column < view.model()->columnCount(row.parent()); ++column)
            cells << row.siblingAtColumn(column).data().toString();
        lines << cells.join(u'\t');
    }
    return lines.join(u'\n');
}

void copyRows(const QAbstractItemView &view, qsizetype most)
{
    if (const QString text = rowsText(view, most); !text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

RowKeys::RowKeys(QAbstractItemView *table, std::function<void()> copy, std::function<void()> choose)
    : QObject(table), m_copy(std::move(copy)), m_choose(std::move(choose))
{
    table->installEventFilter(this);
}

bool RowKeys::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool copies = key->matches(QKeySequence::Copy);
    const bool chooses = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (!copies && !chooses)
        return false;
    event->accept();
    if (event->type() == QEvent::KeyPress)
        copies ? m_copy() : m_choose();
    return true;
}

} // namespace lockscope
