// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QRectF>

class QPainter;

namespace lockscope {

/// The program's icons. Drawn, not loaded: they use the palette's colors, are sharp at every scale and need
/// no SVG plug-in.
enum class Glyph : quint8 {
    // States of a lock
    Square,
    Pulse,
    ClockFace,
    Infinity,
    Octagon,
    Circle,   ///< two arrows in a cycle
    Unlinked, ///< a queue without a lock
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
    Detach, ///< separate window
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
    Lanes, ///< timeline bars
    Bars,  ///< statistics
    Person,
};

void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &place, const QColor &color);

/// Returns a square pixmap of `side` for the device pixel `ratio`; `margin` stays empty on each edge.
QPixmap glyphPixmap(Glyph glyph, int side, const QColor &color, qreal ratio, int margin = 0);

/// Returns an icon in the application's button text color, which follows the theme.
QIcon glyphIcon(Glyph glyph);

} // namespace lockscope
