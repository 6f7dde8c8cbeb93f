// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetrics>

namespace lockscope {

/// The width of so many Latin characters of running text, in pixels. What QFontMetrics calls the average is twice as wide in a
/// font that has Chinese characters, and a window measured by it would not fit the screen.
inline int latinWidth(const QFontMetrics &metrics, int characters)
{
    return metrics.horizontalAdvance(u's') * characters;
}

} // namespace lockscope
