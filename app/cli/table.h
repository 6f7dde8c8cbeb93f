// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace lockscope {

/// Rows under a heading, each column as wide as its widest cell; no blanks at a line's end.
class Table
{
public:
    explicit Table(QStringList heading);

    void add(const QStringList &row, bool emphasised = false);
    /// Makes room for a row that is written by itself.
    void measure(const QStringList &row);
    /// `color`: terminal codes for the heading and emphasised rows.
    QString text(bool color) const;
    QString headingLine(bool color) const;
    QString line(const QStringList &row, bool emphasised, bool color) const;

private:
    QString aligned(const QStringList &cells) const;

    struct Row
    {
        QStringList cells;
        bool emphasised = false;
    };
    QStringList m_heading;
    QList<int> m_widths;
    QList<Row> m_rows;
};

} // namespace lockscope
