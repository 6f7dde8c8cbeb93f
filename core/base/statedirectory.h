// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockscope {

/// The directory for files of the program: $XDG_STATE_HOME/lockscope, or ~/.local/state/lockscope.
QString stateDirectory();

/// Like QDir::mkpath(), with new directories closed to others.
bool makePrivatePath(const QString &directory);

} // namespace lockscope
