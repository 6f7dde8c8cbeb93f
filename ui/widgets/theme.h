// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

enum class Theme : quint8 { System, Light, Dark, HighContrast };

/// Returns the theme in the settings, unless LOCKSCOPE_THEME is "light", "dark" or "contrast".
Theme chosenTheme();
void saveTheme(Theme theme);
/// Returns the theme applied last, or the chosen theme before that.
Theme presentTheme();

/// Applies one of our palettes on the Fusion style, the only style that follows a palette everywhere;
/// native styles mix in their own colors. System follows the platform's palette as of the first call.
void applyTheme(Theme theme);

/// Returns whether nothing may blink, run or glide: the user's choice, otherwise the desktop's.
bool reducesMotion();
/// Stores the choice and applies it at once.
void reduceMotion(bool isReduced);

} // namespace lockscope
