// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/filterreading.h"

#include <QAbstractButton>

class QHBoxLayout;

namespace lockscope {

class FilterTerm : public QAbstractButton
{
    Q_OBJECT

public:
    FilterTerm(const QString &term, FilterReading::State state, QWidget *parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override; ///< Delete, Backspace and Return also remove the term

private:
    FilterReading::State m_state;
};

/// The terms of a filter in a row; shown if there are several, or a time filter.
class FilterTerms : public QWidget
{
    Q_OBJECT

public:
    explicit FilterTerms(QWidget *parent = nullptr);

    void setFilter(const QString &text, const FilterReading &reading);
    /// Shows a time filter before the terms; an empty text removes it.
    void setTime(const QString &time);

signals:
    void removed(int word);
    void timeRemoved();

private:
    QHBoxLayout *m_layout;
    QList<FilterTerm *> m_terms;
    FilterTerm *m_time = nullptr;
};

} // namespace lockscope
