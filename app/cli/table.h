// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace lockscope {

/// A text table with columns as wide as their widest cell, without trailing spaces.
class Table
{
public:
    explicit Table(QStringList heading);

    void add(const QStringList &row, bool emphasised = false);
    /// Makes columns wide enough for a row that is printed separately.
    void measure(const QStringList &row);
    struct Cut
    {
        int column;
        int least; ///< width
    };
    /// Where standard output is a terminal: cuts columns in the middle, in this order, until lines fit it. Call after all
    /// rows were measured.
    void fitToTerminal(std::initializer_list<Cut> cuts);
    /// `color`: uses terminal codes for the heading and emphasised rows.
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
