// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockscope {

/// Of a directory that is not there yet, for this user's temporary files. Short enough for the path of a Unix socket in it,
/// which has room for 107 bytes.
QString freshDirectoryName();

} // namespace lockscope
