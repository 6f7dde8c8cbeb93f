// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace lockscope {

/// A table whose new rows come at the top. Scrolled to the top it shows them; scrolled away, what is read stays in its place.
class EventTable : public QTableView
{
    Q_OBJECT

public:
    explicit EventTable(QWidget *parent = nullptr);

    /// Rows above those that are shown, since the table was at the top last.
    int newerRows() const { return m_newer; }
    bool isAtTop() const;

signals:
    void newerRowsChanged();

protected:
    void rowsInserted(const QModelIndex &parent, int first, int last) override;
    void reset() override;

private:
    void setNewer(int rows);

    int m_newer = 0;
};

} // namespace lockscope
