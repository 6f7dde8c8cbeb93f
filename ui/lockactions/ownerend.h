// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <functional>

namespace lockscope {

struct OwnerSigns
{
    QString sentence;
    bool isLikelyDead = false;
};

/// The locks of one owner, process or host that is presumed dead.
struct OwnerEnd
{
    QString name;
    QList<LockKey> locks;              ///< at most LockSelection::most
    qint64 all = 0;                    ///< number of all its locks
    std::function<OwnerSigns()> signs; ///< evaluated on each call
    std::function<bool(const Lock &lock, const OwnerId &id)> isTheirs;
};

} // namespace lockscope
