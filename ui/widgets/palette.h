// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>

namespace lockscope {

/// What a color says. Never the only carrier of a meaning: a shape and a word stand beside it.
enum class StatusColor : quint8 {
    Muted,   ///< ended, old, secondary
    Held,    ///< all is as it should be
    Warning, ///< ends soon
    Endless, ///< no expiry
    Danger,  ///< corrupt; actions that harm
    Good,    ///< done
};

// Every color of the program is chosen here, for a light or a dark window after the palette that is given.
bool isDark(const QPalette &palette);
QColor textColor(StatusColor statusColor,
                 const QPalette &palette); ///< text and shapes: at least 4.5:1 on Base, Window and the wash
QColor tintColor(StatusColor statusColor,
                 const QPalette &palette);    ///< the faint ground of a banner or a chip
QColor borderColor(const QPalette &palette);  ///< borders and the ground of bars
QColor outlineColor(const QPalette &palette); ///< of fields and boxes: at least 3:1 on Base and Window
QColor selection(const QPalette &palette,
                 bool focused); ///< the ground of a chosen row; text keeps its colors on it

QPalette lightPalette();
QPalette darkPalette();

} // namespace lockscope
