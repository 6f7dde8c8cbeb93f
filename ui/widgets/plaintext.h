// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockscope {

/// A long id shortened in its middle: UUIDs differ at both ends.
QString shortened(const QString &text, qsizetype most);

/// Printable, for places that would read markup or mnemonics: tool tips and menus.
QString plainToolTip(const QString &text);
QString plainMenuText(const QString &text);

} // namespace lockscope
