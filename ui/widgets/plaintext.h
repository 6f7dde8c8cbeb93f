// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace lockscope {

/// Elides a long ID in the middle, since UUIDs differ at both ends.
QString shortened(const QString &text, qsizetype most);

/// Escapes text for tool tips and menus, which interpret markup and mnemonics.
QString plainToolTip(const QString &text);
/// Sets the tool tip and, without markup, the accessible description, which Qt takes from the tool tip otherwise.
void setPlainToolTip(QWidget &widget, const QString &text);
QString plainMenuText(const QString &text);

} // namespace lockscope
