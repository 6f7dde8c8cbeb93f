// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

enum class Theme : quint8 { System, Light, Dark };

/// The theme in the settings, unless the environment's LOCKSCOPE_THEME says "light" or "dark".
Theme chosenTheme();
void saveTheme(Theme theme);
/// The one that was applied last; before: the chosen one.
Theme presentTheme();

/// Gives the application our light or dark palette on the Fusion style. Fusion, because it is the only style
/// that follows a palette everywhere: the native ones mix in their own colors, and then no contrast could be
/// promised. System follows the platform's palette as it was at the first call.
void applyTheme(Theme theme);

} // namespace lockscope
