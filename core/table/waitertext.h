// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/lockstatustext.h"
#include "core/table/look.h"

namespace lockscope {

/// Describes whether a waiter is still subscribed and its timeout: "subscribed · until 03:12:04".
StatusMessage waiterState(const Waiter &waiter, qint64 nowMs);
Glyph waiterGlyph(const Waiter &waiter);

} // namespace lockscope
