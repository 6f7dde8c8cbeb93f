// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/table.h"

#include "core/words/textlayout.h"

#include <algorithm>

namespace lockscope {

Table::Table(QStringList heading) : m_heading(std::move(heading)) {}

void Table::add(const QStringList &row, bool emphasised)
{
    m_rows.append({row, emphasised});
}

QString Table::text(bool color) const
{
    QList<int> widths;
    for (qsizetype column = 0; column < m_heading.size(); ++column) {
        int width = columnsOf(m_heading[column]);
        for (const Row &row : m_rows)
            width = std::max(width, columnsOf(row.cells[column]));
        widths.append(width);
    }
    const auto line = [&](const QStringList &cells) {
        QString text;
        for (qsizetype column = 0; column < cells.size(); ++column)
            text += padded(cells[column], widths[column]) + QStringLiteral("  ");
        while (text.endsWith(u' '))
            text.chop(1);
        return text;
    };
    const auto dyed = [&](const char *code, const QString &text) {
        return color ? QLatin1String(code) + text + QLatin1String("\x1b[0m") : text;
    };
    QString text = dyed("\x1b[1m", line(m_heading)) + u'\n';
    for (const Row &row : m_rows)
        text += (row.emphasised ? dyed("\x1b[33m", line(row.cells)) : line(row.cells)) + u'\n';
    return text;
}

} // namespace lockscope
