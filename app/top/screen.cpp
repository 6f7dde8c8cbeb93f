// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/top/screen.h"

#include <algorithm>
#include <cwchar>

namespace lockscope {

namespace {

constexpr qsizetype maxTyped = 4'000;

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

qsizetype EditedLine::before() const
{
    const qsizetype one = m_cursor > 1 && m_text[m_cursor - 1].isLowSurrogate() ? 2 : 1;
    return std::max<qsizetype>(m_cursor - one, 0);
}

qsizetype EditedLine::after() const
{
    const qsizetype one = m_cursor < m_text.size() && m_text[m_cursor].isHighSurrogate() ? 2 : 1;
    return std::min(m_cursor + one, m_text.size());
}

bool EditedLine::press(const Key &key)
{
    switch (key.kind) {
    case Key::Text:
        if (m_text.size() + key.text.size() > maxTyped)
            return true;
        m_text.insert(m_cursor, key.text);
        m_cursor += key.text.size();
        return true;
    case Key::Backspace: {
        const qsizetype from = before();
        m_text.remove(from, m_cursor - from);
        m_cursor = from;
        return true;
    }
    case Key::Delete:
        m_text.remove(m_cursor, after() - m_cursor);
        return true;
    case Key::Left:
        m_cursor = before();
        return true;
    case Key::Right:
        m_cursor = after();
        return true;
    case Key::Home:
        m_cursor = 0;
        return true;
    case Key::End:
        m_cursor = m_text.size();
        return true;
    case Key::Clear:
        *this = EditedLine();
        return true;
    default:
        return false;
    }
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
