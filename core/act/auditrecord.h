// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/act/lockoperations.h"

#include <QJsonObject>

namespace lockscope {

/// What the audit log keeps of an action before it is sent: what was asked, where, and what the operator had seen. Bytes as
/// text for people, with base64 beside it where text can't be exact.
QJsonObject sentRecord(const ActionRequest &request, const Link &connection);

/// And after it: the outcome, or the server's refusal.
QJsonObject completedRecord(const Result<ActionResult> &report);

} // namespace lockscope
