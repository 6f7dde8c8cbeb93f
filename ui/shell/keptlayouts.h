// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace lockscope {

struct KeptLayout
{
    QString name;
    QByteArray layout; ///< PanelDocks::savedLayout()
};

/// The layouts that the user saved under a name, in the program's settings for all servers. Each call reads
/// and writes the settings, which another window may have changed.
namespace keptlayouts {

inline constexpr qsizetype most = 20;

QList<KeptLayout> all();
/// Saves or replaces a layout by name. Returns false without a name, or if there are `most` already.
bool save(const KeptLayout &layout);
void remove(const QString &name);

} // namespace keptlayouts

} // namespace lockscope
