// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/boxes.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace lockscope {

class ElidedLabel;

/// A panel of the server's page: one under the other, a line of controls and what it shows, on the ground of a list.
class PagePanel : public QWidget
{
    Q_OBJECT

public:
    QSize sizeHint() const override;
    /// The list has the keyboard then, or what stands in its place.
    virtual void focusContents();

protected:
    /// `lines` of text have room in it at first.
    PagePanel(const QString &name, int lines, QWidget *parent);

    QVBoxLayout &column() { return *m_column; }
    QHBoxLayout &addHead(int spacing, std::initializer_list<BoxPart> controls);
    /// Says in few words what is shown: one of the controls.
    QWidget *summary() const;
    void showSummary(const QStringList &parts);
    /// Words that are typed here say which rows are shown.
    static void setUpFilter(QLineEdit &field, const QString &name, const QString &toolTip = {});
    /// The list, to be added to the column. Where it has nothing in it a sentence stands in its place.
    QWidget *placeOf(QWidget *list);
    /// `why`: there is nothing in the list; empty: there is.
    void showListOr(const QString &why);

private:
    const int m_lines;
    QVBoxLayout *m_column;
    ElidedLabel *m_summary;
    QStackedWidget *m_place = nullptr;
    QLabel *m_why = nullptr;
};

/// Of lines of text: whole rows are selected, one at a time, and Tab leaves the table.
void setUpRows(QTableView &table);

} // namespace lockscope
