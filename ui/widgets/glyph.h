// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QRectF>

class QPainter;

namespace lockscope {

/// The program's small pictures. Drawn, not loaded: they take the palette's color in every theme, are sharp
/// at every scale and need no SVG plug-in at run time.
enum class Glyph : quint8 {
    // States of a lock
    Square,
    Pulse,
    ClockFace,
    Infinity,
    Octagon,
    Circle,   ///< two that go round after each other
    Unlinked, ///< those that wait, and nothing before them
    Minority, ///< one of three
    Dash,
    // Actions and places
    Scan,
    Padlock,
    OpenPadlock,
    ClockPlus,
    Bolt,
    Copy,
    Search,
    Plug,
    Pattern,
    Panel,
    Detach, ///< a window of its own
    Triangle,
    Play,
    StepBack,
    StepForward,
    RecordDot,
    // Simulation
    Flask,
    Stop,
    Pause,
    Check,
    Cross,
    Hourglass,
    Ring,
    // Waiting
    Queue,
    Tag,
    Log,
    Lanes, ///< bars of time
    Bars,  ///< figures
    Person,
};

void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &place, const QColor &color);

/// A square of `side`, as many pixels as `ratio` asks for; `margin` of it stays free all around.
QPixmap glyphPixmap(Glyph glyph, int side, const QColor &color, qreal ratio, int margin = 0);

/// An icon in the color of the application's button text, whatever the theme is when it is painted.
QIcon glyphIcon(Glyph glyph);

} // namespace lockscope
