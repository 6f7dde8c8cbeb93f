// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

class QAbstractItemView;

namespace lockscope {

/// Copies the selected rows, topmost first, tab-separated, hidden columns included; at most 10,000. Does
/// nothing without a selection.
void copyRows(const QAbstractItemView &view);

/// Keys of a panel's table or tree: Ctrl+C copies its rows, Enter chooses one. Overrides the shortcuts of the
/// lock table while the panel has the focus. Owned by the table.
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
