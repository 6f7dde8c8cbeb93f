// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <QByteArray>

/// Parts of the manual pages, in roff, of what the table of options says, in the language of the installed translations.
namespace lockscope::manpage {

/// The options that say which server, and how to get there.
QByteArray connection();
/// The others of the window, or of every verb.
QByteArray common(Program program);
/// Each verb, with the options of its own.
QByteArray verbs();
/// Returns the page with the places at which a line of Chinese may end.
QByteArray breakable(const QByteArray &page);

} // namespace lockscope::manpage
