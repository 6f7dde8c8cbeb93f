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
    /// `color`: terminal codes for the heading and emphasised rows.
    QString text(bool color) const;

private:
    struct Row
    {
        QStringList cells;
        bool emphasised = false;
    };
    QStringList m_heading;
    QList<Row> m_rows;
};

} // namespace lockscope
