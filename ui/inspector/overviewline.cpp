// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/overviewline.h"

#include "ui/widgets/plaintext.h"

#include <QPainter>

namespace lockscope {

namespace {

constexpr int padding = 6;
constexpr int lineGlyphSize = 13;

} // namespace

OverviewLine::OverviewLine(bool isTall, QWidget *parent) : QAbstractButton(parent), m_isTall(isTall)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setFocusPolicy(Qt::TabFocus); // without an act it is disabled
    connect(this, &OverviewLine::clicked, this, [this] {
        if (const auto act = m_entry.act) // which may give the line another entry
            act();
    });
}

void OverviewLine::setEntry(const OverviewEntry &entry)
{
    QStringList parts{entry.text, entry.detail, entry.value};
    parts.removeAll(QString());
    const QString all = parts.join(QStringLiteral(", "));
    const bool isOther = entry.text != m_entry.text;
    const bool isSame = all == accessibleName() && entry.glyph == m_entry.glyph;
    m_entry = entry;
    setEnabled(entry.act != nullptr);
    setCursor(entry.act ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (isSame)
        return;
    if (!hasFocus() || isOther) // screen readers say a new name of what has the focus
        setAccessibleName(all);
    setPlainToolTip(*this, all);
    update();
}

QSize OverviewLine::sizeHint() const
{
    return {0, fontMetrics().height() * (m_isTall ? 2 : 1) + padding};
}

void OverviewLine::enterEvent(QEnterEvent *)
{
    update();
}

void OverviewLine::leaveEvent(QEvent *)
{
    update();
}

void OverviewLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (isEnabled() && (underMouse() || hasFocus())) {
        painter.setPen(hasFocus() ? QPen(textColor(StatusColor::Held, palette()), 1.6) : Qt::NoPen);
        painter.setBrush(selection(palette(), false));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
    QRect place = rect().adjusted(padding, padding / 2, -padding, -padding / 2);
    const int lineHeight = fontMetrics().height();
    if (m_entry.glyph) {
        drawGlyph(
            painter, *m_entry.glyph,
            QRect(place.left(), place.top() + (lineHeight - lineGlyphSize) / 2, lineGlyphSize, lineGlyphSize),
            textColor(m_entry.color, palette()));
        place.setLeft(place.left() + lineGlyphSize + padding);
    }
    const QColor strong = palette().color(QPalette::Active, QPalette::Text);
    const QColor muted = textColor(StatusColor::Muted, palette());
    const auto draw = [&](const QRect &where, Qt::TextElideMode elide, const QColor &color,
                          const QString &text) {
        painter.setPen(color);
        const QString shown = fontMetrics().elidedText(text, elide, where.width());
        painter.drawText(where.left(), where.top() + fontMetrics().ascent(),
                         shown); // one base line for all scripts
        return fontMetrics().horizontalAdvance(shown);
    };
    if (!m_entry.value.isEmpty()) {
        const int width = fontMetrics().horizontalAdvance(m_entry.value);
        draw({place.right() + 1 - width, place.top(), width, lineHeight}, Qt::ElideNone, muted,
             m_entry.value);
        place.setRight(place.right() - width - 2 * padding);
    }
    const int width = draw(place, Qt::ElideMiddle, m_entry.act ? strong : muted, m_entry.text);
    draw(m_isTall ? place.adjusted(0, lineHeight, 0, 0) : place.adjusted(width + 2 * padding, 0, 0, 0),
         Qt::ElideRight, muted, m_entry.detail);
}

} // namespace lockscope
