// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace lockscope {

/// A table whose new rows come at the top. Scrolled to the top it shows them, otherwise it stays in place.
class EventTable : public QTableView
{
    Q_OBJECT

public:
    explicit EventTable(QWidget *parent = nullptr);

    /// Number of rows inserted above since the table was last at the top.
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
