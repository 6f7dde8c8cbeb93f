// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/runtrace.h"

#include <QString>

namespace lockscope {

/// Describes an entry without its time: "W2 enters the critical section". `namesLock` appends "(lock 3)".
QString textOf(const TraceEntry &entry, bool namesLock);

} // namespace lockscope
