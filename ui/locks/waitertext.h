// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/locks/lockstatustext.h"
#include "ui/widgets/glyph.h"

namespace lockscope {

/// Whether a waiter is still there: "listens · until 03:12:04", when others may skip it.
StatusMessage waiterState(const Waiter &waiter, qint64 nowMs);
Glyph waiterGlyph(const Waiter &waiter);

} // namespace lockscope
