// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontDatabase>

namespace lockscope {

/// The same, bold enough for a heading, and so much larger.
inline QFont strong(QFont font, double scale = 1)
{
    font.setWeight(QFont::DemiBold);
    if (scale != 1)
        font.setPointSizeF(font.pointSizeF() * scale);
    return font;
}

/// Of even width, in the size of the other.
inline QFont fixedLike(const QFont &font)
{
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font.pointSizeF());
    return fixed;
}

} // namespace lockscope
