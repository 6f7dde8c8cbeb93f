// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontDatabase>

namespace lockscope {

inline QFont strong(QFont font, double scale = 1)
{
    font.setWeight(QFont::DemiBold);
    if (scale != 1)
        font.setPointSizeF(font.pointSizeF() * scale);
    return font;
}

inline QFont fixedLike(const QFont &font)
{
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font.pointSizeF());
    return fixed;
}

} // namespace lockscope
