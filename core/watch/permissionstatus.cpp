// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/watch/permissionstatus.h"

#include <algorithm>

namespace lockscope {

void PermissionStatus::add(const PermissionStatus &other)
{
    for (const Missing &more : other.missing) {
        if (!missing.contains(more))
            missing.append(more);
    }
    unreadable += other.unreadable;
    lost += other.lost;
    for (const QByteArray &pattern : other.patterns) {
        if (!patterns.contains(pattern))
            patterns.append(pattern);
    }
    retryInterval = std::max(retryInterval, other.retryInterval);
}

} // namespace lockscope
