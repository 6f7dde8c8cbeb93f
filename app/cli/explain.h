// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QStringList>

namespace lockscope {

struct WatchedLock;

/// Explains a lock in sentences: family and certainty, owners, waiters, and effects of a forced expiry. `nowMs`:
/// epoch ms.
QStringList explanationOf(const WatchedLock &watched, TimePoint now, qint64 nowMs,
                          const QStringList &servers = {});

} // namespace lockscope
