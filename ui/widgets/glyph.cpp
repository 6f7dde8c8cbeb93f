// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/glyph.h"

#include "core/base/enumnames.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

#include <algorithm>
#include <iterator>
#include <vector>

namespace lockscope {

namespace {

/// A drawing on a grid of 16 by 16: letters, each followed by its numbers:
///   M x y                            begin there
///   L x y                            a line to there; Q, C: a curve
///   E x y radius                     a circle around that centre
///   R x y width height radius        a rectangle with such corners
///   A x y width height angle span    on along an arc of the ellipse in that rectangle; O: an arc alone
struct Drawing
{
    Glyph glyph;
    const char *filled;
    const char *lines; ///< strokes of constant width
};

constexpr Drawing drawings[] = {
    // States of a lock
    {Glyph::Square, "R 3 3 10 10 1.5", ""},
    {Glyph::Pulse, "E 8 8 3.2", "E 8 8 6"},
    {Glyph::ClockFace, "", "E 8 8 6.2 M 8 4.28 L 8 8 11.1 9.55"},
    {Glyph::Infinity, "",
     "M 8 8 C 10.2 4.6 14.6 4.2 14.6 8 14.6 11.8 10.2 11.4 8 8 5.8 4.6 1.4 4.2 1.4 8 1.4 11.8 5.8 11.4 8 8"},
    {Glyph::Octagon,
     "M 5.3 1.5 L 10.7 1.5 14.5 5.3 14.5 10.7 10.7 14.5 5.3 14.5 1.5 10.7 1.5 5.3 5.3 1.5 "
     "R 7.1 4.2 1.8 4.8 0 E 8 11.3 1.15",
     ""},
    {Glyph::Circle, "M 0.4 6.2 L 5.6 5.4 3.4 10.2 0.4 6.2 M 15.6 9.8 L 10.4 10.6 12.6 5.8 15.6 9.8",
     "O 2.5 2.5 11 11 20 120 2.5 2.5 11 11 200 120"},
    {Glyph::Unlinked, "E 9 8 1.7 13.6 8 1.7", "E 3.6 8 2.2"},
    {Glyph::Minority, "E 8 4 2.6", "E 3.8 11.6 2.2 12.2 11.6 2.2"},
    {Glyph::Dash, "", "M 3.5 8 L 12.5 8"},
    // Actions and places
    {Glyph::Scan, "M 14.6 1.8 L 14.2 6.8 9.8 4.6 14.6 1.8", "O 2.5 2.5 11 11 50 290"},
    {Glyph::Padlock, "R 3 7 10 7.5 1.5", "M 5.2 7.5 L 5.2 5.2 A 5.2 2.4 5.6 5.6 180 -180 L 10.8 7.5"},
    {Glyph::OpenPadlock, "R 3 7 10 7.5 1.5", "M 5.2 7.5 L 5.2 4.4 A 5.2 1.6 5.6 5.6 180 -150"},
    {Glyph::ClockPlus, "", "E 6.6 9 5.2 M 6.6 5.88 L 6.6 9 9.2 10.3 M 13 1.2 L 13 5.8 M 10.7 3.5 L 15.3 3.5"},
    {Glyph::Bolt, "M 9.6 1 L 3.2 9.2 7.2 9.2 6.2 15 12.8 6.6 8.8 6.6 9.6 1", ""},
    {Glyph::Copy, "", "R 5.5 5.5 8 8.5 1.2 M 3 11 L 2.5 11 2.5 2.2 10.5 2.2 10.5 2.9"},
    {Glyph::Search, "", "E 6.8 6.8 4.6 M 10.3 10.3 L 14.2 14.2"},
    {Glyph::Plug, "R 3.8 5 8.4 5 1.4", "M 5.8 1.6 L 5.8 5.2 M 10.2 1.6 L 10.2 5.2 M 8 10 L 8 14.6"},
    {Glyph::Pattern, "", "M 8 2.4 L 8 13.6 M 3.15026 5.2 L 12.84974 10.8 M 12.84974 5.2 L 3.15026 10.8"},
    {Glyph::Panel, "R 9.6 3 4.4 10 0", "R 1.8 2.8 12.4 10.4 1.4"},
    {Glyph::Detach, "", "R 2.4 5.6 8 8 0 M 6 2.4 L 13.6 2.4 13.6 10"},
    {Glyph::Triangle, "M 8 1.6 L 15 14 1 14 8 1.6 R 7.2 6 1.6 4 0 E 8 11.8 1", ""},
    {Glyph::Play, "M 4.4 2.4 L 13.2 8 4.4 13.6 4.4 2.4", ""},
    {Glyph::StepBack, "M 12.4 3 L 5.4 8 12.4 13 12.4 3 R 3 3 1.8 10 0", ""},
    {Glyph::StepForward, "M 3.6 3 L 10.6 8 3.6 13 3.6 3 R 11.2 3 1.8 10 0", ""},
    {Glyph::RecordDot, "E 8 8 5", ""},
    // Simulation
    {Glyph::Flask, "M 4.8 10 L 11.2 10 13 13.8 3 13.8 4.8 10",
     "M 5.4 1.8 L 10.6 1.8 M 6.4 1.8 L 6.4 6.2 2.6 13.2 Q 2.4 14.2 3.4 14.2 "
     "L 12.6 14.2 Q 13.6 14.2 13.4 13.2 L 9.6 6.2 9.6 1.8"},
    {Glyph::Stop, "R 3 3 10 10 0", ""},
    {Glyph::Pause, "R 3.4 2.6 3.2 10.8 0 9.4 2.6 3.2 10.8 0", ""},
    {Glyph::Check, "", "M 2.8 8.6 L 6.4 12.2 13.2 4.2"},
    {Glyph::Cross, "", "M 3.6 3.6 L 12.4 12.4 M 12.4 3.6 L 3.6 12.4"},
    {Glyph::Hourglass, "M 3.6 2 L 12.4 2 8 8 3.6 2", "M 8 8 L 12.2 13.8 3.8 13.8 8 8"},
    {Glyph::Ring, "", "E 8 8 3.6"},
    // Waiting
    {Glyph::Queue, "R 1.6 1.8 5 5 1 E 11.2 7.8 2 11.2 12.8 2",
     "M 4.1 6.8 L 4.1 7.8 8.4 7.8 M 4.1 6.8 L 4.1 12.8 8.4 12.8"},
    {Glyph::Tag, "E 5 5.4 1.2", "M 1.8 2.2 L 8 2.2 14.2 8.4 8.4 14.2 1.8 7.6 1.8 2.2"},
    {Glyph::Log, "", "R 2.6 1.8 10.8 12.4 1.5 M 5.4 5.2 L 10.6 5.2 M 5.4 8 L 10.6 8 M 5.4 10.8 L 10.6 10.8"},
    {Glyph::Lanes, "R 1.5 2.6 7.5 2.6 0 5.5 6.8 9 2.6 0 2.5 11 5 2.6 0", "M 11.5 12.3 L 14.5 12.3"},
    {Glyph::Bars, "R 2.5 8.5 2.6 5 0 6.7 2.5 2.6 11 0 10.9 6 2.6 7.5 0", ""},
    {Glyph::Person, "", "E 8 5 2.7 M 2.8 14 C 2.8 8.6 13.2 8.6 13.2 14"},
};
static_assert(isByValue(drawings, Glyph::Person, &Drawing::glyph));

struct Command
{
    char letter;
    size_t numbers;
    void (*add)(QPainterPath &path, const double *n);
};

constexpr Command commands[] = {
    {'M', 2, [](QPainterPath &path, const double *n) { path.moveTo(n[0], n[1]); }},
    {'L', 2, [](QPainterPath &path, const double *n) { path.lineTo(n[0], n[1]); }},
    {'Q', 4, [](QPainterPath &path, const double *n) { path.quadTo(n[0], n[1], n[2], n[3]); }},
    {'C', 6, [](QPainterPath &path, const double *n) { path.cubicTo(n[0], n[1], n[2], n[3], n[4], n[5]); }},
    {'E', 3,
     [](QPainterPath &path, const double *n) {
         path.addEllipse({n[0], n[1]}, n[2], n[2]);
     }},
    {'R', 5,
     [](QPainterPath &path, const double *n) { path.addRoundedRect(n[0], n[1], n[2], n[3], n[4], n[4]); }},
    {'A', 6, [](QPainterPath &path, const double *n) { path.arcTo(n[0], n[1], n[2], n[3], n[4], n[5]); }},
    {'O', 6,
     [](QPainterPath &path, const double *n) {
         path.arcMoveTo(n[0], n[1], n[2], n[3], n[4]);
         path.arcTo(n[0], n[1], n[2], n[3], n[4], n[5]);
     }},
};

QPainterPath pathOf(const char *drawing)
{
    QPainterPath path;
    const Command *command = nullptr;
    std::vector<double> numbers;
    for (const QByteArray &word : QByteArray(drawing).split(' ')) {
        const auto *named =
            std::ranges::find(commands, word.isEmpty() ? '\0' : word.front(), &Command::letter);
        if (named != std::end(commands)) {
            command = named;
            continue;
        }
        numbers.push_back(word.toDouble());
        if (command && numbers.size() == command->numbers) {
            command->add(path, numbers.data());
            numbers.clear();
        }
    }
    return path;
}

struct Paths
{
    QPainterPath filled;
    QPainterPath lines;
};

const Paths &pathsOf(Glyph glyph)
{
    static const auto all = [] {
        std::vector<Paths> paths;
        for (const Drawing &drawing : drawings)
            paths.push_back({pathOf(drawing.filled), pathOf(drawing.lines)});
        return paths;
    }();
    return all[size_t(glyph)];
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
    const Paths &drawing = pathsOf(glyph);
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
