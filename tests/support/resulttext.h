// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace lockscope {

/// What a dialog of an action says of its result.
inline QString resultText(const QWidget &dialog)
{
    for (const QLabel *label : dialog.findChildren<QLabel *>()) {
        if (label->accessibleName() == QStringLiteral("Result"))
            return label->text();
    }
    return {};
}

} // namespace lockscope
