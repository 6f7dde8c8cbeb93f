// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/optiontable.h"

namespace lockscope {

/// The options that belong to `simulate` alone.
std::span<const OptionRow> simulateRows();

/// What they come to together, once each has been taken. `given`: the long names of all options that were there.
Result<void> completeSimulation(Options &options, const QList<QByteArrayView> &given);

} // namespace lockscope
