// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStackedWidget>

namespace lockscope {

/// Returns the text that replaces a panel's table or tree; empty while that is shown.
inline QString toldInstead(const QWidget &panel)
{
    const auto *list = panel.findChild<QStackedWidget *>();
    const auto *text = list ? qobject_cast<const QLabel *>(list->currentWidget()) : nullptr;
    return text ? text->text() : QString();
}

} // namespace lockscope
