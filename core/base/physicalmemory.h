// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

/// The machine's memory in bytes; 0: unknown.
qint64 physicalMemory();

} // namespace lockscope
