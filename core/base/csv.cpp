// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include <algorithm>

namespace lockscope::csv {

namespace {

bool isNumber(const QString &cell)
{
    bool ok = false;
    cell.toDouble(&ok);
    return ok && std::ranges::all_of(cell, [](QChar c) { return c.isDigit() || c == u'-' || c == u'.'; });
}

QString cellText(const QString &cell)
{
    static const QString starts = QStringLiteral("=+-@\t\r\uff1d\uff0b\uff0d\uff20");
    QString text = cell;
    if (!cell.isEmpty() && starts.contains(cell.front()) && !isNumber(cell))
        text.prepend(u'\'');
    static const QString quoted = QStringLiteral("\",\n\r\t");
    const bool needsQuotes = std::ranges::any_of(text, [](QChar c) { return quoted.contains(c); });
    // A space at an end is a part of the cell, which some readers keep between quotes alone.
    if (!needsQuotes && text.trimmed() == text)
        return text;
    return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

} // namespace

QByteArray record(const QStringList &cells)
{
    QStringList texts;
    for (const QString &cell : cells)
        texts.append(cellText(cell));
    return texts.join(u',').toUtf8() + "\r\n";
}

} // namespace lockscope::csv
