// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QAbstractItemView;

namespace lockscope {

/// The selected rows to the clipboard, the topmost first: a line each, tab-separated, columns that are hidden with the others. At most
/// 10,000; where none is selected nothing.
void copyRows(const QAbstractItemView &view);

/// The keys of a panel's table or tree: Ctrl+C copies its rows, Enter chooses one. They go to the table that has the keyboard, before
/// the shortcuts of the same name, which are for the table of locks. Belongs to the table.
class RowKeys : public QObject
{
    Q_OBJECT

public:
    RowKeys(QAbstractItemView *table, std::function<void()> choose);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    const QAbstractItemView &m_table;
    const std::function<void()> m_choose;
};

} // namespace lockscope
