// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontDatabase>

namespace lockscope {

/// Returns the font in demi-bold, scaled.
inline QFont strong(QFont font, double scale = 1)
{
    font.setWeight(QFont::DemiBold);
    if (scale != 1)
        font.setPointSizeF(font.pointSizeF() * scale);
    return font;
}

/// Returns the fixed-width font in the same size.
inline QFont fixedLike(const QFont &font)
{
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font.pointSizeF());
    return fixed;
}

} // namespace lockscope
