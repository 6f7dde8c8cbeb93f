// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/monitorreport.h"

#include <QString>

namespace lockscope {

/// Describes a moment of a watch in one line. `name` is the user's name of the server. `cycle`: its waits.
QString momentText(const SourceEvent &moment, const QString &name, const ServerInfo &server,
                   const QStringList &cycle);

} // namespace lockscope
