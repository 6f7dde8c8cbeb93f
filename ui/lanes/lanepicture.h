// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lockscope {

class LaneView;

/// Writes a view with its shown time and all lanes, completely or not at all. PNG if the name ends in ".png",
/// otherwise SVG. `title`: plain text; may be empty. Returns the error for the user; empty on success.
QString saveLanePicture(const LaneView &view, const QString &title, const QString &path);

} // namespace lockscope
