// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/watchevent.h"

#include <QString>

namespace lockscope {

/// What happened to a watch of `server`, which the user calls `name`, as a line of a list. Of a deadlock: the waits of its cycle.
QString momentText(const WatchMoment &moment, const QString &name, const ServerInfo &server,
                   const QStringList &cycle);

} // namespace lockscope
