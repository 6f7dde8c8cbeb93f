// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/look.h"

#include <QColor>
#include <QPalette>

namespace lockscope {

// All colors of the program, for the theme of a palette. In high contrast text has 7:1 and lines have 3:1.
bool isDark(const QPalette &palette); ///< also for high contrast
bool isHighContrast(const QPalette &palette);
QColor textColor(StatusColor statusColor,
                 const QPalette &palette); ///< at least 4.5:1 on Base, Window and tintColor()
QColor tintColor(StatusColor statusColor,
                 const QPalette &palette);    ///< background of a banner or chip
QColor borderColor(const QPalette &palette);  ///< borders and bar backgrounds
QColor outlineColor(const QPalette &palette); ///< fields and boxes: at least 3:1 on Base and Window
QColor selection(const QPalette &palette,
                 bool focused); ///< background of a selected row; text colors stay

QPalette lightPalette();
QPalette darkPalette();
QPalette highContrastPalette();

} // namespace lockscope
