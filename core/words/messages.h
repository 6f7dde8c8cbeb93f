// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/printable.h"
#include "core/redis/error.h"
#include "core/watch/serverreset.h"
#include "core/words/durations.h"

#include <QString>

namespace lockscope {

enum class Environment : quint8;
struct ActionResult;
struct Found;
struct Heartbeat;
enum class Problem : quint16;

// Texts for display. Translated.
/// What failed, why, and what to do; plain text with a server's bytes escaped.
QString describe(const Error &error, const QString &serverName);
QString describe(const ActionResult &report);
/// The state of the key after an unknown outcome.
QString describe(const Found &found);
QString describe(Problem problem);
/// Empty if unknown.
QString describe(const Heartbeat &heartbeat, qint64 nowMs);
QString describe(Environment environment);
/// The effect on the locks: "The database was flushed: 49,000 locks gone."
/// What befell the server, without time and number: "The database was flushed".
QString resetCauseInWords(const ServerReset &reset);
QString describe(const ServerReset &reset);
/// The text with the affected server of a Redlock group, and whether the group still has the locks.
QString inItsGroup(const ServerReset &reset, const QString &text);

} // namespace lockscope
