// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/histogram.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace lockscope {

/// The minimum width of a report, in columns.
constexpr int narrowest = 60;
/// Columns for the text next to a histogram's bar.
constexpr int barMargin = 34;

/// Columns in a terminal: two for an East Asian character, none for a combining one.
int columnsOf(const QString &text);
/// The text filled with blanks up to `width` columns; longer text is unchanged.
QString padded(const QString &text, int width);

/// `text` in lines of at most `width` columns, broken at blanks if possible; all but the first are indented
/// by `indent` blanks.
QStringList wrapped(const QString &text, int width, int indent);

/// A row for each range of times (1, 2, 5, 10, … µs), with a bar of at most `longest` columns and the count.
QStringList bars(const Histogram &histogram, int longest);

/// Names with values, in as many columns as fit.
class Figures
{
public:
    void add(const QString &label, const QString &value) { m_figures.append({label, value}); }
    QStringList lines(int width) const;

private:
    struct Figure
    {
        QString label;
        QString value;
    };
    QList<Figure> m_figures;
};

} // namespace lockscope
