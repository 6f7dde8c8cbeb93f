// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/celltextcache.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace lockscope {

namespace {

constexpr qsizetype mostTexts = 2000; // some screens full

/// Without shaping it: as it is for ASCII in a monospaced font.
bool fitsSurely(const QString &text, const QFontMetrics &metrics, int width)
{
    return text.size() * metrics.maxWidth() <= width &&
           std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x7f; });
}

} // namespace

void CellTextCache::draw(QPainter &painter, const QString &text, const QRect &cell,
                         Qt::Alignment horizontally, Qt::TextElideMode elide)
{
    if (text.isEmpty() || cell.width() <= 0)
        return;
    if (m_laidOut.size() >= mostTexts)
        m_laidOut.clear();
    QStaticText &laidOut = m_laidOut[{text, cell.width()}];
    if (laidOut.text().isEmpty()) {
        const QFontMetrics metrics = painter.fontMetrics();
        laidOut.setTextFormat(Qt::PlainText);
        laidOut.setPerformanceHint(QStaticText::AggressiveCaching);
        laidOut.setText(
            fitsSurely(text, metrics, cell.width()) ? text : metrics.elidedText(text, elide, cell.width()));
        laidOut.prepare(painter.transform(), painter.font());
    }
    const QSizeF size = laidOut.size();
    const bool isRight = horizontally.testFlag(Qt::AlignRight);
    painter.drawStaticText(QPointF(isRight ? cell.right() + 1 - size.width() : cell.left(),
                                   cell.top() + (cell.height() - static_cast<int>(size.height())) / 2),
                           laidOut);
}

} // namespace lockscope
