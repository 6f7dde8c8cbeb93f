// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/locktablemodel.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace lockscope {

class FilterChips;

/// The field in which a filter is typed, with chips that write the most wanted ones, counted, and what is wrong with the text.
class LockFilterBar : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this: what a filter may name.
    LockFilterBar(const OwnerNames &names, const DisplayClock &clock, QWidget *parent = nullptr);

    /// Of the text, as far as it made sense last.
    const LockFilter &filter() const { return m_filter; }
    bool isEmpty() const;
    void clear();
    void focusField();
    void setCounts(const LockTableModel::Counts &counts);
    /// What the text names may be others now: processes, nodes.
    void readAgain();

signals:
    void filterChanged(); ///< or made anew from the same text
    void left();          ///< by Enter or Down: to what was sought

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void buildField();
    void fitChips();

    const OwnerNames &m_names;
    const DisplayClock &m_clock;
    LockFilter m_filter;
    QLineEdit *m_field;
    QLabel *m_message;
    FilterChips *m_chips;
};

} // namespace lockscope
