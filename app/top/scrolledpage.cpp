// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/top/scrolledpage.h"

#include "core/words/textlayout.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lockscope {

namespace {

constexpr int leastText = 16; // of a line with a tail

/// Continuation lines begin below the text of the first, behind its bullet.
int indentOf(const QString &text)
{
    const auto first = std::ranges::find_if(text, [](QChar c) { return c != u' ' && c != u'-'; });
    return static_cast<int>(std::min<qsizetype>(first - text.begin(), 12));
}

} // namespace

qsizetype ScrolledPage::nextWithLock(qsizetype from, int step) const
{
    for (qsizetype line = from + step; line >= 0 && line < m_lines.size(); line += step) {
        if (!m_lines[line].lock.isEmpty())
            return line;
    }
    return -1;
}

LockKey ScrolledPage::chosen() const
{
    return m_lines.value(m_cursor).lock;
}

bool ScrolledPage::press(const Key &key)
{
    const bool isUp = key.kind == Key::Up || key.is(u'k');
    if (isUp || key.kind == Key::Down || key.is(u'j')) {
        if (const qsizetype next = nextWithLock(m_cursor, isUp ? -1 : 1); next >= 0) {
            m_cursor = next;
            m_isCursorSought = true;
        } else {
            m_top += isUp ? -1 : 1;
        }
    } else if (key.kind == Key::PageUp) {
        m_top -= m_height;
    } else if (key.kind == Key::PageDown || key.is(u' ')) {
        m_top += m_height;
    } else if (key.kind == Key::Home) {
        m_top = 0;
        m_cursor = 0;
    } else if (key.kind == Key::End) {
        m_top = std::numeric_limits<int>::max() / 2; // paint() knows the last row
    } else {
        return false;
    }
    return true;
}

void ScrolledPage::paint(Screen &screen, int top, int rows)
{
    m_height = std::max(rows, 1);
    if (chosen().isEmpty()) // its line is gone, or none was chosen yet
        m_cursor = std::max<qsizetype>(nextWithLock(-1, 1), 0);
    QList<std::pair<QString, qsizetype>> wrappedLines;
    qsizetype cursorRow = 0;
    for (qsizetype line = 0; line < m_lines.size(); ++line) {
        if (line == m_cursor)
            cursorRow = wrappedLines.size();
        const QString &text = m_lines[line].text;
        const QString &tail = m_lines[line].tail;
        const int width = std::max(screen.columns() - 2, 10);
        const QStringList parts =
            m_lines[line].isOneLine
                ? QStringList(fitted(text, std::max(width - cellsOf(tail), leastText)) + tail)
                : wrapped(text, width, std::min(indentOf(text), width / 2));
        for (const QString &part : parts)
            wrappedLines.append({part, line});
    }
    const int last = std::max(static_cast<int>(wrappedLines.size()) - m_height, 0);
    if (std::exchange(m_isCursorSought, false))
        m_top = std::clamp(m_top, static_cast<int>(cursorRow) - m_height + 1, static_cast<int>(cursorRow));
    m_top = std::clamp(m_top, 0, last);
    for (int at = 0; at < m_height && m_top + at < wrappedLines.size(); ++at) {
        const auto &[text, line] = wrappedLines[m_top + at];
        Style style = m_lines[line].style;
        style.isReversed |= line == m_cursor && !m_lines[line].lock.isEmpty();
        screen.write(top + at, 1, fitted(text, screen.columns() - 1, true), style);
    }
    if (m_top < last)
        screen.write(top + m_height - 1, screen.columns() - 1, QStringLiteral("▼"), {.isBold = true});
    if (m_top > 0)
        screen.write(top, screen.columns() - 1, QStringLiteral("▲"), {.isBold = true});
}

} // namespace lockscope
