// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/history/blame.h"

#include <QStringList>

namespace lockscope {

/// "≥ 3 min 2 s", or "~3 min 2 s": queues are read now and then.
QString waitedText(milliseconds waited, bool isAtLeast);
/// How much was waited, and what could not be seen: a sentence each.
QStringList summaryOf(const Blame &blame, const QString &from, const QString &to);
/// The holder, what that one waits for, and so on: "web-1:4 ← batch:2 (lock:b)".
QString describe(const QList<Blocker> &chain);
/// The chain of its root blocker, with what that one cost if there were others.
QString rootText(const WaitEpisode &episode);
/// The lock, the blocker, or blocker and waiter of a row.
QString describe(const BlameRow &row, BlameBy by);

} // namespace lockscope
