// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLineEdit;
class QTableView;
class QVBoxLayout;

namespace lockscope {

/// A panel of the server's page: one under the other, a line of controls and what it shows, on the ground of a list.
class PagePanel : public QWidget
{
    Q_OBJECT

public:
    QSize sizeHint() const override;

protected:
    /// `lines` of text have room in it at first.
    PagePanel(const QString &name, int lines, QWidget *parent);

    QVBoxLayout &column() { return *m_column; }
    QHBoxLayout &addHead(int spacing);
    /// Words that are typed here say which rows are shown.
    static void setUpFilter(QLineEdit &field, const QString &name, const QString &toolTip = {});

private:
    const int m_lines;
    QVBoxLayout *m_column;
};

/// Of lines of text: whole rows are selected, one at a time, and Tab leaves the table.
void setUpRows(QTableView &table);

} // namespace lockscope
