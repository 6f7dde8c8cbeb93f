// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QHash>
#include <QTimer>

class QHeaderView;

namespace lockscope {

/// Returns the width of the widest duration below 1,000 years in pixels: "≥ 59 min 59 s", in any language.
int durationWidth(const QFontMetrics &metrics);

/// Returns the width in pixels that the visible texts of a column need; 0 while the view is hidden.
int visibleTextWidth(const QAbstractItemView &view, int column);

/// True if columns may change their width: no pointer rests on the view, which would move what it points at.
bool canWiden(const QAbstractItemView &view);

/// Keeps columns of durations and numbers as wide as their widest visible text: "≥ 10 … 15 s" reads like ten
/// seconds. Columns only grow, and not while the pointer rests on the view: a figure too wide is cut at its end.
class FigureColumns : public QObject
{
    Q_OBJECT

public:
    /// The header's view must have its model. `durations` have room for all durations from the beginning.
    explicit FigureColumns(QHeaderView *header, const QList<int> &durations, const QList<int> &numbers = {});

    /// Returns the width of a column in pixels, also while it is hidden.
    int widthOf(int column) const { return m_widths.value(column); }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fit();
    void reset();
    void widen(int column, int width);

    QHeaderView *m_header;
    QAbstractItemView *m_view;
    QList<int> m_durations;
    QHash<int, int> m_widths; ///< by column
    bool m_isFilled = false;  ///< whether texts were measured
    QTimer m_due;
};

} // namespace lockscope
