// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <limits>

class QAbstractItemView;

namespace lockscope {

/// Of the selected rows, the topmost first: a line each, tab-separated, columns that are hidden with the others. At most `most`.
QString rowsText(const QAbstractItemView &view, qsizetype most = std::numeric_limits<qsizetype>::max());
/// Into the clipboard, where there are any.
void copyRows(const QAbstractItemView &view, qsizetype most = std::numeric_limits<qsizetype>::max());

/// The keys of a panel's table or tree: Ctrl+C copies its rows, Enter chooses one. They go to the table that has the keyboard, before
/// the shortcuts of the same name, which are for the table of locks. Belongs to the table.
class RowKeys : public QObject
{
    Q_OBJECT

public:
    RowKeys(QAbstractItemView *table, std::function<void()> copy, std::function<void()> choose);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    const std::function<void()> m_copy;
    const std::function<void()> m_choose;
};

} // namespace lockscope
