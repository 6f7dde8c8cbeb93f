// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alerts/alert.h"

#include <QString>

namespace lockscope {

/// What an alert is raised for, as a heading: "No expiry".
QString describe(AlertKind kind);
/// What was seen, in one or two sentences, as of the moment when the alert was raised last. A server's bytes in it are escaped.
QString describe(const Alert &alert);

} // namespace lockscope
