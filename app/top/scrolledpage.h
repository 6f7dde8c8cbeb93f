// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/top/screen.h"
#include "core/model/lock.h"

#include <QList>

namespace lockscope {

struct PageLine
{
    QString text;
    Style style{};
    LockKey lock{};         ///< empty: the line cannot be chosen
    bool isOneLine = false; ///< cut in its middle instead of wrapped
    QString tail{};         ///< of one line: never cut, if it leaves room for a bit of the text
};

/// Lines that are wrapped and scrolled. If some have a lock, the cursor goes from one to the next.
class ScrolledPage
{
public:
    void setLines(const QList<PageLine> &lines) { m_lines = lines; }
    /// Returns false for keys that do not scroll.
    bool press(const Key &key);
    void paint(Screen &screen, int top, int rows);
    /// The lock of the line with the cursor; may be empty.
    LockKey chosen() const;

private:
    qsizetype nextWithLock(qsizetype from, int step) const;

    QList<PageLine> m_lines;
    qsizetype m_cursor = 0; ///< a line, if any has a lock
    int m_top = 0;          ///< first visible row of the wrapped lines
    int m_height = 1;
    bool m_isCursorSought = false; ///< the cursor has moved and must be in sight
};

} // namespace lockscope
