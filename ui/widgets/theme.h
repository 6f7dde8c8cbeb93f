// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

enum class Theme : quint8 { System, Light, Dark };

/// Returns the theme in the settings, unless LOCKSCOPE_THEME is "light" or "dark".
Theme chosenTheme();
void saveTheme(Theme theme);
/// Returns the theme applied last, or the chosen theme before that.
Theme presentTheme();

/// Applies our light or dark palette on the Fusion style, the only style that follows a palette everywhere;
/// native styles mix in their own colors. System follows the platform's palette as of the first call.
void applyTheme(Theme theme);

} // namespace lockscope
