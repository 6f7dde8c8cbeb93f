// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulation/strategy/composed.h"

namespace lockscope {

// The strategies, one for each published algorithm, each made as LockStrategy says.

std::unique_ptr<LockStrategy> makeReentrant(const Algorithm &algorithm, const StrategyContext &hands);
std::unique_ptr<LockStrategy> makeToken(const Algorithm &algorithm,
                                        const StrategyContext &hands); ///< all four
std::unique_ptr<LockStrategy> makeRedisson(const Algorithm &algorithm, const StrategyContext &hands);
std::unique_ptr<LockStrategy> makeHandoff(const Algorithm &algorithm, const StrategyContext &hands);

/// The count of an owner in a lock that is a hash; 0: none.
Result<int> countInHash(const StrategyContext &hands);

} // namespace lockscope
