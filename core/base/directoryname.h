// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockscope {

/// A new name for a directory of this user's temporary files, short enough for the path of a Unix socket (107
/// bytes).
QString freshDirectoryName();

} // namespace lockscope
