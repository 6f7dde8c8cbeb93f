// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>

namespace lockscope {

/// Returns the width of so many Latin characters in pixels. QFontMetrics::averageCharWidth() is twice as wide
/// in a font with Chinese characters.
inline int latinWidth(const QFontMetrics &metrics, int characters)
{
    return metrics.horizontalAdvance(u's') * characters;
}

} // namespace lockscope
