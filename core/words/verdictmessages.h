// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/state/verdict.h"

#include <QString>

namespace lockscope {

/// Why a lock is held, with the evidence: one sentence.
QString describe(const HoldVerdict &verdict);
/// The recommended action: one sentence.
QString adviceOf(const HoldVerdict &verdict);

} // namespace lockscope
