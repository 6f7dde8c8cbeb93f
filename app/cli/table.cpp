// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include "app/cli/console.h"
#include "app/top/screen.h"
#include "core/words/textlayout.h"

#include <algorithm>
#include <numeric>

namespace lockscope {

namespace {

QString dyed(bool color, QLatin1String code, const QString &text)
{
    return (color ? code + text + QLatin1String("\x1b[0m") : text) + u'\n';
}

} // namespace

Table::Table(QStringList heading) : m_heading(std::move(heading)), m_widths(m_heading.size())
{
    measure(m_heading);
}

void Table::add(const QStringList &row, bool emphasised)
{
    measure(row);
    m_rows.append({row, emphasised});
}

void Table::measure(const QStringList &row)
{
    for (qsizetype column = 0; column < m_widths.size(); ++column)
        m_widths[column] = std::max(m_widths[column], columnsOf(row[column]));
}

void Table::fitToTerminal(std::initializer_list<Cut> cuts)
{
    if (!console::isTerminal())
        return;
    const int wanted = std::accumulate(m_widths.begin(), m_widths.end(), 2 * int(m_widths.size() - 1));
    int over = wanted - console::width();
    for (const auto &[column, least] : cuts) {
        const int cut = std::clamp(m_widths[column] - least, 0, std::max(over, 0));
        m_widths[column] -= cut;
        over -= cut;
    }
}

QString Table::headingLine(bool color) const
{
    return dyed(color, QLatin1String("\x1b[1m"), aligned(m_heading));
}

QString Table::line(const QStringList &row, bool emphasised, bool color) const
{
    return dyed(color && emphasised, QLatin1String("\x1b[33m"), aligned(row));
}

QString Table::aligned(const QStringList &cells) const
{
    QString text;
    for (qsizetype column = 0; column < cells.size(); ++column) {
        const int width = m_widths[column];
        const QString &cell = cells[column];
        text += padded(columnsOf(cell) > width ? fitted(cell, width) : cell, width) + QStringLiteral("  ");
    }
    while (text.endsWith(u' '))
        text.chop(1);
    return text;
}

QString Table::text(bool color) const
{
    QString text = headingLine(color);
    for (const Row &row : m_rows)
        text += line(row.cells, row.emphasised, color);
    return text;
}

} // namespace lockscope
