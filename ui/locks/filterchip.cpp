// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/locks/filterchip.h"

#include <QEvent>
#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace lockscope {

namespace {

constexpr int chipGlyphSize = 12;
constexpr int chipPadding = 10;

} // namespace

FilterChip::FilterChip(const QString &word, std::optional<Glyph> glyph, StatusColor statusColor,
                       QWidget *parent)
    : QAbstractButton(parent), m_glyph(glyph), m_statusColor(statusColor)
{
    setText(word);
    setCheckable(true);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(label());
    measure();
}

void FilterChip::setCount(int count)
{
    if (m_count == count)
        return;
    m_count = count;
    if (!hasFocus()) // screen readers say each new name of what has the focus
        setAccessibleName(label());
    measure();
    updateGeometry();
    update();
}

QString FilterChip::label() const
{
    return m_count == noCount ? text() : text() + u' ' + QLocale().toString(m_count);
}

/// Counts have room for two digits from the start: one that grows moves nothing.
void FilterChip::measure()
{
    const QString widest =
        m_count == noCount ? text() : text() + u' ' + QLocale().toString(std::max(m_count, 88));
    const int glyph = m_glyph ? chipGlyphSize + 6 : 0;
    m_width = fontMetrics().horizontalAdvance(widest) + 2 * chipPadding + glyph + 4;
}

QSize FilterChip::sizeHint() const
{
    return {m_width, fontMetrics().height() + 10};
}

void FilterChip::enterEvent(QEnterEvent *)
{
    update();
}

void FilterChip::leaveEvent(QEvent *)
{
    update();
}

void FilterChip::focusOutEvent(QFocusEvent *event)
{
    QAbstractButton::focusOutEvent(event);
    if (m_count != noCount)
        setAccessibleName(label());
}

void FilterChip::changeEvent(QEvent *event)
{
    QAbstractButton::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        measure();
}

void FilterChip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF pill = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool idle = m_count == 0 && !isChecked();
    const QColor color =
        idle ? textColor(StatusColor::Muted, palette()) : textColor(m_statusColor, palette());
    const QColor edge = isChecked() || hasFocus() ? color : borderColor(palette());
    painter.setPen(QPen(edge, hasFocus() ? 1.6 : 1));
    painter.setBrush(isChecked() || underMouse() ? tintColor(m_statusColor, palette())
                                                 : palette().color(QPalette::Base));
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);

    QRect place = rect().adjusted(chipPadding, 0, -chipPadding, 0);
    if (m_glyph) {
        drawGlyph(painter, *m_glyph,
                  QRect(place.left(), (height() - chipGlyphSize) / 2, chipGlyphSize, chipGlyphSize), color);
        place.setLeft(place.left() + chipGlyphSize + 6);
    }
    painter.setPen(idle ? color : palette().color(QPalette::Text));
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, text());
    painter.setPen(color);
    if (m_count != noCount)
        painter.drawText(place, Qt::AlignVCenter | Qt::AlignRight, QLocale().toString(m_count));
}

} // namespace lockscope
