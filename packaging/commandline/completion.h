// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

/// Tables for the completions of shells, of what the table of options says.
namespace lockscope::completion {

// A scope is a verb, "_" between its words, or "window"; "verbs" are all verbs, "all" is everything. What stands for a value is
// "none", "text", "file", "directory", "host", "stored" (a server's name), or "one-of" with the values after it.

/// Lines of: a verb's scope, what its argument is.
QByteArray bashVerbs();
/// Lines of: an option, its scopes with "," between them, what its value is.
QByteArray bashOptions();
/// Threes of: a verb's scope, what it does, the values or the action of its argument.
QByteArray zshVerbs();
/// Pairs of: scopes, what _arguments takes for an option.
QByteArray zshOptions();

} // namespace lockscope::completion
