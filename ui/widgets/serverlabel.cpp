// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/serverlabel.h"

#include "ui/widgets/glyph.h"
#include "ui/widgets/measure.h"
#include "ui/widgets/palette.h"

#include <QPainter>

namespace lockscope {

namespace {

constexpr int padding = 10;
constexpr int glyphSize = 12;

} // namespace

ServerLabel::ServerLabel(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void ServerLabel::setServer(const QString &name, bool readOnly)
{
    m_name = name;
    m_readOnly = readOnly;
    setAccessibleName(readOnly ? tr("%1, read-only").arg(name) : name);
    updateGeometry();
    update();
}

QFont ServerLabel::nameFont() const
{
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    return strong;
}

QString ServerLabel::badge() const
{
    return tr("READ-ONLY");
}

QSize ServerLabel::sizeHint() const
{
    const QFontMetrics metrics(nameFont());
    const int name = std::min(metrics.horizontalAdvance(m_name), latinWidth(metrics, 44));
    const int extra = m_readOnly ? metrics.horizontalAdvance(badge()) + 3 * padding + glyphSize : 0;
    // Advances are fractions of a pixel: one more each side, or the last letter is elided.
    return {name + 2 * (padding + 1) + extra, metrics.height() + 14};
}

void ServerLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(nameFont());
    const QFontMetrics metrics = painter.fontMetrics();
    QRect place = rect().adjusted(padding, 0, -padding, 0);
    if (m_readOnly) {
        const int width = metrics.horizontalAdvance(badge()) + glyphSize + 20;
        const QRectF pill(place.right() - width, (height() - metrics.height() - 4) / 2.0, width,
                          metrics.height() + 4);
        painter.setPen(QPen(textColor(StatusColor::Good, palette()), 1));
        painter.setBrush(tintColor(StatusColor::Good, palette()));
        painter.drawRoundedRect(pill, 4, 4);
        drawGlyph(painter, Glyph::Padlock,
                  QRectF(pill.left() + 7, pill.center().y() - glyphSize / 2.0, glyphSize, glyphSize),
                  textColor(StatusColor::Good, palette()));
        painter.drawText(pill.adjusted(glyphSize + 12, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, badge());
        place.setRight(static_cast<int>(pill.left()) - padding);
    }
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(m_name, Qt::ElideMiddle, place.width()));
}

} // namespace lockscope
