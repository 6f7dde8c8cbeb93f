// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/look.h"

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QRectF>

class QPainter;

namespace lockscope {

// Drawn, not loaded: they use the palette's colors, are sharp at every scale and need no SVG plug-in.

void drawGlyph(QPainter &painter, Glyph glyph, const QRectF &place, const QColor &color);

/// Returns a square pixmap of `side` for the device pixel `ratio`; `margin` stays empty on each edge.
QPixmap glyphPixmap(Glyph glyph, int side, const QColor &color, qreal ratio, int margin = 0);

/// Returns an icon in the application's button text color, which follows the theme.
QIcon glyphIcon(Glyph glyph);

} // namespace lockscope
