// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <QByteArrayList>

namespace lockscope {

/// How a form of lock is written for one owner, and for the next: what a force-expire races with.
struct RaceForm
{
    const char *name;
    ActionRequest request; ///< force-expire for the old owner, as seen
    QByteArrayList old;    ///< redis-cli lines
    QByteArrayList keys;   ///< all that belong to the lock
    QByteArrayList next;   ///< redis-cli lines for the new owner
    QByteArray oldStands;  ///< Lua, true while the old owner holds
    QByteArray nextStands; ///< Lua, true while the new owner holds
};

/// One for each form that force-expire ends, and a few where the owner stays and its holds change.
QList<RaceForm> raceForms();

/// Lua for redis-cli lines: one call each.
QByteArray luaCalls(const QByteArrayList &lines);

} // namespace lockscope
