// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace lockscope {

/// Returns the result shown in an action dialog.
inline QString resultText(const QWidget &dialog)
{
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        if (label->accessibleName() == QStringLiteral("Result"))
            return label->text();
    }
    return {};
}

} // namespace lockscope
