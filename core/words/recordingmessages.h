// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recording.h"

#include <QString>

namespace lockscope {

/// Why a recording has a gap, without times. None: empty.
QString describe(GapCause cause);
/// The cause of a gap, and what was lost.
QString describe(const RecordingGap &gap);

} // namespace lockscope
