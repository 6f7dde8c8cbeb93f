// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/read/companionaccess.h"
#include "core/watch/feedstatus.h"
#include "core/watch/permissionstatus.h"

namespace lockscope {

inline QList<PermissionStatus::Missing> missingCompanions(const QList<CompanionAccess::Forbidden> &forbidden)
{
    QList<PermissionStatus::Missing> missing;
    for (const CompanionAccess::Forbidden &each : forbidden)
        missing.append(
            {PermissionStatus::Use::Companions, each.refusal, each.said, each.wasRevoked, each.patterns});
    return missing;
}

/// The refusal of the change feed, as a missing permission. `wasFree`: it was permitted once.
inline QList<PermissionStatus::Missing> missingForFeed(const FeedStatus &status, bool wasFree)
{
    const std::optional<Error> &why = status.fallbackReason;
    if (!why || why->kind != ErrorKind::NoPermission)
        return {};
    Refusal refusal = refusalFrom(why->detail);
    // Before Redis 7 the text names CLIENT alone, which is more than is needed.
    if (status.refusedCommand.startsWith(refusal.command + '|'))
        refusal.command = status.refusedCommand;
    return {{PermissionStatus::Use::Feed, refusal, why->detail, wasFree}};
}

} // namespace lockscope
