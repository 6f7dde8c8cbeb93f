// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

namespace lockscope {

// What an action on a Redlock group came to, from what it did on each of its servers. All pure.

/// How one server's action ended, as kept in ActionResult::servers.
ServerResult serverResult(const QString &server, const Result<ActionResult> &result);

/// The outcome on the whole group. A lock counts as ended where fewer than a majority can have it still, as acquired or
/// extended where a majority has answered so. Unknown: servers whose answer would decide did not give one. An Error: nothing was
/// done on any of them.
Result<ActionResult> combinedResult(const ActionRequest &request, const QList<Result<ActionResult>> &results,
                                    const QStringList &servers);

/// An acquisition that has to be taken back: too few servers have granted it.
bool isPartial(const Result<ActionResult> &combined, const QList<Result<ActionResult>> &results);

} // namespace lockscope
