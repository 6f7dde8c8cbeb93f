// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/optiontable.h"

namespace lockscope {

/// The options of `record` and `replay` alone.
std::span<const OptionRow> recordingRows();

/// What their options say together.
Result<void> checkRecording(const Options &options);
/// Of the window; `isLimited`: options of a recording that is made were given.
Result<void> checkWindowRecording(const Options &options, bool isLimited);

} // namespace lockscope
