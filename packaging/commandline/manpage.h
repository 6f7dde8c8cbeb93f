// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <QByteArray>

/// Parts of the manual pages, in roff, of what the table of options says. English.
namespace lockscope::manpage {

/// The options that say which server, and how to get there.
QByteArray connection();
/// The others of the window, or of every verb.
QByteArray common(Program program);
/// Each verb, with the options of its own.
QByteArray verbs();

} // namespace lockscope::manpage
