// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

namespace lockscope {

// The outcome of an action on a Redlock group, from those on its servers. All pure.

/// The outcome on one server, for ActionResult::servers.
ServerResult serverResult(const QString &server, const Result<ActionResult> &result);

/// The outcome on the whole group. A lock counts as ended if fewer than a majority can still have it, as
/// acquired or extended if a majority has answered so. Unknown: decisive answers are missing. An Error: no
/// server did anything.
Result<ActionResult> combinedResult(const ActionRequest &request, const QList<Result<ActionResult>> &results,
                                    const QStringList &servers);

/// True for an acquisition to take back: too few servers have granted it.
bool isPartial(const Result<ActionResult> &combined, const QList<Result<ActionResult>> &results);

} // namespace lockscope
