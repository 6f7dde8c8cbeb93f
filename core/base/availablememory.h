// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace lockscope {

/// The machine's memory in bytes, or the limit of this process's control group if that is less; 0: unknown.
qint64 availableMemory();

} // namespace lockscope
