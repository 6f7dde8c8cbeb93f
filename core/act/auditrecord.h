// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/holderprobe.h"
#include "core/act/lockoperations.h"

#include <QJsonObject>

namespace lockscope {

/// The audit record before an action is sent: the request, the server, and what the operator had seen. Bytes
/// as text, with base64 where text is not exact.
QJsonObject sentRecord(const ActionRequest &request, const Link &connection);

/// The audit record after an action: the outcome, or the server's refusal.
QJsonObject completedRecord(const Result<ActionResult> &report);

/// The records before and after a probe of a lock's holder, as action `probe`.
QJsonObject sentRecord(const ProbeRequest &request, const Link &connection);
QJsonObject completedRecord(const ProbeAnswer &answer);

} // namespace lockscope
