// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>

namespace lockscope {

// Holds all that lockscope-cli prints with --json to packaging/schemas. Thread-safe.

/// Keeps the complete lines that the program printed, for checkKeptJson(). Nothing without --json and a verb.
void keepJson(const QByteArrayList &arguments, const QByteArray &out);
/// The same for a document by the name of its schema. Returns `out`.
QByteArray keptJson(const char *schema, const QByteArray &out);

/// Validates what was kept, all in one process, after the tests of a program. Returns the exit code: `code`, or 1
/// after a message for each line that does not follow its schema, or has a field that is not in it.
int checkKeptJson(int code);

} // namespace lockscope
