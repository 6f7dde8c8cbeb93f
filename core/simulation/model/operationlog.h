// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/model/report.h"

namespace lockscope {

/// The acquisitions, renewals and releases of a traced run, and the writes of its critical sections, as JSON lines for
/// `lockscope-cli verify`. `phase`: in the names of locks and processes, so that several runs fit in one file; 0: the only
/// one.
QByteArray operationLog(const Report &report, int phase);

} // namespace lockscope
