// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <functional>

namespace lockscope {

/// What is known of whether an owner lives.
struct OwnerSigns
{
    QString sentence;
    bool isLikelyDead = false;
};

/// The locks of one owner, process or host, which somebody wants to end since it is dead, or is taken for dead.
struct OwnerEnd
{
    QString name;
    QList<LockKey> locks;              ///< that it holds, at most LockSelection::most
    qint64 all = 0;                    ///< so many it holds
    std::function<OwnerSigns()> signs; ///< as they are when it is called
    std::function<bool(const Lock &lock, const OwnerId &id)> isTheirs;
};

} // namespace lockscope
