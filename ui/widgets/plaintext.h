// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/celltext.h"

#include <QString>

class QWidget;

namespace lockscope {

/// Sets the tool tip and, without markup, the accessible description, which Qt takes from the tool tip otherwise.
void setPlainToolTip(QWidget &widget, const QString &text);
QString plainMenuText(const QString &text);

} // namespace lockscope
