// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace lockscope {

class LaneView;

struct LanePicture
{
    const LaneView *view = nullptr;
    QString title; ///< plain text; may be empty
};

/// Writes views below each other, each with its shown time and all lanes, completely or not at all. PNG if
/// the name ends in ".png", otherwise SVG. Returns the error for the user; empty on success.
QString saveLanePicture(const QList<LanePicture> &pictures, const QString &path);

} // namespace lockscope
