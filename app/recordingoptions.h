// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/optiontable.h"

namespace lockscope {

/// The options of `record` and `replay` alone.
std::span<const OptionRow> recordingRows();

/// What their options say together.
Result<void> checkRecording(const Options &options);

} // namespace lockscope
