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

/// A panel of the server's page: a line of controls above its content.
class PagePanel : public QWidget
{
    Q_OBJECT

public:
    QSize sizeHint() const override;
    virtual void focusContents();

protected:
    /// `lines`: initial height in lines of text.
    PagePanel(const QString &name, int lines, QWidget *parent);

    QVBoxLayout &column() { return *m_column; }
    QHBoxLayout &addHead(int spacing, std::initializer_list<BoxPart> controls);
    /// Returns the label for a short summary of the content, one of the controls.
    QWidget *summary() const;
    void showSummary(const QStringList &parts);
    static void setUpFilter(QLineEdit &field, const QString &name, const QString &toolTip = {});
    /// Returns a list for the column that can be replaced by a sentence while it is empty.
    QWidget *placeOf(QWidget *list);
    /// Shows `why` the list is empty; an empty text shows the list.
    void showListOr(const QString &why);

private:
    const int m_lines;
    QVBoxLayout *m_column;
    ElidedLabel *m_summary;
    QStackedWidget *m_place = nullptr;
    QLabel *m_why = nullptr;
};

/// Sets up a table of text lines: selects single whole rows, and Tab leaves the table.
void setUpRows(QTableView &table);

} // namespace lockscope
