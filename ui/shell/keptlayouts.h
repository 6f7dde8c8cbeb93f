// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace lockscope {

struct KeptLayout
{
    QString name;
    QByteArray layout; ///< as PanelDocks::savedLayout()
};

/// The layouts that the user has saved under a name. They stand in the program's settings, the same for every server; each
/// call reads and writes them, since another window may have changed them.
namespace keptlayouts {

inline constexpr qsizetype most = 20;

/// By name.
QList<KeptLayout> all();
/// Replaces the one of that name. False where nothing was saved: `layout` has no name, or there are `most` of them already.
bool save(const KeptLayout &layout);
void remove(const QString &name);

} // namespace keptlayouts

} // namespace lockscope
