// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/lock.h"

#include <functional>

namespace lockscope {

/// The locks of one owner, process or host, which somebody wants to end since it is dead, or is taken for dead.
struct OwnerEnd
{
    QString name;
    QList<LockKey> locks; ///< that it holds, at most LockSelection::most
    qint64 all = 0;       ///< so many it holds
    QString signs;        ///< a sentence: what is known of whether it lives
    bool isLikelyDead = false;
    std::function<bool(const Lock &lock, const OwnerId &id)> isTheirs;
};

} // namespace lockscope
