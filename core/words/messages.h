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

// What people read. Translated.
/// What failed, why, and what to do next; ready to show as plain text (a server's bytes in it are escaped).
QString describe(const Error &error, const QString &serverName);
/// What an action's outcome means.
QString describe(const ActionResult &report);
/// What a look at the key found, where the outcome is not known.
QString describe(const Found &found);
QString describe(Problem problem);
/// Empty where nothing is known.
QString describe(const Heartbeat &heartbeat, qint64 nowMs);
/// "Production".
QString describe(Environment environment);
/// What became of the locks: "The database was flushed: 49,000 locks gone."
QString describe(const ServerReset &reset);
/// What is said of it, with the server of a Redlock group that it befell, and whether the group still has the locks.
QString inItsGroup(const ServerReset &reset, const QString &text);

} // namespace lockscope
