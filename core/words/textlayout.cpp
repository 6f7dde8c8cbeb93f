// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/textlayout.h"

#include "core/base/printable.h"
#include "core/words/durations.h"

#include <algorithm>
#include <array>
#include <utility>

namespace lockscope {

namespace {

using namespace std::chrono_literals;

/// Blocks of characters that take two columns. wcwidth() would depend on the locale.
bool isWide(char32_t point)
{
    constexpr std::array<std::pair<char32_t, char32_t>, 9> blocks{{{0x1100, 0x115f},
                                                                   {0x2e80, 0xa4cf},
                                                                   {0xac00, 0xd7a3},
                                                                   {0xf900, 0xfaff},
                                                                   {0xfe30, 0xff60},
                                                                   {0xffe0, 0xffe6},
                                                                   {0x1f300, 0x1f64f},
                                                                   {0x1f900, 0x1f9ff},
                                                                   {0x20000, 0x3fffd}}};
    return std::ranges::any_of(
        blocks, [point](const auto &block) { return point >= block.first && point <= block.second; });
}

/// True for characters drawn over the previous one.
bool isCombining(char32_t point)
{
    const QChar::Category category = QChar::category(point);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing;
}

/// The length of the part of `text` that fits into `width` columns: to a blank if possible; at least 1.
qsizetype fitting(const QString &text, int width)
{
    int columns = 0;
    qsizetype blank = -1;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool isPair = text[i].isHighSurrogate() && i + 1 < text.size();
        columns += columnsOf(text.mid(i, isPair ? 2 : 1));
        if (columns > width && i > 0)
            return blank > 0 && text[i] != u' ' ? blank : i;
        // Blanks at the beginning are an indentation.
        if (text[i] == u' ' && !text.first(i).trimmed().isEmpty())
            blank = i;
        i += isPair ? 1 : 0;
    }
    return text.size();
}

microseconds nextBorder(microseconds border)
{
    // 1, 2, 5, 10, 20, 50 …: the first digit tells.
    qint64 digit = border.count();
    while (digit >= 10)
        digit /= 10;
    return digit == 2 ? border * 5 / 2 : border * 2;
}

struct Row
{
    microseconds low;
    microseconds high;
    qint64 count = 0;
};

QList<Row> rowsOf(const Histogram &histogram)
{
    QList<Row> rows;
    Row row{0us, 1us};
    for (const Histogram::Bucket &bucket : histogram.buckets()) {
        while ((bucket.low + bucket.high) / 2 >= row.high) {
            if (row.count > 0 || !rows.isEmpty())
                rows.append(row);
            row = Row{row.high, nextBorder(row.high)};
        }
        row.count += bucket.count;
    }
    rows.append(row);
    return rows;
}

} // namespace

int columnsOf(const QString &text)
{
    int columns = 0;
    if (std::ranges::all_of(text, [](QChar c) { return c >= u' ' && c <= u'~'; }))
        return static_cast<int>(text.size());
    for (const char32_t point : text.toStdU32String())
        columns += isCombining(point) ? 0 : isWide(point) ? 2 : 1;
    return columns;
}

QString padded(const QString &text, int width)
{
    return text + QString(std::max(0, width - columnsOf(text)), u' ');
}

QStringList wrapped(const QString &text, int width, int indent)
{
    QStringList lines;
    const QString margin(indent, u' ');
    QString rest = text;
    do {
        const qsizetype taken = fitting(rest, width);
        lines.append(rest.first(taken));
        rest = rest.sliced(taken).trimmed();
        if (!rest.isEmpty())
            rest.prepend(margin);
    } while (!rest.isEmpty());
    return lines;
}

QStringList bars(const Histogram &histogram, int longest)
{
    QStringList lines;
    qint64 most = 1;
    const QList<Row> rows = rowsOf(histogram);
    for (const Row &row : rows)
        most = std::max(most, row.count);
    for (const Row &row : rows) {
        // What occurred at all is to be seen.
        const qint64 length = row.count == 0 ? 0 : std::max(qint64(1), row.count * longest / most);
        QString line = QStringLiteral("  %1 – %2  %3")
                           .arg(shortTime(row.low), 8)
                           .arg(shortTime(row.high), -8)
                           .arg(QString(length, QChar(0x2588)));
        if (row.count > 0)
            line += u' ' + grouped(row.count);
        while (line.endsWith(u' '))
            line.chop(1);
        lines.append(line);
    }
    return lines;
}

QStringList Figures::lines(int width) const
{
    constexpr int gap = 4;
    int label = 0;
    int value = 0;
    for (const Figure &figure : m_figures) {
        label = std::max(label, columnsOf(figure.label));
        value = std::max(value, columnsOf(figure.value));
    }
    const int column = 2 + label + 2 + value;
    const qsizetype columns = std::max(1, (width + gap) / (column + gap));
    const qsizetype rows = (m_figures.size() + columns - 1) / columns;
    QStringList lines;
    for (qsizetype row = 0; row < rows; ++row) {
        QString line;
        for (qsizetype i = row; i < m_figures.size(); i += rows) {
            line += QStringLiteral("  ") + padded(m_figures[i].label, label) + QStringLiteral("  ") +
                    padded(m_figures[i].value, value) + QString(gap, u' ');
        }
        lines.append(line.left(line.size() - gap));
        while (lines.back().endsWith(u' '))
            lines.back().chop(1);
    }
    return lines;
}

} // namespace lockscope
