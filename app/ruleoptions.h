// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/optiontable.h"

namespace lockscope {

/// The options of `check` and `alert` alone: what they judge by, and whom alert tells.
std::span<const OptionRow> ruleRows();

} // namespace lockscope
