// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace lockscope {

class LaneView;

/// A view in a picture, with its title above it.
struct LanePicture
{
    const LaneView *view = nullptr;
    QString title; ///< plain; empty: none
};

/// Writes views below each other to a file, whole or not at all: the time that each shows, with all its lanes. As PNG where the name
/// ends in ".png", otherwise as SVG. Returns what went wrong, for the user; empty: it is written.
QString saveLanePicture(const QList<LanePicture> &pictures, const QString &path);

} // namespace lockscope
