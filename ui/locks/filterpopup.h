// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/filtercompletion.h"

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace lockscope {

/// The suggestions below a field, which keeps the keyboard focus. A child of the window.
class FilterPopup : public QWidget
{
    Q_OBJECT

public:
    explicit FilterPopup(QWidget *field);

    /// Opens below the field; hides without suggestions. `heading` describes the expected input.
    void open(const QString &heading, const QList<FilterSuggestion> &suggestions);
    /// Moves the current row by a number of rows; without a current row, to the first or the last.
    void step(int by);
    const QList<FilterSuggestion> &suggestions() const { return m_suggestions; }
    int current() const; ///< -1 without one

signals:
    void chosen(int suggestion); ///< by mouse

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void place();

    QWidget *m_field;
    QLabel *m_heading;
    QTreeWidget *m_list;
    QList<FilterSuggestion> m_suggestions;
};

} // namespace lockscope
