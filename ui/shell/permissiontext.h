// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/watch/permissionstatus.h"

#include <QString>

namespace lockscope {

// What the window says of permissions that are missing.

/// Locks are hidden by it, or are shown as they were: worth more than a word at the foot.
bool hidesLocks(const PermissionStatus &status);
QString permissionText(const PermissionStatus &status);  ///< "unreadable: 8"; empty: nothing is missing
QString permissionTitle(const PermissionStatus &status); ///< one sentence: what is missing
/// Why, what to ask for and when it is tried again.
QString permissionDetail(const PermissionStatus &status, const QByteArray &user, int serverMajor);
/// A tool tip: a line for each permission, then what to ask for.
QString permissionToolTip(const PermissionStatus &status, const QByteArray &user, int serverMajor);

} // namespace lockscope
