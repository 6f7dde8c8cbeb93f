// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/contentsortext.h"

#include <QLabel>

namespace lockscope {

/// What a panel says where its table or tree would be; empty: that is shown.
inline QString toldInstead(const QWidget &panel)
{
    const auto *list = panel.findChild<ContentsOrText *>();
    const auto *text = list ? qobject_cast<const QLabel *>(list->currentWidget()) : nullptr;
    return text ? text->text() : QString();
}

} // namespace lockscope
