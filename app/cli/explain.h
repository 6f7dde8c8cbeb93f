// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time.h"

#include <QStringList>

namespace lockscope {

struct Lock;

/// What is known of a lock from one look, in sentences: its family and how sure that is, who holds it and what that
/// tells, who waits, and what an end by force would do. `nowMs`: epoch ms.
QStringList explanationOf(const Lock &lock, TimePoint now, qint64 nowMs, const QStringList &servers = {});

} // namespace lockscope
