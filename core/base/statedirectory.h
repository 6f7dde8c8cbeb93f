// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockscope {

/// Where the program keeps what it writes by itself: $XDG_STATE_HOME/lockscope, or ~/.local/state/lockscope.
QString stateDirectory();

/// Like QDir::mkpath(), with every directory that it makes closed to others.
bool makePrivatePath(const QString &directory);

} // namespace lockscope
