// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alertrules.h"

#include <QString>

namespace lockscope {

/// The rule's label without its shortcut key: "More waiters than".
QString plainLabelOf(const AlertRule &rule);
/// The heading of an alert: "No expiry".
QString describe(AlertKind kind);
/// One or two sentences about an alert when it was last raised. A server's bytes are escaped.
QString describe(const Alert &alert);

} // namespace lockscope
