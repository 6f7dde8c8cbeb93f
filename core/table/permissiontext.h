// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/permissionstatus.h"

#include <QString>

namespace lockscope {

// What the window says of permissions that are missing.

/// True if missing permissions hide locks or leave them stale, which calls for a banner.
bool hidesLocks(const PermissionStatus &status);
QString permissionText(const PermissionStatus &status); ///< "unreadable: 8"; empty if none is missing
QString permissionTitle(const PermissionStatus &status);
/// Explains the reasons, what to ask for and when Lockscope retries.
QString permissionDetail(const PermissionStatus &status, const QByteArray &user, int serverMajor);
/// Returns a tool tip: a line per permission, then what to ask for.
QString permissionToolTip(const PermissionStatus &status, const QByteArray &user, int serverMajor);

} // namespace lockscope
