// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/recording.h"

#include <QString>

namespace lockscope {

/// Why a recording lacks something, without its times. None: nothing.
QString describe(GapCause cause);
/// The same with what is known to have been lost.
QString describe(const RecordingGap &gap);

} // namespace lockscope
