// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemView>
#include <QMap>
#include <QTimer>

class QHeaderView;

namespace lockscope {

/// Returns the width of the widest duration below 1,000 years in pixels: "≥ 59 min 59 s", in any language.
int durationWidth(const QFontMetrics &metrics);

/// Returns the width in pixels that the visible texts of a column need; 0 while the view is hidden.
int visibleTextWidth(const QAbstractItemView &view, int column);

/// Keeps columns of durations and numbers as wide as their widest visible text: "≥ 10 … 15 s" reads like ten
/// seconds. Columns only grow, and not while the pointer rests on the view: a figure too wide is cut at its end.
class FigureColumns : public QObject
{
    Q_OBJECT

public:
    /// The header's view must have its model. `durations` have room for all durations from the beginning.
    explicit FigureColumns(QHeaderView *header, const QList<int> &durations, const QList<int> &numbers = {});

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void fit();

    QHeaderView *m_header;
    QAbstractItemView *m_view;
    QMap<int, int> m_widths; ///< by column
    bool m_isFilled = false; ///< whether texts were measured
    QTimer m_due;
};

} // namespace lockscope
