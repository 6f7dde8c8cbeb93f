// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/celltextcache.h"

#include <QFontMetrics>
#include <QPainter>

namespace lockscope {

namespace {

constexpr qsizetype maxTexts = 2000; // some screens full

} // namespace

void CellTextCache::draw(QPainter &painter, const QString &text, const QRect &cell,
                         Qt::Alignment horizontally, Qt::TextElideMode elide)
{
    if (text.isEmpty() || cell.width() <= 0)
        return;
    if (m_laidOut.size() >= maxTexts)
        m_laidOut.clear();
    QStaticText &laidOut = m_laidOut[{text, cell.width()}];
    if (laidOut.text().isEmpty()) {
        laidOut.setTextFormat(Qt::PlainText);
        laidOut.setPerformanceHint(QStaticText::AggressiveCaching);
        laidOut.setText(text);
        laidOut.prepare(painter.transform(), painter.font());
        // Most fit: whether they do is known when they are laid out, and asking first would lay them out twice.
        if (laidOut.size().width() > cell.width()) {
            laidOut.setText(painter.fontMetrics().elidedText(text, elide, cell.width()));
            laidOut.prepare(painter.transform(), painter.font());
        }
    }
    const QSizeF size = laidOut.size();
    const bool isRight = horizontally.testFlag(Qt::AlignRight);
    painter.drawStaticText(QPointF(isRight ? cell.right() + 1 - size.width() : cell.left(),
                                   cell.top() + (cell.height() - static_cast<int>(size.height())) / 2),
                           laidOut);
}

} // namespace lockscope
