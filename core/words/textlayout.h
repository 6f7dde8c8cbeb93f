// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/histogram.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace lockscope {

/// Fewer columns than that a report does not try to fit into.
constexpr int narrowest = 60;
/// What stands beside a bar of a histogram.
constexpr int barMargin = 34;

/// Columns of a terminal: two for a character of East Asia, none for a combining one.
int columnsOf(const QString &text);
/// With blanks up to `width` columns; longer text stays as it is.
QString padded(const QString &text, int width);

/// `text` in lines of at most `width` columns, broken at blanks where there are some; all but the first begin with
/// `indent` blanks.
QStringList wrapped(const QString &text, int width, int indent);

/// A row for each range of times (1, 2, 5, 10, … µs), with a bar of at most `longest` columns and the count.
QStringList bars(const Histogram &histogram, int longest);

/// Names with their values, below one another in as many columns as fit.
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
