// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/glyph.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

#include <cmath>

namespace lockscope {

namespace {

/// A drawing on a grid of 16 by 16: `filled` areas and `lines` of an even width.
struct Drawing
{
    QPainterPath filled;
    QPainterPath lines;
};

QPainterPath octagon()
{
    QPainterPath path;
    path.addPolygon(QPolygonF({{5.3, 1.5},
                               {10.7, 1.5},
                               {14.5, 5.3},
                               {14.5, 10.7},
                               {10.7, 14.5},
                               {5.3, 14.5},
                               {1.5, 10.7},
                               {1.5, 5.3},
                               {5.3, 1.5}}));
    return path;
}

void addClock(Drawing &drawing, QPointF centre, double radius)
{
    drawing.lines.addEllipse(centre, radius, radius);
    drawing.lines.moveTo(centre.x(), centre.y() - radius * 0.6);
    drawing.lines.lineTo(centre);
    drawing.lines.lineTo(centre.x() + radius * 0.5, centre.y() + radius * 0.25);
}

void addPadlock(Drawing &drawing, bool open)
{
    drawing.filled.addRoundedRect(QRectF(3, 7, 10, 7.5), 1.5, 1.5);
    drawing.lines.moveTo(5.2, 7.5);
    drawing.lines.lineTo(5.2, open ? 4.4 : 5.2);
    drawing.lines.arcTo(QRectF(5.2, open ? 1.6 : 2.4, 5.6, 5.6), 180, open ? -150 : -180);
    if (!open)
        drawing.lines.lineTo(10.8, 7.5);
}

Drawing stateDrawing(Glyph glyph)
{
    Drawing drawing;
    switch (glyph) {
    case Glyph::Square:
        drawing.filled.addRoundedRect(QRectF(3, 3, 10, 10), 1.5, 1.5);
        break;
    case Glyph::Pulse:
        drawing.filled.addEllipse(QPointF(8, 8), 3.2, 3.2);
        drawing.lines.addEllipse(QPointF(8, 8), 6, 6);
        break;
    case Glyph::ClockFace:
        addClock(drawing, {8, 8}, 6.2);
        break;
    case Glyph::Infinity:
        drawing.lines.moveTo(8, 8);
        drawing.lines.cubicTo(10.2, 4.6, 14.6, 4.2, 14.6, 8);
        drawing.lines.cubicTo(14.6, 11.8, 10.2, 11.4, 8, 8);
        drawing.lines.cubicTo(5.8, 4.6, 1.4, 4.2, 1.4, 8);
        drawing.lines.cubicTo(1.4, 11.8, 5.8, 11.4, 8, 8);
        break;
    case Glyph::Octagon:
        drawing.filled = octagon();
        drawing.filled.addRect(QRectF(7.1, 4.2, 1.8, 4.8));
        drawing.filled.addEllipse(QPointF(8, 11.3), 1.15, 1.15);
        break;
    case Glyph::Circle:
        for (const double start : {20.0, 200.0}) {
            drawing.lines.arcMoveTo(QRectF(2.5, 2.5, 11, 11), start);
            drawing.lines.arcTo(QRectF(2.5, 2.5, 11, 11), start, 120);
        }
        drawing.filled.addPolygon(QPolygonF({{0.4, 6.2}, {5.6, 5.4}, {3.4, 10.2}, {0.4, 6.2}}));
        drawing.filled.addPolygon(QPolygonF({{15.6, 9.8}, {10.4, 10.6}, {12.6, 5.8}, {15.6, 9.8}}));
        break;
    case Glyph::Minority:
        drawing.filled.addEllipse(QPointF(8, 4), 2.6, 2.6);
        drawing.lines.addEllipse(QPointF(3.8, 11.6), 2.2, 2.2);
        drawing.lines.addEllipse(QPointF(12.2, 11.6), 2.2, 2.2);
        break;
    case Glyph::Unlinked:
        drawing.lines.addEllipse(QPointF(3.6, 8), 2.2, 2.2);
        drawing.filled.addEllipse(QPointF(9, 8), 1.7, 1.7);
        drawing.filled.addEllipse(QPointF(13.6, 8), 1.7, 1.7);
        break;
    default:
        drawing.lines.moveTo(3.5, 8);
        drawing.lines.lineTo(12.5, 8);
        break;
    }
    return drawing;
}

Drawing actionDrawing(Glyph glyph)
{
    Drawing drawing;
    QPainterPath &lines = drawing.lines;
    switch (glyph) {
    case Glyph::Scan:
        lines.arcMoveTo(QRectF(2.5, 2.5, 11, 11), 50);
        lines.arcTo(QRectF(2.5, 2.5, 11, 11), 50, 290);
        drawing.filled.addPolygon(QPolygonF({{14.6, 1.8}, {14.2, 6.8}, {9.8, 4.6}, {14.6, 1.8}}));
        break;
    case Glyph::Padlock:
        addPadlock(drawing, false);
        break;
    case Glyph::OpenPadlock:
        addPadlock(drawing, true);
        break;
    case Glyph::ClockPlus:
        addClock(drawing, {6.6, 9.0}, 5.2);
        lines.moveTo(13, 1.2);
        lines.lineTo(13, 5.8);
        lines.moveTo(10.7, 3.5);
        lines.lineTo(15.3, 3.5);
        break;
    case Glyph::Bolt:
        drawing.filled.addPolygon(
            QPolygonF({{9.6, 1}, {3.2, 9.2}, {7.2, 9.2}, {6.2, 15}, {12.8, 6.6}, {8.8, 6.6}, {9.6, 1}}));
        break;
    case Glyph::Copy:
        lines.addRoundedRect(QRectF(5.5, 5.5, 8, 8.5), 1.2, 1.2);
        lines.moveTo(3, 11);
        lines.lineTo(2.5, 11);
        lines.lineTo(2.5, 2.2);
        lines.lineTo(10.5, 2.2);
        lines.lineTo(10.5, 2.9);
        break;
    case Glyph::Search:
        lines.addEllipse(QPointF(6.8, 6.8), 4.6, 4.6);
        lines.moveTo(10.3, 10.3);
        lines.lineTo(14.2, 14.2);
        break;
    case Glyph::Plug:
        drawing.filled.addRoundedRect(QRectF(3.8, 5, 8.4, 5), 1.4, 1.4);
        for (const double x : {5.8, 10.2}) {
            lines.moveTo(x, 1.6);
            lines.lineTo(x, 5.2);
        }
        lines.moveTo(8, 10);
        lines.lineTo(8, 14.6);
        break;
    case Glyph::Pattern:
        for (const double degrees : {90.0, 30.0, 150.0}) {
            const double angle = degrees * M_PI / 180;
            const QPointF arm(5.6 * std::cos(angle), 5.6 * std::sin(angle));
            lines.moveTo(QPointF(8, 8) - arm);
            lines.lineTo(QPointF(8, 8) + arm);
        }
        break;
    case Glyph::Panel:
        lines.addRoundedRect(QRectF(1.8, 2.8, 12.4, 10.4), 1.4, 1.4);
        drawing.filled.addRect(QRectF(9.6, 3, 4.4, 10));
        break;
    case Glyph::Detach:
        lines.addRect(QRectF(2.4, 5.6, 8, 8));
        lines.moveTo(6, 2.4);
        lines.lineTo(13.6, 2.4);
        lines.lineTo(13.6, 10);
        break;
    case Glyph::Triangle:
        drawing.filled.addPolygon(QPolygonF({{8, 1.6}, {15, 14}, {1, 14}, {8, 1.6}}));
        drawing.filled.addRect(QRectF(7.2, 6, 1.6, 4));
        drawing.filled.addEllipse(QPointF(8, 11.8), 1, 1);
        break;
    case Glyph::Play:
        drawing.filled.addPolygon(QPolygonF({{4.4, 2.4}, {13.2, 8}, {4.4, 13.6}, {4.4, 2.4}}));
        break;
    case Glyph::StepBack:
        drawing.filled.addPolygon(QPolygonF({{12.4, 3}, {5.4, 8}, {12.4, 13}, {12.4, 3}}));
        drawing.filled.addRect(QRectF(3, 3, 1.8, 10));
        break;
    case Glyph::StepForward:
        drawing.filled.addPolygon(QPolygonF({{3.6, 3}, {10.6, 8}, {3.6, 13}, {3.6, 3}}));
        drawing.filled.addRect(QRectF(11.2, 3, 1.8, 10));
        break;
    case Glyph::RecordDot:
        drawing.filled.addEllipse(QPointF(8, 8), 5, 5);
        break;
    default:
        break;
    }
    return drawing;
}

Drawing simulationDrawing(Glyph glyph)
{
    Drawing drawing;
    QPainterPath &lines = drawing.lines;
    switch (glyph) {
    case Glyph::Flask:
        lines.moveTo(5.4, 1.8);
        lines.lineTo(10.6, 1.8);
        lines.moveTo(6.4, 1.8);
        lines.lineTo(6.4, 6.2);
        lines.lineTo(2.6, 13.2);
        lines.quadTo(2.4, 14.2, 3.4, 14.2);
        lines.lineTo(12.6, 14.2);
        lines.quadTo(13.6, 14.2, 13.4, 13.2);
        lines.lineTo(9.6, 6.2);
        lines.lineTo(9.6, 1.8);
        drawing.filled.addPolygon(QPolygonF({{4.8, 10}, {11.2, 10}, {13, 13.8}, {3, 13.8}, {4.8, 10}}));
        break;
    case Glyph::Stop:
        drawing.filled.addRect(QRectF(3, 3, 10, 10));
        break;
    case Glyph::Pause:
        drawing.filled.addRect(QRectF(3.4, 2.6, 3.2, 10.8));
        drawing.filled.addRect(QRectF(9.4, 2.6, 3.2, 10.8));
        break;
    case Glyph::Check:
        lines.moveTo(2.8, 8.6);
        lines.lineTo(6.4, 12.2);
        lines.lineTo(13.2, 4.2);
        break;
    case Glyph::Cross:
        lines.moveTo(3.6, 3.6);
        lines.lineTo(12.4, 12.4);
        lines.moveTo(12.4, 3.6);
        lines.lineTo(3.6, 12.4);
        break;
    case Glyph::Hourglass:
        drawing.filled.addPolygon(QPolygonF({{3.6, 2}, {12.4, 2}, {8, 8}, {3.6, 2}}));
        lines.moveTo(8, 8);
        lines.lineTo(12.2, 13.8);
        lines.lineTo(3.8, 13.8);
        lines.lineTo(8, 8);
        break;
    case Glyph::Queue:
        drawing.filled.addRoundedRect(QRectF(1.6, 1.8, 5, 5), 1, 1);
        for (const double y : {6.4, 11.4}) {
            lines.moveTo(4.1, 6.8);
            lines.lineTo(4.1, y + 1.4);
            lines.lineTo(8.4, y + 1.4);
            drawing.filled.addEllipse(QPointF(11.2, y + 1.4), 2, 2);
        }
        break;
    case Glyph::Tag:
        lines.addPolygon(QPolygonF({{1.8, 2.2}, {8, 2.2}, {14.2, 8.4}, {8.4, 14.2}, {1.8, 7.6}, {1.8, 2.2}}));
        drawing.filled.addEllipse(QPointF(5, 5.4), 1.2, 1.2);
        break;
    case Glyph::Lanes:
        drawing.filled.addRect(QRectF(1.5, 2.6, 7.5, 2.6));
        drawing.filled.addRect(QRectF(5.5, 6.8, 9, 2.6));
        drawing.filled.addRect(QRectF(2.5, 11, 5, 2.6));
        lines.moveTo(11.5, 12.3);
        lines.lineTo(14.5, 12.3);
        break;
    case Glyph::Bars:
        drawing.filled.addRect(QRectF(2.5, 8.5, 2.6, 5));
        drawing.filled.addRect(QRectF(6.7, 2.5, 2.6, 11));
        drawing.filled.addRect(QRectF(10.9, 6, 2.6, 7.5));
        break;
    case Glyph::Person:
        lines.addEllipse(QPointF(8, 5), 2.7, 2.7);
        lines.moveTo(2.8, 14);
        lines.cubicTo(QPointF(2.8, 8.6), QPointF(13.2, 8.6), QPointF(13.2, 14));
        break;
    case Glyph::Log:
        lines.addRoundedRect(QRectF(2.6, 1.8, 10.8, 12.4), 1.5, 1.5);
        for (const double y : {5.2, 8.0, 10.8}) {
            lines.moveTo(5.4, y);
            lines.lineTo(10.6, y);
        }
        break;
    default:
        lines.addEllipse(QPointF(8, 8), 3.6, 3.6);
        break;
    }
    return drawing;
}

Drawing drawingOf(Glyph glyph)
{
    if (glyph < Glyph::Scan)
        return stateDrawing(glyph);
    return glyph < Glyph::Flask ? actionDrawing(glyph) : simulationDrawing(glyph);
}

class GlyphEngine : public QIconEngine
{
public:
    explicit GlyphEngine(Glyph glyph) : m_glyph(glyph) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QGuiApplication::palette();
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        drawGlyph(
            *painter, m_glyph, rect,
            palette.color(group, mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }

    QIconEngine *clone() const override { return new GlyphEngine(*this); }

private:
    Glyph m_glyph;
};

} // namespace

void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &place, const QColor &color)
{
    const Drawing drawing = drawingOf(glyph);
    const double side = std::min(place.width(), place.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(place.center() - QPointF(side, side) / 2);
    painter.scale(side / 16, side / 16);
    painter.fillPath(drawing.filled, color);
    painter.strokePath(drawing.lines, QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.restore();
}

QPixmap glyphPixmap(Glyph glyph, int side, const QColor &color, qreal ratio, int margin)
{
    QPixmap picture(QSize(side, side) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    drawGlyph(painter, glyph, QRectF(margin, margin, side - 2 * margin, side - 2 * margin), color);
    return picture;
}

QIcon glyphIcon(Glyph glyph)
{
    return QIcon(new GlyphEngine(glyph));
}

} // namespace lockscope
