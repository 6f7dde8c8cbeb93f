// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/companionaccess.h"
#include "core/watch/permissionstatus.h"

namespace lockscope {

/// What a look beside locks was refused, as what is missing.
inline QList<PermissionStatus::Missing> missingCompanions(const QList<CompanionAccess::Forbidden> &forbidden)
{
    QList<PermissionStatus::Missing> missing;
    for (const CompanionAccess::Forbidden &each : forbidden)
        missing.append(
            {PermissionStatus::Use::Companions, each.refusal, each.said, each.wasRevoked, each.patterns});
    return missing;
}

} // namespace lockscope
