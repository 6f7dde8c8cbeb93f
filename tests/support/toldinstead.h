// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStackedWidget>

namespace lockscope {

/// What a panel says where its table or tree would be; empty: that is shown.
inline QString toldInstead(const QWidget &panel)
{
    const auto *list = panel.findChild<QStackedWidget *>();
    const auto *text = list ? qobject_cast<const QLabel *>(list->currentWidget()) : nullptr;
    return text ? text->text() : QString();
}

} // namespace lockscope
