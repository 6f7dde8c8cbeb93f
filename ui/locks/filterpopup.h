// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/filtercompletion.h"

#include <QWidget>

class QLabel;
class QTreeWidget;

namespace lockscope {

/// The list of suggestions below a field, which keeps the keyboard: a part of the window, not a window of its own.
class FilterPopup : public QWidget
{
    Q_OBJECT

public:
    explicit FilterPopup(QWidget *field);

    /// Below the field. `heading` says what is expected; with no suggestions, nothing is shown.
    void open(const QString &heading, const QList<FilterSuggestion> &suggestions);
    /// By rows; from none to the first or the last.
    void step(int by);
    const QList<FilterSuggestion> &suggestions() const { return m_suggestions; }
    int current() const; ///< -1: none

signals:
    void chosen(int suggestion); ///< by the mouse

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
