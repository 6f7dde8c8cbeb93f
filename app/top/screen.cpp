// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/top/screen.h"

#include <algorithm>
#include <cwchar>

namespace lockscope {

namespace {

/// Returns -1 for characters that the terminal's tables do not have, and for control characters.
int cellsOf(char32_t point)
{
    return ::wcwidth(static_cast<wchar_t>(point));
}

struct Glyphs
{
    std::u32string points;
    int cells = 0;
};

Glyphs shownPoints(const QString &text)
{
    Glyphs shown{text.toStdU32String()};
    for (char32_t &point : shown.points) {
        int cells = cellsOf(point);
        if (cells < 0) {
            point = U'\ufffd';
            cells = 1;
        }
        shown.cells += cells;
    }
    return shown;
}

/// The longest part at the begin that fits, or at the end for reverse iterators.
template <typename Iterator>
std::u32string fittingPart(Iterator from, Iterator to, int width)
{
    std::u32string part;
    for (; from != to; ++from) {
        const int cells = std::max(cellsOf(*from), 0);
        if (cells > width)
            break;
        width -= cells;
        part += *from;
    }
    return part;
}

} // namespace

int cellsOf(const QString &text)
{
    return shownPoints(text).cells;
}

QString fitted(const QString &text, int width, bool isEndCut)
{
    if (width <= 0)
        return {};
    const Glyphs shown = shownPoints(text);
    if (shown.cells <= width)
        return QString::fromStdU32String(shown.points);
    const int tail = isEndCut ? 0 : (width - 1) / 2;
    std::u32string cut = fittingPart(shown.points.begin(), shown.points.end(), width - 1 - tail) + U'…';
    std::u32string end = fittingPart(shown.points.rbegin(), shown.points.rend(), tail);
    std::ranges::reverse(end);
    // A combining character has nothing left that it belongs to.
    end.erase(end.begin(), std::ranges::find_if(end, [](char32_t point) { return cellsOf(point) != 0; }));
    return QString::fromStdU32String(cut + end);
}

QString filled(const QString &text, int width, bool isRight)
{
    const QString cut = fitted(text, width);
    const QString blanks(std::max(0, width - cellsOf(cut)), u' ');
    return isRight ? blanks + cut : cut + blanks;
}

QString shareBar(double share, int width)
{
    const int halves = std::clamp(static_cast<int>(share * 2 * width + 0.5), 0, 2 * width);
    QString bar(halves / 2, QChar(0x2588));
    if (halves % 2 != 0)
        bar += QChar(0x258c);
    return bar + QString(width - bar.size(), QChar(0x2591));
}

/// The cursor's place after a step; a character may have two units.
qsizetype EditedLine::beside(int step) const
{
    const qsizetype next = std::clamp<qsizetype>(m_cursor + step, 0, m_text.size());
    const bool isWithin = next > 0 && next < m_text.size() && m_text[next].isLowSurrogate();
    return isWithin ? next + step : next;
}

bool EditedLine::press(const Key &key)
{
    const bool isBackspace = key.kind == Key::Backspace;
    if (key.kind == Key::Text && m_text.size() < maxTyped) {
        m_text.insert(m_cursor, key.text);
        m_cursor += key.text.size();
    } else if (isBackspace || key.kind == Key::Delete) {
        const qsizetype other = beside(isBackspace ? -1 : 1);
        m_text.remove(std::min(m_cursor, other), std::abs(m_cursor - other));
        m_cursor = std::min(m_cursor, other);
    } else if (key.kind == Key::Left || key.kind == Key::Right) {
        m_cursor = beside(key.kind == Key::Left ? -1 : 1);
    } else if (key.kind == Key::Home || key.kind == Key::End) {
        m_cursor = key.kind == Key::Home ? 0 : m_text.size();
    } else if (key.kind == Key::Clear) {
        *this = EditedLine();
    } else {
        return key.kind == Key::Text;
    }
    return true;
}

void EditedLine::paint(Screen &screen, int row, const QString &prompt, Style style) const
{
    const QString asked = fitted(prompt, screen.columns() / 2);
    const int begin = cellsOf(asked);
    const int room = std::max(screen.columns() - begin - 1, 1);
    qsizetype from = 0;
    while (from < m_cursor && cellsOf(m_text.sliced(from, m_cursor - from)) > room)
        ++from;
    screen.write(row, 0, asked, {.color = style.color, .isBold = true});
    screen.write(row, begin, fitted(m_text.sliced(from), room, true));
    screen.placeCursor(row, begin + cellsOf(m_text.sliced(from, m_cursor - from)));
}

} // namespace lockscope
