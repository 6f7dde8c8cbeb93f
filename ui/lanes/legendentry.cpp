// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lanes/legendentry.h"

#include "ui/lanes/lanepainter.h"
#include "ui/widgets/plaintext.h"

#include <QPainter>

namespace lockscope {

namespace {

constexpr int sampleWidth = 20;
constexpr int sampleHeight = 12;
constexpr int legendPadding = 5;

} // namespace

LegendEntry::LegendEntry(LanePart part, const QString &word, const QString &meaning, QWidget *parent)
    : QAbstractButton(parent), m_part(part)
{
    setText(word);
    setPlainToolTip(*this, meaning);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize LegendEntry::sizeHint() const
{
    return {sampleWidth + 3 * legendPadding + fontMetrics().horizontalAdvance(text()) + 2,
            std::max(fontMetrics().height(), sampleHeight) + 6};
}

QSize LegendEntry::minimumSizeHint() const
{
    return {sampleWidth + 2 * legendPadding, sizeHint().height()};
}

void LegendEntry::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (underMouse() || hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(hasFocus() ? QPen(textColor(StatusColor::Held, palette()), 1.6) : QPen(Qt::NoPen));
        painter.setBrush(tintColor(StatusColor::Held, palette()));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    const QRectF sample(legendPadding, (height() - sampleHeight) / 2, sampleWidth, sampleHeight);
    if (isChecked()) {
        LanePainter(font(), palette()).drawSample(painter, sample, m_part);
    } else {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(outlineColor(palette()), 1, Qt::DashLine));
        painter.drawRect(sample.adjusted(0, 0, -1, -1));
    }
    const QRect place = rect().adjusted(sampleWidth + 2 * legendPadding, 0, 0, 0);
    if (place.width() < fontMetrics().horizontalAdvance(text()))
        return;
    QFont words = font();
    words.setStrikeOut(!isChecked());
    painter.setFont(words);
    painter.setPen(isChecked() ? palette().color(QPalette::Text) : textColor(StatusColor::Muted, palette()));
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, text());
}

} // namespace lockscope
